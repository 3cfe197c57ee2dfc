import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/store/sqlite/driver.ts'
import { type ModelServer, startModelServer } from '../model-server.ts'
import { otherKey, startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'
import { document, htmlType } from '../site/page.ts'

let site: Site
let trawl: TestService
let model: ModelServer
/** The same service with a language model, on the same data. */
let wise: TestService

/** The current content of the page with that name: its text, or a status. */
const shown = new Map<string, string | number>()
/** Instead of a status: the site breaks off in the middle of the page. */
const brokenOff = -1
const about = 'These words are about lamps, and stay as they are whatever happens to their price. '.repeat(5)
const lamp = (price: string, more = ''): string => `<main><h1>Lamp</h1><p>${about}</p><table><tr><th>Price</th><td>${price}</td></tr></table><p>${more}</p></main>`

beforeAll(async () => {
  const page = (name: string) => shown.get(name) ?? 404
  ;[site, model] = await Promise.all([
    startSite({
      '/lamp': (visit, answer) => {
        const now = page(visit.query.get('n') ?? '')
        if (now === brokenOff) answer.send(200, { 'content-type': htmlType, 'content-encoding': 'gzip' }, gzipSync(document('Lamp', `${lamp('12')}${'<p>There is more of it.</p>'.repeat(99)}`)).subarray(0, -40))
        else if (typeof now === 'number') answer.send(now, { 'content-type': htmlType }, document('Gone', '<p>There is no such page.</p>'))
        else answer.send(200, { 'content-type': htmlType }, document('Lamp', now))
      },
      '/tagged': (visit, answer) => {
        const etag = '"edition"'
        if (visit.headers['if-none-match'] === etag) answer.send(304, { etag })
        else answer.send(200, { 'content-type': htmlType, etag }, document('Tagged', lamp('12')))
      },
    }),
    startModelServer(),
  ])
  const shared = { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port},127.0.0.1:${model.port}`, TRAWL_ZDR_TEAMS: 'default' }
  ;[trawl, wise] = await Promise.all([startTrawl({ settings: shared }), startTrawl({ settings: { ...shared, TRAWL_LLM_BASE_URL: model.url, TRAWL_LLM_MODEL: 'small' } })])
})
afterAll(async () => {
  await Promise.all([trawl.stop(), wise.stop()])
  await Promise.all([site.close(), model.close()])
})

let serial = 0
/** A new page for a test. */
function lampAt(first: string | number): { readonly url: string; show(next: string | number): void } {
  const name = `l${++serial}`
  shown.set(name, first)
  return { url: site.url(`/lamp?n=${name}`), show: (next) => void shown.set(name, next) }
}
// Tests access the fields of answers by name.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const track = async (url: string, options: object = {}, service = trawl): Promise<any> => {
  const { json } = await service.scrape({ url, onlyMainContent: false, formats: ['markdown', { type: 'changeTracking', ...options }] })
  expect(json).toMatchObject({ success: true })
  return json.data
}
const versions = async (query: Record<string, string>, key = testKey) => trawl.call('GET', `/v2/changes?${new URLSearchParams(query).toString()}`, undefined, { authorization: `Bearer ${key}` })

describe('a tracked page', () => {
  it('is new, the same, changed, removed, and new again', async () => {
    const { url, show } = lampAt(lamp('12'))
    const first = await track(url)
    expect(first.changeTracking).toEqual({ previousScrapeAt: null, changeStatus: 'new', visibility: 'visible' })
    expect(first.metadata.cacheState).toBeUndefined()
    const second = await track(url)
    expect(second.changeTracking).toMatchObject({ changeStatus: 'same', visibility: 'visible', previousScrapeAt: expect.stringMatching(/^\d{4}-.*Z$/) })
    show(lamp('14'))
    expect((await track(url)).changeTracking).toEqual({ changeStatus: 'changed', visibility: 'visible', previousScrapeAt: expect.any(String) })
    show(404)
    expect((await track(url)).changeTracking).toMatchObject({ changeStatus: 'removed' })
    show(lamp('14'))
    expect((await track(url)).changeTracking).toMatchObject({ changeStatus: 'new' })
    const { json } = await versions({ url })
    expect(json.versions.map((one: { changeStatus: string }) => one.changeStatus)).toEqual(['new', 'removed', 'changed', 'same', 'new'])
  })

  it('is the same if only noise differs', async () => {
    const { url, show } = lampAt(lamp('12', '1,204 views. Page generated in 0.12 seconds'))
    await track(url)
    show(lamp('12', '1,377 views. Page generated in 0.9 seconds'))
    expect((await track(url)).changeTracking).toMatchObject({ changeStatus: 'same' })
  })

  it('reports the changed lines', async () => {
    const { url, show } = lampAt(lamp('12'))
    await track(url, { modes: ['git-diff'] })
    show(lamp('14'))
    const { changeTracking } = await track(url, { modes: ['git-diff'] })
    expect(changeTracking.diff).toMatch(/^--- previous\n\+\+\+ current\n@@ -\d+,\d+ \+\d+,\d+ @@\n[^]*\n-\| Price \| 12 \|\n\+\| Price \| 14 \|\n/)
    expect(changeTracking.diffDetail.text).toBe(changeTracking.diff)
    expect(changeTracking.diffDetail.json.files[0].chunks[0].changes).toContainEqual({ type: 'add', add: true, ln: expect.any(Number), content: '+| Price | 14 |' })
    expect((await track(url, { modes: ['git-diff'] })).changeTracking).toMatchObject({ changeStatus: 'same' })
  })

  it('reports the changed fields without a language model', async () => {
    const schema = { type: 'object', properties: { title: { type: 'string' }, price: { type: 'number' } } }
    const { url, show } = lampAt(lamp('12'))
    // The first scrape does not track fields: their old values are extracted from the stored page.
    await track(url)
    show(lamp('14'))
    const data = await track(url, { modes: ['json'], schema })
    expect(data.changeTracking).toEqual({ changeStatus: 'changed', visibility: 'visible', previousScrapeAt: expect.any(String), json: { price: { previous: 12, current: 14 } } })
    expect(data.metadata.creditsUsed).toBe(5)
    expect((await track(url, { modes: ['json'], schema })).changeTracking).toMatchObject({ changeStatus: 'same' })
  })

  it('says that fields are compared in mode json only', async () => {
    const { url } = lampAt(lamp('12'))
    const schema = { type: 'object', properties: { price: { type: 'number' } } }
    const warning = 'changeTracking: schema and prompt are for the mode json, which was not asked for.'
    expect((await track(url, { modes: ['git-diff'], schema })).warning).toBe(warning)
    expect((await track(url, { prompt: 'the price' })).warning).toBe(warning)
    expect((await track(url, { modes: ['json'], schema })).warning).toBeUndefined()
  })

  it('is tracked separately for each tag and each team', async () => {
    const { url, show } = lampAt(lamp('12'))
    await track(url, { tag: 'hourly' })
    show(lamp('14'))
    expect((await track(url, { tag: 'daily' })).changeTracking).toMatchObject({ changeStatus: 'new' })
    expect((await track(url)).changeTracking).toMatchObject({ changeStatus: 'new' })
    expect((await track(url, { tag: 'hourly' })).changeTracking).toMatchObject({ changeStatus: 'changed' })
    expect((await versions({ url, tag: 'hourly' })).json.versions).toHaveLength(2)
    expect((await versions({ url, tag: 'hourly' }, otherKey)).json.versions).toEqual([])
  })

  it('can be read as of any time', async () => {
    const { url, show } = lampAt(lamp('12'))
    const first = await track(url, { modes: ['git-diff'] })
    show(lamp('14'))
    const second = await track(url, { modes: ['git-diff'] })
    const { json } = await versions({ url })
    expect(json).toEqual({ success: true, versions: [{ id: second.metadata.scrapeId, at: expect.any(String), changeStatus: 'changed' }, { id: first.metadata.scrapeId, at: second.changeTracking.previousScrapeAt, changeStatus: 'new' }] })
    expect((await trawl.call('GET', `/v2/changes/${second.metadata.scrapeId}`)).json).toEqual({ success: true, data: second })
    expect((await versions({ url, at: second.changeTracking.previousScrapeAt })).json).toEqual({ success: true, data: first })
    expect((await versions({ url, at: '2020-01-01T00:00:00Z' })).json).toMatchObject({ success: false, code: 'NOT_FOUND' })
    const foreign = await trawl.call('GET', `/v2/changes/${first.metadata.scrapeId}`, undefined, { authorization: `Bearer ${otherKey}` })
    expect([foreign.status, foreign.json.code]).toEqual([403, 'FORBIDDEN'])
    const paged = (await versions({ url, limit: '1' })).json
    expect(paged.versions).toHaveLength(1)
    expect((await trawl.call('GET', paged.next.slice(trawl.base.length))).json.versions.map(({ id }: { id: string }) => id)).toEqual([first.metadata.scrapeId])
  })

  it('is requested conditionally first, and not read again if it is unmodified', async () => {
    const url = site.url('/tagged')
    const first = await track(url)
    site.reset()
    const { json } = await trawl.scrape({ url, onlyMainContent: false, formats: ['markdown', 'changeTracking'], explain: true })
    expect(site.requests().map(({ headers }) => headers['if-none-match'])).toEqual(['"edition"'])
    expect(json.data).toMatchObject({ markdown: first.markdown, changeTracking: { changeStatus: 'same' }, explain: { reason: 'the page is not modified since its last version', tried: [{ outcome: 'not modified' }] } })
    const more = (await trawl.scrape({ url, formats: ['markdown', 'links', 'rawHtml', 'changeTracking'] })).json.data
    expect(more).toMatchObject({ rawHtml: expect.stringContaining('<h1>Lamp</h1>'), changeTracking: { changeStatus: 'same' } })
    site.reset()
    await trawl.scrape({ url, formats: ['markdown', 'changeTracking'], headers: { 'X-Own': '1' } })
    expect(site.requests().map(({ headers }) => headers['if-none-match'])).toEqual([undefined])
  })

  it('that fails is not compared, and says so', async () => {
    const { url, show } = lampAt(lamp('12'))
    await track(url)
    show(503)
    const data = await track(url)
    expect([data.changeTracking, data.warning]).toEqual([undefined, expect.stringContaining('was not compared')])
    show(lamp('12'))
    expect((await track(url)).changeTracking).toMatchObject({ changeStatus: 'same' })
    const never = lampAt(404)
    expect((await track(never.url)).warning).toContain('none was tracked before')
    expect((await versions({ url: never.url })).json.versions).toEqual([])
  })

  it('that was not compared costs no more than a page, and no model is asked about it', async () => {
    model.answers(() => '{"data":{"price":"12"},"evidence":[]}')
    const before = model.questions.length
    const { url } = lampAt(404)
    const fields = { modes: ['json'], schema: { type: 'object', properties: { motto: { type: 'string' } } } }
    const [wisely, plainly] = [await track(url, fields, wise), await track(url, fields)]
    expect([wisely, plainly].map((data) => [data.changeTracking, data.metadata.creditsUsed])).toEqual([[undefined, 1], [undefined, 1]])
    expect([wisely.warning, model.questions.length - before]).toEqual([expect.stringContaining('none was tracked before'), 0])
  })

  it('is not called new while the version before is not found, and compared with it later', async () => {
    const { url, show } = lampAt(lamp('12'))
    await track(url)
    const alter = (statements: string): void => {
      const database = openDatabase(join(trawl.dataDir, 'trawl.db'), { timeout: 5_000 })
      database.exec(statements)
      database.close()
    }
    alter('create table hidden as select * from blobs; delete from blobs')
    show(lamp('14'))
    const data = await track(url).finally(() => alter('insert into blobs select * from hidden where key not in (select key from blobs); drop table hidden'))
    expect([data.changeTracking, data.warning]).toEqual([undefined, expect.stringContaining('the version before is not found in the blob store, so the page was not compared')])
    expect((await track(url)).changeTracking).toMatchObject({ changeStatus: 'changed' })
    const { json } = await versions({ url })
    expect(json.versions.map((one: { changeStatus: string }) => one.changeStatus)).toEqual(['changed', 'new'])
  })

  it('that arrives incomplete is not compared', async () => {
    const { url, show } = lampAt(lamp('12'))
    await track(url)
    show(brokenOff)
    const data = await track(url)
    expect([data.changeTracking, data.warning]).toEqual([undefined, expect.stringContaining('its end is missing, so the page was not compared')])
    show(lamp('12'))
    expect((await track(url)).changeTracking).toMatchObject({ changeStatus: 'same' })
    expect((await versions({ url })).json.versions).toHaveLength(2)
  })

  it('that its site is too busy to show is not compared', async () => {
    const { url, show } = lampAt(lamp('12'))
    await track(url)
    show('<h1>The server is busy</h1><p>Please try again in a few moments.</p>')
    const data = await track(url)
    expect([data.changeTracking, data.warning]).toEqual([undefined, expect.stringContaining('the site did not give the page, so it was not compared')])
    expect((await versions({ url })).json.versions).toHaveLength(1)
  })

  it('that needs a browser, and could not be rendered, is not compared', async () => {
    const bare = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_CHROMIUM_PATH: '/nowhere/chromium' } })
    try {
      const { url } = lampAt(`<div id="root"></div><noscript>Please enable JavaScript.</noscript><p>${about}</p><script>document.getElementById('root').textContent = 'More about lamps.'</script>`)
      const data = await track(url, {}, bare)
      expect([data.changeTracking, data.warning]).toEqual([undefined, expect.stringMatching(/may not be complete: .* it came incomplete, so the page was not compared/)])
      expect((await bare.call('GET', `/v2/changes?${new URLSearchParams({ url }).toString()}`)).json.versions).toEqual([])
      expect((await track(url)).changeTracking).toMatchObject({ changeStatus: 'new' })
    } finally {
      await bare.stop()
    }
  })

  it.each([{ zeroDataRetention: true }, { lockdown: true }])('is refused with %j, which stores nothing', async (option) => {
    const answer = await trawl.scrape({ url: site.url('/tagged'), formats: ['markdown', 'changeTracking'], ...option })
    expect([answer.status, answer.json.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('has its fields by schema without a language model', async () => {
    const answer = await trawl.scrape({ url: site.url('/tagged'), formats: ['markdown', { type: 'changeTracking', modes: ['json'], prompt: 'the price' }] })
    expect([answer.status, answer.json.code]).toEqual([501, 'FEATURE_NOT_CONFIGURED'])
  })
})

describe('many scrapes of a tracked page at once', () => {
  it('produce consecutive versions', async () => {
    const { url } = lampAt(lamp('12'))
    const all = await Promise.all(Array.from({ length: 8 }, () => track(url)))
    const { json } = await versions({ url })
    expect(json.versions).toHaveLength(8)
    expect(all.map(({ changeTracking }) => changeTracking.changeStatus).sort()).toEqual(['new', ...Array.from({ length: 7 }, () => 'same')])
    expect(json.versions.map((one: { changeStatus: string }) => one.changeStatus)).toEqual([...Array.from({ length: 7 }, () => 'same'), 'new'])
  })
})

describe('a tracked batch', () => {
  it('has its versions once its pages have arrived, also for the official client', async () => {
    const { url, show } = lampAt(lamp('12'))
    const client = new Firecrawl({ apiKey: testKey, apiUrl: trawl.base })
    const options = { formats: ['markdown' as const, { type: 'changeTracking' as const, modes: ['git-diff' as const], tag: 'batch' }], onlyMainContent: false }
    const first = await client.batchScrape([url], { options, pollInterval: 1 })
    expect(first.data[0]?.changeTracking).toMatchObject({ changeStatus: 'new' })
    show(lamp('14'))
    const second = await client.batchScrape([url], { options, pollInterval: 1 })
    expect(second.data[0]?.changeTracking).toMatchObject({ changeStatus: 'changed', diff: expect.stringContaining('+| Price | 14 |') })
    const scraped = await client.scrape(url, options)
    expect(scraped.changeTracking).toMatchObject({ changeStatus: 'same' })
    expect((await versions({ url, tag: 'batch' })).json.versions.map((one: { changeStatus: string }) => one.changeStatus)).toEqual(['same', 'changed', 'new'])
  })
})

describe('versions that are forgotten', () => {
  const forget = (path: string, key = testKey) => trawl.call('DELETE', `/v2/changes${path}`, undefined, { authorization: `Bearer ${key}` })

  it('are deleted one by one or all at once, for their team only', async () => {
    const { url, show } = lampAt(lamp('12'))
    await track(url)
    show(lamp('14'))
    const second = (await track(url)).metadata.scrapeId
    const query = `?${new URLSearchParams({ url }).toString()}`
    expect([(await forget(`/${second}`, otherKey)).json.code, (await forget(query, otherKey)).json]).toEqual(['FORBIDDEN', { success: true, deleted: 0 }])
    expect((await forget(`/${second}`)).json).toEqual({ success: true })
    expect([(await forget(`/${second}`)).json.code, (await forget('/none')).json.code, (await forget('')).json.code]).toEqual(['NOT_FOUND', 'BAD_REQUEST', 'BAD_REQUEST'])
    expect((await trawl.call('GET', `/v2/changes/${second}`)).status).toBe(404)
    // It is compared with the remaining version.
    expect((await track(url)).changeTracking).toMatchObject({ changeStatus: 'changed' })
    expect((await forget(query)).json).toEqual({ success: true, deleted: 2 })
    expect((await versions({ url })).json.versions).toEqual([])
    expect((await track(url)).changeTracking).toMatchObject({ changeStatus: 'new', previousScrapeAt: null })
  })
})

describe('a crawl that tracks changes', () => {
  it('also fetches tracked pages that it no longer finds, and reports them as hidden', async () => {
    const linking = (...names: readonly string[]) => `${lamp('12')}${names.map((name) => `<a href="/lamp?n=${name}">${name}</a>`).join(' ')}`
    const [one, two, three] = ['h1', 'h2', 'h3']
    for (const name of [two, three]) shown.set(name, lamp('12', name))
    shown.set(one, linking(two, three))
    const tag = 'hidden ones'
    let skipped: unknown
    const crawled = async (more: object = {}) => {
      const options = { onlyMainContent: false, formats: ['markdown', { type: 'changeTracking', tag }] }
      const { id } = (await trawl.call('POST', '/v2/crawl', { ...more, url: site.url(`/lamp?n=${one}`), sitemap: 'skip', crawlEntireDomain: true, includePaths: ['^/lamp'], scrapeOptions: options })).json
      await expect.poll(async () => (await trawl.call('GET', `/v2/crawl/${id}`)).json.status, { timeout: 30_000 }).toBe('completed')
      const { data } = (await trawl.call('GET', `/v2/crawl/${id}`)).json
      skipped = (await trawl.call('GET', `/v2/crawl/${id}/errors?skipped=true`)).json.skipped
      // Tests access the fields of answers by name.
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      return data.map((page: any) => `${new URL(page.metadata.sourceURL).searchParams.get('n')} ${page.changeTracking?.changeStatus} ${page.changeTracking?.visibility}`).sort()
    }
    expect(await crawled()).toEqual(['h1 new visible', 'h2 new visible', 'h3 new visible'])
    shown.set(one, linking(two))
    // The links of the hidden page are not followed; the list of skipped URLs says why.
    shown.set(three, linking('h4'))
    expect(await crawled()).toEqual(['h1 changed visible', 'h2 same visible', 'h3 changed hidden'])
    expect(skipped).toEqual([{ url: site.url('/lamp?n=h4'), reason: 'not-included' }])
    shown.set(three, 404)
    expect(await crawled()).toEqual(['h1 same visible', 'h2 same visible', 'h3 removed hidden'])
    // A page that is known to be removed is not fetched again.
    expect(await crawled()).toEqual(['h1 same visible', 'h2 same visible'])
    expect(await crawled({ maxDiscoveryDepth: 0 })).toEqual(['h1 same visible'])
    // If the start page fails, the crawl does not know which links still exist.
    shown.set(one, 403)
    expect(await crawled()).toEqual(['h1 undefined undefined'])
  })
})

describe('with a language model', () => {
  it('fields are requested when the page has changed, and only then', async () => {
    const mood = { type: 'object', properties: { mood: { type: 'string' } } }
    const options = { modes: ['json'], schema: mood, prompt: 'the mood of the text' }
    model.answers(({ prompt }) => JSON.stringify({ data: { mood: prompt.includes('gloomy') ? 'gloomy' : 'bright' }, evidence: [] }))
    const { url, show } = lampAt(lamp('12', 'A bright lamp. 10 views'))
    await track(url, options, wise)
    const asked = model.questions.length
    expect(asked).toBeGreaterThan(0)
    show(lamp('12', 'A bright lamp. 12 views'))
    expect((await track(url, options, wise)).changeTracking).toMatchObject({ changeStatus: 'same' })
    expect(model.questions).toHaveLength(asked)
    show(lamp('12', 'A gloomy lamp.'))
    const { changeTracking } = await track(url, options, wise)
    expect(changeTracking).toMatchObject({ changeStatus: 'changed', json: { mood: { previous: 'bright', current: 'gloomy' } } })
    expect(model.questions.length).toBe(asked + 1)
  })

  it('fields are not requested again for a text that is the same, whatever else is asked for', async () => {
    const { url } = lampAt(lamp('12', 'It is a bright and gloomy lamp.'))
    const schema = { type: 'object', properties: { mood: { type: 'string' } } }
    // Of two right answers, the model gives another each time.
    let answered = 0
    model.answers(() => JSON.stringify({ data: { mood: answered++ % 2 === 0 ? 'bright' : 'gloomy' }, evidence: [] }))
    const also = async (modes: readonly string[], ...formats: readonly string[]) => (await wise.scrape({ url, onlyMainContent: false, formats: ['markdown', { type: 'changeTracking', modes, schema }, ...formats] })).json.data.changeTracking.changeStatus
    expect([await also(['json']), await also(['json'], 'links'), await also(['git-diff', 'json'], 'html'), await also(['json'])]).toEqual(['new', 'same', 'same', 'same'])
    expect(answered).toBe(1)
  })

  it('a field may have an address that the text does not say', async () => {
    const { url } = lampAt(lamp('12'))
    model.answers(() => JSON.stringify({ data: { address: url }, evidence: [] }))
    const { warning, changeTracking } = await track(url, { modes: ['json'], schema: { type: 'object', properties: { address: { type: 'string', format: 'uri' } } } }, wise)
    expect([warning, changeTracking.changeStatus]).toEqual([undefined, 'new'])
  })

  it('an unanswered field is not a change', async () => {
    const options = { modes: ['json'], schema: { type: 'object', properties: { mood: { type: 'string' }, kind: { type: 'string' } } } }
    const all = (mood: string) => JSON.stringify({ data: { mood, kind: 'lamp' }, evidence: [] })
    model.answers(() => all('bright'))
    const { url, show } = lampAt(lamp('12', 'A bright lamp.'))
    await track(url, options, wise)
    show(lamp('14', 'A bright lamp, still.'))
    model.answers(() => ({ status: 401 }))
    const down = await track(url, options, wise)
    expect([down.changeTracking.changeStatus, down.changeTracking.json, down.warning]).toEqual(['changed', {}, expect.stringContaining('does not accept the key')])
    show(lamp('16', 'A gloomy lamp.'))
    model.answers(({ prompt }) => (prompt.includes('gloomy') ? { text: '{"data": {"mood": "gloomy", "kind": "la', finish: 'length' } : all('bright')))
    expect((await track(url, options, wise)).changeTracking.json).toEqual({ mood: { previous: 'bright', current: 'gloomy' } })
    show(lamp('18', 'A gloomy lamp, too.'))
    model.answers(() => all('gloomy'))
    expect((await track(url, options, wise)).changeTracking.json).toEqual({})
  })

  it('a field that could not be compared is named', async () => {
    const options = { modes: ['json'], schema: { type: 'object', properties: { mood: { type: 'string' } } } }
    const { url, show } = lampAt(lamp('12', 'A bright lamp.'))
    model.answers(() => JSON.stringify({ data: { mood: 'weary' }, evidence: [] }))
    await track(url, options, wise)
    show(lamp('14', 'A gloomy lamp.'))
    model.answers(() => JSON.stringify({ data: { mood: 'gloomy' }, evidence: [] }))
    const named = await track(url, options, wise)
    expect([named.changeTracking.json, named.warning]).toEqual([{}, 'changeTracking: not compared, since the language model gave no value for the version before: /mood.'])
    show(lamp('16', 'A bright lamp.'))
    model.answers(() => JSON.stringify({ data: { mood: 'bright' }, evidence: [] }))
    const compared = await track(url, options, wise)
    expect([compared.changeTracking.json, compared.warning]).toEqual([{ mood: { previous: 'gloomy', current: 'bright' } }, undefined])
  })

  it('an omitted field is not a change, unlike one reported as gone', async () => {
    const properties = { mood: { type: 'string' }, kind: { type: 'string' }, made: { type: 'object', properties: { by: { type: 'string' }, of: { type: 'string' } } } }
    const options = { modes: ['json'], schema: { type: 'object', properties } }
    const says = (data: object) => model.answers(() => JSON.stringify({ data, evidence: [] }))
    const text = (mood: string) => `A ${mood} lamp, made by Smith of brass.`
    const { url, show } = lampAt(lamp('12', text('bright')))
    const changed = async (price: string, mood: string, data: object) => {
      says(data)
      show(lamp(price, text(mood)))
      return (await track(url, options, wise)).changeTracking.json
    }
    says({ mood: 'bright', kind: 'lamp', made: { by: 'Smith', of: 'brass' } })
    await track(url, options, wise)
    expect(await changed('14', 'gloomy', { mood: 'gloomy', made: { by: 'Smith' } })).toEqual({ mood: { previous: 'bright', current: 'gloomy' } })
    expect(await changed('16', 'gloomy', { mood: 'gloomy', kind: 'lamp' })).toEqual({})
    expect(await changed('18', 'gloomy', { mood: null, kind: 'lamp', made: { by: 'Smith', of: 'brass' } })).toEqual({ mood: { previous: 'gloomy', current: null } })
  })

  it('an invented value is not treated as a change', async () => {
    const options = { modes: ['json'], schema: { type: 'object', properties: { maker: { type: 'string' } } } }
    model.answers(({ count }) => JSON.stringify({ data: { maker: `Maker ${count}` }, evidence: [] }))
    const { url, show } = lampAt(lamp('12'))
    await track(url, options, wise)
    show(lamp('14'))
    const data = await track(url, options, wise)
    expect(data.changeTracking).toMatchObject({ changeStatus: 'changed', json: {} })
    expect(data.warning).toContain('changeTracking:')
  })
})
