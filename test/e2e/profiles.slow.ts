import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Firecrawl } from 'firecrawl'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Answered, otherKey, startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let trawl: TestService
let client: Firecrawl
const dataDir = mkdtempSync(join(tmpdir(), 'trawl-profiles-'))
const start = (): Promise<TestService> => startTrawl({ dataDir, settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_ZDR_TEAMS: '*' } })

beforeAll(async () => {
  site = await startSite()
  trawl = await start()
  client = new Firecrawl({ apiKey: testKey, apiUrl: trawl.base })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
  rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(() => site.reset())

/** The state that the page found in the browser. */
const memoryIn = (text: string | undefined): Record<string, unknown> => JSON.parse(/\{"cookie"[^]*\}(?=<\/pre>)/.exec((text ?? '').replaceAll('&lt;', '<').replaceAll('&gt;', '>'))?.[0] ?? '{}')
const scrape = (path: string, profile: object | undefined, more: object = {}): Promise<Answered> => trawl.scrape({ url: site.url(path), formats: ['rawHtml'], ...(profile === undefined ? { waitFor: 1 } : { profile }), ...more })
const remembered = async (path: string, profile: object | undefined): Promise<unknown> => memoryIn((await scrape(path, profile)).json.data.rawHtml)['cookie']
const refusal = ({ status, json }: Answered): unknown => [status, json.code]

/** Starts a scrape that holds the profile until the site answers; `release` waits for it. */
async function hold(profile: object): Promise<{ release(): Promise<Answered> }> {
  const holding = scrape('/slow/headers?ms=2500', profile)
  while (site.hits('/slow/headers') === 0) await new Promise((resolve) => setImmediate(resolve))
  return { release: () => holding }
}

describe('profiles', () => {
  it('carry cookies, localStorage and IndexedDB from one scrape to the next, for the official client', async () => {
    const profile = { name: 'my shop' }
    const first = await client.scrape(site.url('/act/memory?set=one'), { formats: ['rawHtml'], profile })
    expect(memoryIn(first.rawHtml)).toMatchObject({ cookie: '', kept: null, keys: [] })
    const second = await client.scrape(site.url('/act/memory?set=two'), { formats: ['rawHtml'], profile: { ...profile, saveChanges: false } })
    expect(memoryIn(second.rawHtml)).toMatchObject({ cookie: 'kept=one; session=one', inline: 'one', keys: [1] })
    const found = async (): Promise<number> => (await trawl.call('POST', '/v2/search', { query: 'ferry' })).json.data.web?.length ?? 0
    expect(await found()).toBe(0)
    // Nothing was saved without saveChanges, and no other profile or visitor sees the state.
    expect([await remembered('/act/memory', profile), await remembered('/act/memory', { name: 'another' }), await remembered('/act/memory', undefined)]).toEqual(['kept=one; session=one', '', ''])
    // The visit without a profile is indexed.
    await expect.poll(found, { timeout: 10_000 }).toBe(1)
    const theirs = await trawl.scrape({ url: site.url('/act/memory'), formats: ['rawHtml'], profile }, { authorization: `Bearer ${otherKey}` })
    expect(memoryIn(theirs.json.data.rawHtml)['cookie']).toBe('')
    expect(second.metadata?.['cacheState']).toBeUndefined()
    const { json } = await trawl.scrape({ url: site.url('/act/memory?set=two'), minAge: 1 })
    expect(json.code).toBe('SCRAPE_NO_CACHED_DATA')
  }, 60_000)

  it('have one writer and any number of readers, and cannot be deleted meanwhile', async () => {
    const profile = { name: 'busy/shop ☂' }
    const path = `/v2/browser/profiles/${encodeURIComponent(profile.name)}`
    await scrape('/act/memory?set=before', profile)
    const held = await hold(profile)
    const meanwhile = await Promise.all([scrape('/act/memory', profile), trawl.call('DELETE', path), trawl.call('DELETE', path.replace('browser', 'interact')), remembered('/act/memory', { ...profile, saveChanges: false }), remembered('/act/memory', { ...profile, saveChanges: false })])
    expect([...meanwhile.slice(0, 3).map((one) => refusal(one as Answered)), ...meanwhile.slice(3)]).toEqual([[409, 'PROFILE_LOCKED'], [409, 'PROFILE_LOCKED'], [409, 'PROFILE_LOCKED'], 'kept=before; session=before', 'kept=before; session=before']) // the first three are answers
    expect(Number((meanwhile[0] as Answered).headers.get('retry-after'))).toBeGreaterThan(0) // an answer
    expect((await held.release()).status).toBe(200)
    expect(await remembered('/act/memory', profile)).toBe('kept=before; session=before')
    const removals = [await trawl.call('DELETE', path), await trawl.call('DELETE', path.replace('browser', 'interact')), await trawl.call('DELETE', `/v2/browser/profiles/${encodeURIComponent('😀'.repeat(128))}`), await trawl.call('DELETE', '/v2/browser/profiles/%20'), await trawl.call('DELETE', `/v2/browser/profiles/${'x'.repeat(129)}`)]
    expect(removals.map(({ status, json }) => [status, json.success])).toEqual([[200, true], [200, true], [200, true], [400, false], [400, false]])
    expect(await remembered('/act/memory', profile)).toBe('')
  }, 60_000)

  it('are refused if they cannot be kept as requested', async () => {
    const answers = [
      await scrape('/act/memory', { name: '' }),
      await scrape('/act/memory', { name: 'x'.repeat(129) }),
      await scrape('/act/memory', { name: 'a\nb' }),
      await scrape('/act/memory', { name: 'x', zeroDataRetention: true }),
      await scrape('/act/memory', { name: 'x' }, { zeroDataRetention: true }),
      await scrape('/act/memory', { name: 'x' }, { lockdown: true }),
    ]
    expect(answers.map(refusal)).toEqual([[400, 'BAD_REQUEST'], [400, 'BAD_REQUEST'], [400, 'BAD_REQUEST'], [400, 'BAD_REQUEST'], [400, 'BAD_REQUEST'], [404, 'SCRAPE_LOCKDOWN_CACHE_MISS']])
    expect((await scrape('/act/memory', { name: 'x', saveChanges: false }, { zeroDataRetention: true })).status).toBe(200)
  })

  it('are unlocked after a failed scrape, with their last saved state', async () => {
    const profile = { name: 'fails' }
    await scrape('/act/memory?set=good', profile)
    const failed = await scrape('/act/memory?set=bad', profile, { actions: [{ type: 'click', selector: '##' }] })
    expect([refusal(failed), await remembered('/act/memory', profile)]).toEqual([[500, 'SCRAPE_ACTION_ERROR'], 'kept=good; session=good'])
    const late = await scrape('/slow/never', profile, { timeout: 1_500 })
    expect([refusal(late), await remembered('/act/memory', profile)]).toEqual([[408, 'SCRAPE_TIMEOUT'], 'kept=good; session=good'])
  }, 30_000)

  it('are saved page after page by a batch', async () => {
    const urls = ['a', 'b', 'c'].map((set) => site.url(`/act/memory?set=${set}`))
    const job = await client.batchScrape(urls, { pollInterval: 1, options: { formats: ['rawHtml'], profile: { name: 'batch' } } })
    expect([job.status, job.data.map(({ rawHtml }) => (memoryIn(rawHtml)['keys'] as readonly unknown[]).length).sort()]).toEqual(['completed', [0, 1, 2]]) // as the page writes it
  }, 30_000)

  it('are unlocked after the process was killed, with their last saved state', async () => {
    const profile = { name: 'survivor' }
    await scrape('/act/memory?set=kept', profile)
    site.reset()
    const held = await hold(profile)
    const lost = held.release().catch(() => null)
    await trawl.stop('SIGKILL')
    await lost
    trawl = await start()
    expect(await remembered('/act/memory', profile)).toBe('kept=kept; session=kept')
  }, 60_000)
})

describe('a session with a profile', () => {
  it('continues from the state of scrapes, including files, and saves its own, even with many tabs and hanging clients', async () => {
    const profile = { name: 'shared' }
    await scrape('/act/memory?set=one', profile)
    const { json } = await trawl.call('POST', '/v2/browser', { profile })
    const visit = (path: string): string => `await page.goto('${site.url(path)}'); await page.waitForSelector('#memory:not([aria-busy])'); await page.content()`
    const run = async (code: string): Promise<string> => (await trawl.call('POST', `/v2/browser/${json.id}/execute`, { code, timeout: 120 })).json.result
    expect(memoryIn(await run(visit('/act/memory?set=two')))).toMatchObject({ cookie: 'kept=one; session=one', keys: [1], things: [{ text: 'one', file: 'file one' }] })
    await run('for (let i = 0; i < 19; i++) await context.newPage()')
    const [client, stuck] = [await chromium.connectOverCDP(json.cdpUrl), new WebSocket(json.cdpUrl)]
    await new Promise((resolve) => void stuck.addEventListener('open', resolve))
    stuck.send(JSON.stringify({ id: 1, method: 'Target.setAutoAttach', params: { autoAttach: true, waitForDebuggerOnStart: true, flatten: true } }))
    await trawl.call('DELETE', `/v2/browser/${json.id}`)
    await client.close()
    expect(memoryIn((await scrape('/act/memory', profile)).json.data.rawHtml)).toMatchObject({ cookie: 'kept=two; session=two', keys: [1, 2], things: [{ file: 'file one' }, { text: 'two', file: 'file two' }] })
  }, 120_000)
})

describe('the pages of a crawl', () => {
  it('see one visitor, and another one in the next crawl', async () => {
    const fresh = new Firecrawl({ apiKey: testKey, apiUrl: trawl.base })
    const crawl = async (): Promise<readonly unknown[]> => {
      const job = await fresh.crawl(site.url('/act/visitor/1'), { limit: 3, maxConcurrency: 1, crawlEntireDomain: true, sitemap: 'skip', pollInterval: 1, scrapeOptions: { formats: ['rawHtml'], waitFor: 1, maxAge: 0 } })
      return job.data.map(({ rawHtml }) => /<pre id="seen">([^<]*)/.exec(rawHtml ?? '')?.[1]).sort()
    }
    expect(await crawl()).toEqual(['1 stored, 1 cookies', '2 stored, 2 cookies', 'nothing'])
    expect(await crawl()).toEqual(['1 stored, 1 cookies', '2 stored, 2 cookies', 'nothing'])
  }, 60_000)
})
