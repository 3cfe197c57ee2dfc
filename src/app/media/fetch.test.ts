import { expect, it } from 'vitest'
import type { Call } from '../../domain/call.ts'
import type { ExtractionWish, MediaExtractor } from '../../domain/pages/media.ts'
import type { FetchAnswer } from '../../domain/fetching/fetcher.ts'
import type { Plan } from '../scrape/plan.ts'
import { fetchMedia } from './fetch.ts'

// The part of a plan that fetching uses.
const plan = { order: { languages: ['en-US'], skipTlsVerification: true, tier: 'basic', country: undefined } } as unknown as Plan // part of a plan
const call: Call = { id: 'i', team: 't', signal: new AbortController().signal, deadline: 60_000, retention: 'normal', log: () => undefined }
const master = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlist.m3u8'

async function why(answers: Readonly<Record<string, { readonly status?: number; readonly body: string }>>): Promise<unknown> {
  const fetch = async ({ url, maxBytes }: { readonly url: string; readonly maxBytes: number }): Promise<FetchAnswer> => {
    const { status = 200, body = '' } = answers[new URL(url).pathname] ?? { body: '' }
    const bytes = Buffer.from(body)
    return { url, status, headers: [], body: bytes.subarray(0, maxBytes), truncated: bytes.length > maxBytes, tlsVerified: true }
  }
  return fetchMedia({ kind: 'video', urls: Object.keys(answers).slice(0, 1).map((path) => `https://site.test${path}`), players: [], page: 'https://site.test/' }, plan, { fetcher: { fetch }, extractor: null, now: () => 0 }, call)
}

it.each([
  ['a playlist that is too large to be read', { '/a.m3u8': { body: `#EXTM3U\n${'#\n'.repeat(2_200_000)}x.ts\n#EXT-X-ENDLIST` } }, 'its playlist is too large'],
  ['a manifest that is', { '/a.mpd': { body: `<MPD>${' '.repeat(4_300_000)}</MPD>` } }, 'its playlist is too large'],
  ['a second playlist that is', { '/a.m3u8': { body: master }, '/list.m3u8': { body: `#EXTM3U\n${'#\n'.repeat(2_200_000)}` } }, 'its playlist is too large'],
  ['a second playlist that is not there', { '/a.m3u8': { body: master }, '/list.m3u8': { status: 404, body: 'no' } }, 'its playlist answered with status 404'],
  ['an empty file', { '/a.mp4': { body: '' } }, 'it is empty'],
  ['a stream of empty parts', { '/a.m3u8': { body: '#EXTM3U\n#EXTINF:4,\nx.ts\n#EXT-X-ENDLIST' }, '/x.ts': { body: '' } }, 'it is empty'],
  ['a web page sent as a file', { '/a.mp4': { body: '\n<!DOCTYPE html><title>Log in</title>' } }, 'it is no video'],
  ['a stream of which a part is a web page', { '/a.m3u8': { body: '#EXTM3U\n#EXTINF:4,\nx.ts\n#EXTINF:4,\ny.ts\n#EXT-X-ENDLIST' }, '/x.ts': { body: 'G' }, '/y.ts': { body: '<html>Log in</html>' } }, 'a part of it is a web page'],
])('reports why there is no file for %s', async (_, answers, reason) => {
  expect(await why(answers)).toEqual({ why: reason })
})

const films: Readonly<Record<string, string>> = { 'https://host.test/rich.mp4': 'rich', 'https://host.test/silent.mp4': 'silent' }
const fetcher = {
  asked: [] as object[],
  async fetch({ url, headers }: { readonly url: string; readonly headers: object }): Promise<FetchAnswer> {
    fetcher.asked.push({ url, headers })
    return { url, status: films[url] === undefined ? 404 : 200, headers: [['content-type', 'video/mp4']], body: Buffer.from(films[url] ?? ''), truncated: false, tlsVerified: true }
  },
}
/** The media of a page with these players, when the extractor gives these answers in turn. */
async function through(players: readonly string[], answers: readonly Awaited<ReturnType<MediaExtractor['find']>>[], urls: readonly string[] = []): Promise<{ readonly outcome: unknown; readonly wishes: readonly ExtractionWish[] }> {
  const [wishes, left]: [ExtractionWish[], Awaited<ReturnType<MediaExtractor['find']>>[]] = [[], [...answers]]
  fetcher.asked = []
  const extractor: MediaExtractor = { find: async (wish) => (wishes.push(wish), left.shift() ?? { why: 'asked too often' }) }
  return { outcome: await fetchMedia({ kind: 'video', urls, players, page: 'https://site.test/p' }, plan, { fetcher, extractor, now: () => 0 }, call), wishes }
}
const rich = { url: 'https://host.test/rich.mp4', referer: 'https://host.test/', silent: false }
const player = 'https://www.youtube.com/embed/a'

it('asks an extractor about players, and fetches what it finds itself', async () => {
  const { outcome, wishes } = await through([player], [[{ ...rich, url: 'https://host.test/gone.mp4' }, rich]])
  expect(outcome).toEqual({ bytes: Buffer.from('rich'), type: 'video/mp4', silent: false })
  expect(wishes).toEqual([{ url: player, kind: 'video', tier: 'basic', country: undefined, skipTlsVerification: true }])
  expect(fetcher.asked).toEqual([{ url: 'https://host.test/gone.mp4', headers: { referer: 'https://host.test/' } }, { url: 'https://host.test/rich.mp4', headers: { referer: 'https://host.test/' } }])
})

it('asks the extractor about the page itself if that names no media, and never if the page names files', async () => {
  expect((await through([], [[{ ...rich, url: 'https://host.test/silent.mp4', silent: true }]])).outcome).toEqual({ bytes: Buffer.from('silent'), type: 'video/mp4', silent: true })
  const own = await through([player], [], [rich.url])
  expect([own.outcome, own.wishes]).toEqual([{ bytes: Buffer.from('rich'), type: 'video/mp4', silent: false }, []])
})

it("reports the extractor's reason when nothing was found, for at most two players", async () => {
  const { outcome, wishes } = await through([player, `${player}b`, `${player}c`], [{ why: 'first' }, { why: 'second' }])
  expect([outcome, wishes.length]).toEqual([{ why: 'second' }, 2])
})
