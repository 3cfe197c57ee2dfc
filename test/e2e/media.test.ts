import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'
import { document, page } from '../site/page.ts'

let site: Site
let trawl: TestService

beforeAll(async () => {
  site = await startSite({
    '/media/config': (visit, answer) => page(document('Config', `<h1>Film</h1><p>A film.</p><script>window.config = ${JSON.stringify({ file: `${visit.origin}/media/hls/master.m3u8` }).replaceAll('/', '\\/')}</script>`))(visit, answer),
  })
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_CHROMIUM_PATH: '/nowhere/chromium', TRAWL_ZDR_TEAMS: 'default' } })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
})

// eslint-disable-next-line @typescript-eslint/no-explicit-any
const ask = async (path: string, formats: readonly string[], more: object = {}): Promise<any> => (await trawl.scrape({ url: site.url(path), formats, ...more })).json.data
/** The content type and text of the file at an artifact address, which must be ours. */
async function fetched(address: string): Promise<{ readonly type: string | null; readonly text: string }> {
  expect(address.startsWith(`${trawl.base}/v2/artifacts/`)).toBe(true)
  const answer = await fetch(address)
  return { type: answer.headers.get('content-type'), text: await answer.text() }
}
const film = { type: 'video/mp4', text: '\0\0\0\x18ftypmp42 a film of ours' }

describe('video', () => {
  it.each(['/media/player', '/media/named', '/media/described', '/media/film.mp4'])('of %s is its file', async (path) => {
    const data = await ask(path, ['video'])
    expect(await fetched(data.video)).toEqual(film)
    expect([data.warning, data.metadata.creditsUsed, data.video.endsWith('.mp4')]).toEqual([undefined, 5, true])
  })

  it.each(['/media/streamed', '/media/config', '/media/hls/master.m3u8'])('of %s is its richest stream as one file', async (path) => {
    expect(await fetched((await ask(path, ['video'])).video)).toEqual({ type: 'video/mp4', text: 'init,a,b' })
  })

  it('of a DASH manifest is its richest stream, without its separate sound', async () => {
    const data = await ask('/media/dashed', ['video', 'audio'])
    expect(await fetched(data.video)).toEqual({ type: 'video/mp4', text: 'init,1,2' })
    expect(await fetched(data.audio)).toEqual({ type: 'audio/mp4', text: 'sound' })
    expect([data.warning, data.metadata.creditsUsed]).toEqual([expect.stringContaining('its sound is a stream of its own'), 9])
  })

  it.each([
    ['/article', 'the page names none'],
    ['/media/hosted', 'the player of www.youtube.com'],
    ['/media/inside', 'FORBIDDEN'],
    ['/media/hls/live.m3u8', 'a live stream'],
    ['/media/hls/secret.m3u8', 'encrypted'],
    ['/status/404', 'the site did not give the page'],
    ['/files/doc.pdf', 'the address leads to a file of another kind'],
    ['/docs/handbook.docx', 'the address leads to a file of another kind'],
  ])('of %s is missing, and the warning says why', async (path, why) => {
    const data = await ask(path, ['video'])
    expect([data.video, data.warning, data.metadata.creditsUsed]).toEqual([undefined, expect.stringContaining(`video: none, as `), 1])
    expect(data.warning).toContain(why)
  })

  it('is returned even if its sound cannot be extracted', async () => {
    const data = await ask('/media/film.mp4', ['video', 'audio'])
    expect([await fetched(data.video), data.audio, data.warning]).toEqual([film, undefined, 'audio: none, as the address leads to a file of another kind.'])
  })

  it('is inline under zero retention, and not fetched under lockdown', async () => {
    const { video } = await ask('/media/film.mp4', ['video'], { zeroDataRetention: true })
    expect(Buffer.from(video.replace('data:video/mp4;base64,', ''), 'base64').toString()).toBe(film.text)
    await ask('/media/player', ['markdown'], { maxAge: 0 })
    site.reset()
    const locked = await ask('/media/player', ['video'], { lockdown: true })
    expect([locked.video, locked.warning, site.requests()]).toEqual([undefined, expect.stringContaining('from the cache'), []])
  })
})

describe('audio', () => {
  it('is the sound of the page, also for the official client', async () => {
    const client = new Firecrawl({ apiKey: testKey, apiUrl: trawl.base })
    const scraped = await client.scrape(site.url('/media/player'), { formats: ['audio', 'video'] })
    expect(await fetched(String(scraped.audio))).toEqual({ type: 'audio/mpeg', text: 'ID3 a song of ours' })
    expect(await fetched(String(scraped.video))).toEqual(film)
  })

  it('is part of the pages of a batch', async () => {
    const client = new Firecrawl({ apiKey: testKey, apiUrl: trawl.base })
    const { data } = await client.batchScrape([site.url('/media/player')], { options: { formats: ['audio'] }, pollInterval: 1 })
    expect(await fetched(String(data[0]?.audio))).toEqual({ type: 'audio/mpeg', text: 'ID3 a song of ours' })
  })
})
