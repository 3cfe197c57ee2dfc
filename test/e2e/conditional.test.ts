import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/store/sqlite/driver.ts'
import { type Answered, startTrawl, type TestService } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

/** A site that records what it sends: statuses, and bytes on the wire. */
const sent: { status: number; bytes: number }[] = []
const bulk = `<!doctype html><title>Bulk</title><main><h1>Bulk</h1><p>${'Many words that need not come twice. '.repeat(20_000)}</p></main>`
const counting = createServer((request, response) => {
  const { socket } = request
  const before = socket.bytesWritten
  response.on('finish', () => sent.push({ status: response.statusCode, bytes: socket.bytesWritten - before }))
  const status = request.headers['if-none-match'] === '"bulk"' ? 304 : 200
  response.writeHead(status, { etag: '"bulk"', 'content-type': 'text/html' }).end(status === 200 ? bulk : undefined)
})
const sockets = new Set<Socket>()
counting.on('connection', (socket: Socket) => sockets.add(socket))

let site: Site
let trawl: TestService
let bulkUrl = ''

beforeAll(async () => {
  site = await startSite()
  await new Promise<void>((resolve) => counting.listen(0, '127.0.0.1', resolve))
  const { port } = counting.address() as AddressInfo // a TCP server's address
  bulkUrl = `http://127.0.0.1:${port}/bulk`
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port},127.0.0.1:${port}`, TRAWL_ZDR_TEAMS: 'default' } })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => counting.close(resolve))
})
beforeEach(() => {
  site.reset()
  sent.length = 0
})

let serial = 0
/** A conditional page that no other test has requested. */
const page = (name: string, query = ''): string => site.url(`/cached/${name}?n=${++serial}${query}`)
/** Scrapes a page whose cache entry is too old. */
const stale = async (url: string, more: object = {}): Promise<Answered['json']> => {
  const { json } = await trawl.scrape({ url, maxAge: 1, explain: true, ...more })
  expect(json).toMatchObject({ success: true })
  return json.data
}
const conditions = (): unknown[] => site.requests().map(({ headers }) => [headers['if-none-match'], headers['if-modified-since']])
const unasked = [undefined, undefined]
const renewed = { engine: 'http', cache: 'miss', reason: 'the cached page is not modified', tried: [{ engine: 'http', outcome: 'not modified' }] }
const afresh = { engine: 'http', cache: 'miss', reason: 'plain HTTP comes first', tried: [{ engine: 'http', outcome: 'captured' }] }

describe('a stale page in the cache', () => {
  it.each([
    ['a strong tag', 'strong', ['"a"', undefined]],
    ['a weak tag', 'weak', ['W/"a"', undefined]],
    ['a date', 'dated', [undefined, 'Sat, 21 Nov 2020 10:00:00 GMT']],
  ])('costs a 304 if it has %s and is unmodified', async (_name, path, asked) => {
    const url = page(path)
    const first = (await trawl.scrape({ url })).json.data
    const second = await stale(url)
    expect(conditions()).toEqual([unasked, asked])
    expect(second).toMatchObject({ markdown: first.markdown, explain: renewed, metadata: { cacheState: 'miss', statusCode: 200, verdict: 'ok', creditsUsed: 1, contentType: 'text/html; charset=utf-8' } })
    expect(second.metadata.cachedAt).toBeUndefined()
  })

  it('is then as fresh as a newly fetched one, also for the next request', async () => {
    const url = page('weak')
    await trawl.scrape({ url })
    const before = new Date().toISOString()
    await stale(url)
    const hit = (await trawl.scrape({ url })).json.data.metadata
    expect(hit).toMatchObject({ cacheState: 'hit' })
    expect(hit.cachedAt >= before).toBe(true)
    await stale(url)
    expect(conditions()).toEqual([unasked, ['W/"a"', undefined], ['"a"', undefined]])
  })

  it('transfers no body, and is not read again', async () => {
    await trawl.scrape({ url: bulkUrl })
    const second = await stale(bulkUrl)
    expect(second.markdown).toContain('Many words')
    expect(sent.map(({ status }) => status)).toEqual([200, 304])
    expect(sent[0]?.bytes).toBeGreaterThan(bulk.length)
    expect(sent[1]?.bytes).toBeLessThan(500)
  })

  it('can be returned in formats that were never requested before, from the stored bytes', async () => {
    const url = page('strong')
    await trawl.scrape({ url })
    const second = await stale(url, { formats: ['rawHtml', 'links'] })
    expect(second).toMatchObject({ rawHtml: expect.stringContaining('<h1>Edition a</h1>'), links: [site.url('/page/1')], explain: renewed })
    const third = await stale(url, { formats: ['rawHtml', 'links'] })
    expect([third.rawHtml, third.explain]).toEqual([second.rawHtml, expect.objectContaining({ reason: renewed.reason })])
    const kept = await trawl.scrape({ url, formats: ['rawHtml', 'links'], minAge: 1 })
    expect([kept.json.data.rawHtml, kept.json.data.metadata.cacheState]).toEqual([second.rawHtml, 'hit'])
  })

  it('is replaced if it has changed', async () => {
    const url = page('strong', '&edition=a,b,b')
    await trawl.scrape({ url })
    const second = await stale(url)
    expect(second).toMatchObject({ markdown: expect.stringContaining('# Edition b'), explain: afresh })
    expect((await trawl.scrape({ url })).json.data).toMatchObject({ markdown: second.markdown, metadata: { cacheState: 'hit' } })
    expect(await stale(url)).toMatchObject({ markdown: second.markdown, explain: renewed })
    expect(conditions()).toEqual([unasked, ['"a"', undefined], ['"b"', undefined]])
  })

  it('is revalidated at the end of a redirect', async () => {
    const url = page('moved')
    await trawl.scrape({ url })
    expect(await stale(url)).toMatchObject({ explain: renewed, metadata: { url: site.url('/cached/strong'), sourceURL: url } })
    expect(conditions()).toEqual([unasked, unasked, unasked, ['"a"', undefined]])
  })

  it('costs a 304 in a batch', async () => {
    const url = page('strong')
    await trawl.scrape({ url })
    const started = await trawl.call('POST', '/v2/batch/scrape', { urls: [url], maxAge: 1 })
    const path = `/v2/batch/scrape/${started.json.id}`
    await expect.poll(async () => (await trawl.call('GET', path)).json.status, { timeout: 30_000 }).toBe('completed')
    expect((await trawl.call('GET', path)).json.data).toMatchObject([{ markdown: expect.stringContaining('# Edition a'), metadata: { cacheState: 'miss', statusCode: 200 } }])
    expect(conditions()).toEqual([unasked, ['"a"', undefined]])
  }, 60_000)

  it('costs a 304 in a crawl, which finds its links in the stored bytes', async () => {
    const url = page('strong')
    await trawl.scrape({ url })
    const started = await trawl.call('POST', '/v2/crawl', { url, crawlEntireDomain: true, limit: 2, sitemap: 'skip', ignoreQueryParameters: false, scrapeOptions: { maxAge: 1 } })
    const path = `/v2/crawl/${started.json.id}`
    await expect.poll(async () => (await trawl.call('GET', path)).json.status, { timeout: 30_000 }).toBe('completed')
    const { data } = (await trawl.call('GET', path)).json
    expect(data.map((one: Answered['json']) => one.metadata.url).sort()).toEqual([url, site.url('/page/1')].sort())
    expect(site.requests().filter((one) => one.path === '/cached/strong').map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"a"'])
  }, 60_000)

  it('can be returned again by the id of the answer', async () => {
    const url = page('strong')
    await trawl.scrape({ url })
    const second = await trawl.scrape({ url, maxAge: 1 })
    expect((await trawl.call('GET', `/v2/scrape/${second.json.data.metadata.scrapeId}`)).text).toBe(second.text)
  })
})

describe('a request is not conditional', () => {
  it.each([
    ['by a request that passes the cache by', { maxAge: 0 }],
    ['by a request with headers', { maxAge: 1, headers: { 'X-Tide': '1' } }],
  ])('%s', async (_name, options) => {
    const url = page('strong')
    await trawl.scrape({ url })
    await trawl.scrape({ url, ...options })
    expect(conditions()).toEqual([unasked, unasked])
  })

  it('if the site sent no validators', async () => {
    const url = page('bare')
    await trawl.scrape({ url })
    expect((await stale(url)).explain).toMatchObject(afresh)
    expect(conditions()).toEqual([unasked, unasked])
  })

  it('if only the cache may answer: the site is then not contacted', async () => {
    const url = page('strong')
    await trawl.scrape({ url })
    expect((await trawl.scrape({ url, lockdown: true, maxAge: 1 })).json.code).toBe('SCRAPE_LOCKDOWN_CACHE_MISS')
    expect(site.hits()).toBe(1)
  })
})

it('a request that stores nothing renews no cache entry', async () => {
  for (const option of [{ storeInCache: false }, { zeroDataRetention: true }]) {
    const url = page('strong')
    await trawl.scrape({ url })
    const cachedAt = async (): Promise<string> => (await trawl.scrape({ url, minAge: 1 })).json.data.metadata.cachedAt
    const before = await cachedAt()
    expect((await stale(url, option)).explain).toMatchObject(renewed)
    expect(await cachedAt()).toBe(before)
  }
})

describe('a page whose stored bytes are missing', () => {
  /** Deletes these blobs; all blobs if none are named. */
  function lose(...keys: string[]): void {
    const database = openDatabase(join(trawl.dataDir, 'trawl.db'), { timeout: 5_000 })
    const gone = database.prepare(keys.length === 0 ? 'delete from blobs returning key' : `delete from blobs where key in (${keys.map(() => '?').join()}) returning key`).all(...keys)
    database.close()
    expect(gone.length).toBeGreaterThan(0)
  }

  it('is fetched without a condition', async () => {
    const url = page('strong')
    await trawl.scrape({ url, formats: ['rawHtml'] })
    lose()
    expect(await stale(url, { formats: ['rawHtml'] })).toMatchObject({ rawHtml: expect.stringContaining('Edition a'), explain: afresh })
    expect(conditions()).toEqual([unasked, unasked])
    expect((await trawl.scrape({ url, formats: ['links'] })).json.data.metadata.cacheState).toBe('hit')
  })

  it('is fetched without a condition even if its formats are still stored', async () => {
    const url = page('strong')
    const first = await trawl.scrape({ url, formats: ['rawHtml'] })
    lose(createHash('sha256').update(first.json.data.rawHtml).digest('hex'))
    expect(await stale(url, { formats: ['rawHtml'] })).toMatchObject({ explain: afresh })
  })
})

describe('a site that answers', () => {
  it('a 304 with the tag of another page is asked once more', async () => {
    const url = page('lies/other')
    await trawl.scrape({ url })
    expect(await stale(url)).toMatchObject({ markdown: expect.stringContaining('# Edition a'), explain: afresh, metadata: { statusCode: 200 } })
    expect(conditions()).toEqual([unasked, ['"a"', undefined], unasked])
  })

  it('an unrequested 304 is asked once more, and believed if it repeats that', async () => {
    const url = page('lies/unasked')
    await trawl.scrape({ url })
    expect(await stale(url)).toMatchObject({ markdown: expect.stringContaining('# Edition a'), metadata: { statusCode: 200 } })
    const never = page('lies/always')
    await trawl.scrape({ url: never })
    expect((await stale(never)).metadata.statusCode).toBe(304)
    expect(conditions()).toEqual(Array.from({ length: 6 }, () => unasked))
    expect((await trawl.scrape({ url: never, minAge: 1 })).json.data).toMatchObject({ markdown: expect.stringContaining('# Edition a') })
  })

  it('a precondition failure is asked once more', async () => {
    const url = page('lies/precondition')
    await trawl.scrape({ url })
    expect(await stale(url)).toMatchObject({ markdown: expect.stringContaining('# Edition a'), explain: afresh, metadata: { statusCode: 200 } })
    expect(site.hits()).toBe(3)
  })
})
