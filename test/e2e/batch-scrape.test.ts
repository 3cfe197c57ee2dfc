import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batched, gauge, jobEnd, leaves, linksTo, numbered, siteWith, startJob } from '../crawls.ts'
import { loopbackDnsServer } from '../dns-server.ts'
import { otherKey, startTrawl, testKey, type TestService } from '../service.ts'
import { htmlType, type Page } from '../site/page.ts'

let service: TestService
let client: Firecrawl
let names: Awaited<ReturnType<typeof loopbackDnsServer>>
beforeAll(async () => {
  names = await loopbackDnsServer()
  service = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', TRAWL_EGRESS_DNS_SERVERS: names.address, TRAWL_ZDR_TEAMS: 'default' } })
  client = new Firecrawl({ apiKey: testKey, apiUrl: service.base })
}, 60_000)
afterAll(async () => {
  await service.stop()
  names.close()
})

const kind = 'batch/scrape'
const unknown = '00000000-0000-4000-8000-000000000000'

describe('a batch', { timeout: 60_000 }, () => {
  it('scrapes each URL once and follows no links', async () => {
    const site = await siteWith({ '/a': linksTo('/c'), ...leaves('/b', '/c') })
    const batch = await client.batchScrape([site.url('/a'), site.url('/b'), site.url('/a'), site.url('/a#part')], { options: { formats: ['markdown'] }, pollInterval: 1, timeout: 60 })
    expect([batch.status, batch.total, batch.completed, batch.creditsUsed, batch.data.map(({ metadata }) => metadata?.sourceURL).sort()]).toEqual(['completed', 2, 2, 2, [site.url('/a'), site.url('/b')]])
    expect([site.hits('/a'), site.hits('/c'), site.hits('/robots.txt')]).toEqual([1, 0, 0])
  })

  it('skips and lists invalid URLs, or is refused because of them', async () => {
    const site = await siteWith(leaves('/a'))
    const urls = [site.url('/a'), 'no url', 'ftp://site.test/', '']
    const started = await client.startBatchScrape(urls)
    expect(started.invalidURLs).toEqual(['no url', 'ftp://site.test/', ''])
    expect(await jobEnd(service, started.id, { kind })).toMatchObject({ status: { status: 'completed', completed: 1, total: 1 }, skipped: [' invalid', 'ftp://site.test/ invalid', 'no url invalid'] })
    const strict = await service.call('POST', `/v2/${kind}`, { urls, ignoreInvalidURLs: false })
    expect([strict.status, strict.json.code, strict.json.details.map(({ path }: { path: unknown }) => path)]).toEqual([400, 'BAD_REQUEST', [['urls', 1], ['urls', 2], ['urls', 3]]])
    const many = await service.call('POST', `/v2/${kind}`, { urls: [site.url('/a'), ...Array.from({ length: 150 }, (_, i) => `no url ${i}`)], ignoreInvalidURLs: false })
    expect(many.json.details.map(({ path }: { path: unknown }) => path)).toEqual(Array.from({ length: 150 }, (_, i) => ['urls', i + 1]))
    const valid = await service.call('POST', `/v2/${kind}`, { urls: [site.url('/a')], ignoreInvalidURLs: false })
    expect([valid.status, 'invalidURLs' in valid.json]).toEqual([200, false])
    for (const none of [['no url', ''], []]) expect((await service.call('POST', `/v2/${kind}`, { urls: none })).status).toBe(400)
  })

  it('completes even if every page fails', async () => {
    const site = await siteWith({ '/cut': (_, answer) => answer.cut() })
    const job = await batched(service, { urls: [site.url('/cut'), 'http://harbour.nowhere/'], proxy: 'basic' })
    expect(job.status).toMatchObject({ status: 'completed', completed: 0, data: [], next: null })
    expect(job.errors.map((line) => line.split(' ')[1]).sort()).toEqual(['SCRAPE_DNS_RESOLUTION_ERROR', 'SCRAPE_SITE_ERROR'])
  })

  it('keeps both of two URLs that lead to one page, because both were requested', async () => {
    const site = await siteWith({ '/old': (_, answer) => answer.send(302, { location: '/new' }), ...leaves('/new') })
    expect(await batched(service, { urls: [site.url('/old'), site.url('/new')] })).toMatchObject({ paths: ['/new', '/old'], errors: [], skipped: [] })
  })

  it('accepts every scrape option at the top level', async () => {
    const shown: Page = (visit, answer) => answer.send(200, { 'content-type': htmlType }, `<html><head><title>T</title></head><body><nav>menu <a href="/nav">nav</a></nav><main><h1>${visit.headers['x-tide'] ?? 'none'}</h1><p class="ad">advertisement</p><p>The harbour office keeps the tide tables of the last hundred years. <img src="data:image/png;base64,AAAA" alt="dot"></p></main></body></html>`)
    const site = await siteWith({ '/a': shown, '/b': shown })
    const options = {
      formats: ['markdown', 'html', 'rawHtml', 'links', { type: 'attributes', selectors: [{ selector: 'h1', attribute: 'class' }] }], onlyMainContent: false, includeTags: ['main', 'nav'], excludeTags: ['.ad'], maxAge: 0, headers: { 'X-Tide': 'high' },
      waitFor: 0, timeout: 30_000, parsers: [], location: { country: 'US', languages: ['de'] }, removeBase64Images: true, blockAds: false, proxy: 'basic', storeInCache: false, skipTlsVerification: true, mobile: false, actions: [],
    }
    const job = await batched(service, { urls: [site.url('/a'), site.url('/b')], ...options })
    expect(job.status.data).toHaveLength(2)
    for (const page of job.status.data) {
      expect(page).toMatchObject({ markdown: expect.stringContaining('# high'), html: expect.any(String), rawHtml: expect.stringContaining('advertisement'), links: [site.url('/nav')], metadata: { proxyUsed: 'basic' } })
      expect([page.markdown.includes('advertisement'), page.markdown.includes('base64')]).toEqual([false, false])
    }
    expect(site.lastRequest('/a')?.headers['accept-language']).toMatch(/^de/)
    expect((await service.scrape({ url: site.url('/a'), minAge: 1 })).json.code).toBe('SCRAPE_NO_CACHED_DATA')
    const refused = await service.call('POST', `/v2/${kind}`, { urls: [site.url('/a')], scrapeOptions: {} })
    expect(refused.status).toBe(400)
  })

  it('scrapes as many pages at once as maxConcurrency says', async () => {
    const [paths, { over, most }] = [numbered(10), gauge(2)]
    const site = await siteWith(Object.fromEntries(paths.map((path) => [path, over(linksTo())])))
    expect([(await batched(service, { urls: paths.map(site.url), maxConcurrency: 2 })).paths.length, most()]).toEqual([10, 2])
  })

  it('of a thousand URLs on many hosts delivers each exactly once over the pages of the answer', async () => {
    const site = await siteWith(leaves(...numbered(1_000)))
    const urls = numbered(1_000).map((path, i) => `http://host-${i % 50}.test:${site.port}${path}`)
    const batch = await client.batchScrape(urls, { options: { formats: ['markdown'] }, pollInterval: 1, timeout: 120 })
    expect([batch.status, batch.completed, batch.data.length]).toEqual(['completed', 1_000, 1_000])
    expect(new Set(batch.data.map(({ metadata }) => metadata?.sourceURL))).toEqual(new Set(urls))
    expect(numbered(1_000).every((path) => site.hits(path) === 1)).toBe(true)
  }, 150_000)
})

describe('appendToId', { timeout: 60_000 }, () => {
  const running = async (options: object = {}) => {
    const held = gauge(2)
    const site = await siteWith({ '/held': held.over(linksTo()), ...leaves('/a', '/b') })
    const id = await startJob(service, kind, { urls: [site.url('/held')], ...options })
    return { site, id, free: () => fetch(site.url('/held')) }
  }

  it('adds URLs to a running batch, even those that it has already skipped', async () => {
    const { site, id, free } = await running({ formats: ['html'] })
    const added = await service.call('POST', `/v2/${kind}`, { urls: [site.url('/a'), site.url('/held'), 'nonsense', site.url('/b'), site.url('/a#twice')], appendToId: id })
    expect(added.json).toEqual({ success: true, id, url: `${service.base}/v2/${kind}/${id}`, invalidURLs: ['nonsense'] })
    await free()
    const job = await jobEnd(service, id, { kind })
    expect(job).toMatchObject({ status: { status: 'completed', total: 3, completed: 3 }, paths: ['/a', '/b', '/held'], skipped: ['/a#twice duplicate', '/held duplicate', 'nonsense invalid'] })
    // The options of the batch apply.
    expect(job.status.data.map((page: object) => ['html' in page, 'markdown' in page])).toEqual([[true, false], [true, false], [true, false]])
  })

  it('reports what it ignores', async () => {
    const { site, id, free } = await running()
    const added = await service.call('POST', `/v2/${kind}`, { urls: [site.url('/a')], appendToId: id, fastMode: true })
    await free()
    expect(added.json).toMatchObject({ success: true, id, warning: 'Ignored, not supported here: fastMode.' })
  })

  it('is refused for a batch that has ended, belongs to another team or does not exist, and with other options', async () => {
    const { site, id, free } = await running({ formats: ['html'] })
    const append = (to: string, more: object = {}, key = testKey) => service.call('POST', `/v2/${kind}`, { urls: [site.url('/a')], appendToId: to, ...more }, { authorization: `Bearer ${key}` })
    const crawl = await startJob(service, 'crawl', { url: site.url('/b') })
    const answers = [await append(id, {}, otherKey), await append(unknown), await append(crawl), await append(id, { formats: ['links'] }), await append(id, { formats: ['html'] }), await append('nonsense')]
    await free()
    await jobEnd(service, id, { kind })
    answers.push(await append(id))
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual([
      [403, 'FORBIDDEN'], [404, 'NOT_FOUND'], [404, 'NOT_FOUND'], [400, 'BAD_REQUEST'], [200, undefined], [400, 'BAD_REQUEST'], [409, 'JOB_ALREADY_FINISHED'],
    ])
  })
})
