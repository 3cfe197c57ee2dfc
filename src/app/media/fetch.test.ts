import { expect, it } from 'vitest'
import type { Call } from '../../domain/call.ts'
import type { FetchAnswer } from '../../domain/ports.ts'
import type { Plan } from '../scrape/plan.ts'
import { fetchMedia } from './fetch.ts'

// What of a plan the fetching looks at.
const plan = { order: { languages: ['en-US'], skipTlsVerification: true, tier: 'basic', country: undefined } } as unknown as Plan // part of one
const call: Call = { id: 'i', team: 't', signal: new AbortController().signal, deadline: 60_000, retention: 'normal', log: () => undefined }
const master = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlist.m3u8'

async function why(answers: Readonly<Record<string, { readonly status?: number; readonly body: string }>>): Promise<unknown> {
  const fetch = async ({ url, maxBytes }: { readonly url: string; readonly maxBytes: number }): Promise<FetchAnswer> => {
    const { status = 200, body = '' } = answers[new URL(url).pathname] ?? { body: '' }
    const bytes = Buffer.from(body)
    return { url, status, headers: [], body: bytes.subarray(0, maxBytes), truncated: bytes.length > maxBytes, tlsVerified: true }
  }
  return fetchMedia({ kind: 'video', urls: Object.keys(answers).slice(0, 1).map((path) => `https://site.test${path}`), players: [] }, plan, { fetcher: { fetch }, now: () => 0 }, call)
}

it.each([
  ['a playlist that is too large to be read', { '/a.m3u8': { body: `#EXTM3U\n${'#\n'.repeat(2_200_000)}x.ts\n#EXT-X-ENDLIST` } }, 'its playlist is too large'],
  ['a manifest that is', { '/a.mpd': { body: `<MPD>${' '.repeat(4_300_000)}</MPD>` } }, 'its playlist is too large'],
  ['a second playlist that is', { '/a.m3u8': { body: master }, '/list.m3u8': { body: `#EXTM3U\n${'#\n'.repeat(2_200_000)}` } }, 'its playlist is too large'],
  ['a second playlist that is not there', { '/a.m3u8': { body: master }, '/list.m3u8': { status: 404, body: 'no' } }, 'its playlist answered with status 404'],
])('says why there is nothing of %s', async (_, answers, reason) => {
  expect(await why(answers)).toEqual({ why: reason })
})
