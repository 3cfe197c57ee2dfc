import { describe, expect, it } from 'vitest'
import { BatchRequest } from './batch.ts'
import { VersionPath } from './changes.ts'
import { JobPath, targetUrlOf } from './common.ts'
import { CrawlRequest } from './crawl.ts'
import { BatchOrCrawlPath, EventsQuery, StatusQuery } from './jobs.ts'
import { limits } from './limits.ts'
import { MapRequest } from './map.ts'
import { ScrapeRequest } from './scrape.ts'
import { FeedbackRequest } from './team.ts'

const url = 'https://example.com/'
const { url: _url, explain: _explain, ...scrapeDefaults } = ScrapeRequest.parse({ url })
const all = ['started', 'page', 'completed', 'failed', 'cancelled']
const webhookOf = (webhook: unknown): unknown => CrawlRequest.parse({ url, webhook }).webhook
const fails = (body: object): boolean => !CrawlRequest.safeParse({ url, ...body }).success

describe('the request of a crawl', () => {
  it('has the defaults of the specification', () => {
    expect(CrawlRequest.parse({ url })).toEqual({
      url, regexOnFullURL: false, sitemap: 'include', ignoreQueryParameters: false, deduplicateSimilarURLs: true, crawlEntireDomain: false,
      allowExternalLinks: false, allowSubdomains: false, ignoreRobotsTxt: false, scrapeOptions: scrapeDefaults, zeroDataRetention: false,
    })
  })

  it('has zero data retention for its pages, too, and vice versa', () => {
    for (const body of [{ zeroDataRetention: true }, { scrapeOptions: { zeroDataRetention: true } }]) {
      expect(CrawlRequest.parse({ url, ...body })).toMatchObject({ zeroDataRetention: true, scrapeOptions: { zeroDataRetention: true } })
    }
  })

  it.each([
    { limit: 0 }, { limit: 1.5 }, { limit: '5' }, { maxDiscoveryDepth: -1 }, { delay: 0 }, { delay: 61 }, { maxConcurrency: 0 }, { sitemap: 'all' }, { includePaths: '/a' },
    { includePaths: [1] }, { excludePaths: Array.from({ length: 1_001 }, () => 'a') }, { prompt: 'x'.repeat(10_001) }, { robotsUserAgent: '' },
    { scrapeOptions: { waitFor: 60_001 } }, { scrapeOptions: { unknown: 1 } }, { zeroDataRetention: true, scrapeOptions: { onlyCleanContent: true } }, { zeroDataRetention: true, scrapeOptions: { formats: ['markdown', 'changeTracking'] } }, { zeroDataRetention: true, scrapeOptions: { profile: { name: 'mine' } } }, { formats: ['markdown'] }, { maxDepth: 1 }, { url: 'ftp://a.test' },
  ])('refuses %j', (body) => expect(fails(body)).toBe(true))
})

it('the id of a job may be written in upper case', () => {
  const id = '01f0d9aa-3b6c-4f1e-9d2a-5c7b8e9fabcd'
  expect([BatchOrCrawlPath.parse({ id: id.toUpperCase() }), JobPath.parse({ jobId: id.toUpperCase() }), BatchRequest.parse({ urls: [url], appendToId: id.toUpperCase() }).appendToId]).toEqual([{ id }, { jobId: id }, id])
  expect([VersionPath.parse({ id: id.toUpperCase() }).id, FeedbackRequest.parse({ endpoint: 'scrape', jobId: id.toUpperCase(), rating: 'good' }).jobId]).toEqual([id, id])
})

describe('a webhook', () => {
  it('may be a URL or an object', () => {
    expect(webhookOf('http://127.0.0.1:9/x')).toEqual({ url: 'http://127.0.0.1:9/x', headers: {}, metadata: {}, events: all })
    const webhook = { url: 'https://r.test/', headers: { Authorization: 'Bearer x' }, metadata: { user: { id: 1 }, none: null }, events: ['crawl.page', 'page', 'completed'] }
    expect(webhookOf(webhook)).toEqual({ ...webhook, events: ['page', 'completed'] })
  })

  it('subscribes to all events if it names none', () => expect(webhookOf({ url, events: [] })).toMatchObject({ events: all }))

  it('ignores the media type header, which is sent anyway', () => {
    expect(webhookOf({ url, headers: { 'Content-Type': 'application/json; charset=utf-8', 'X-A': '1' } })).toMatchObject({ headers: { 'X-A': '1' } })
  })

  it.each([
    '', 'r.test', '//r.test/', 'ftp://r.test/', 'http://', 'http://a:b@r.test/', 'javascript:alert(1)', 5, {}, { url, unknown: 1 },
    { url, events: ['crawl.paged'] }, { url, events: ['batch_scrape.page'] }, { url, events: 'page' },
    { url, metadata: [] }, { url, metadata: { text: 'x'.repeat(limits.webhookMetadata) } },
    ...['Host', 'content-length', 'Transfer-Encoding', 'Connection', 'X-Service-Signature', 'x-firecrawl-signature', 'webhook-signature', 'TE', 'Upgrade', '', 'a b', 'a:', 'ä'].map((name) => ({ url, headers: { [name]: 'x' } })),
    ...['a\r\nHost: x', 'a\nb', 'a\0b', '€'].map((value) => ({ url, headers: { 'X-A': value } })),
    { url, headers: { 'Content-Type': 'text/plain' } }, { url, headers: { 'X-A': 1 } },
  ])('is refused: %j', (webhook) => expect(fails({ webhook })).toBe(true))
})

describe('the request of a batch', () => {
  it('has scrape options at top level and their defaults', () => {
    expect(BatchRequest.parse({ urls: ['not a url', url] })).toEqual({ urls: ['not a url', url], ignoreInvalidURLs: true, ...scrapeDefaults })
  })

  it('knows its own events', () => expect(BatchRequest.parse({ urls: [url], webhook: { url, events: ['batch_scrape.failed'] } }).webhook?.events).toEqual(['failed']))

  it.each([
    {}, { urls: [] }, { urls: [5] }, { urls: url }, { urls: Array.from({ length: 50_001 }, () => 'x') }, { urls: [url], appendToId: 'x' }, { urls: [url], maxConcurrency: 0 },
    { urls: [url], ignoreInvalidURLs: 'no' }, { urls: [url], scrapeOptions: {} }, { urls: [url], onlyCleanContent: true, zeroDataRetention: true }, { urls: [url], url },
  ])('refuses %j', (body) => expect(BatchRequest.safeParse(body).success).toBe(false))

  it('takes fifty thousand URLs', () => expect(BatchRequest.safeParse({ urls: Array.from({ length: 50_000 }, (_, i) => `https://a.test/${i}`) }).success).toBe(true))
})

describe('the URL of a request', () => {
  it('gets a scheme if it has none', () => expect(targetUrlOf(' example.com/a ')).toEqual({ url: 'http://example.com/a', parsed: new URL('http://example.com/a') }))
  it.each(['', 'x', 'ftp://a.test/', 'http://a:b@c.test/', `http://a.test/${'x'.repeat(limits.urlLength)}`, `http://a.test/${'ü'.repeat(limits.urlLength / 4)}`, ' '.repeat(100_000)])('is not %s', (text) => expect(targetUrlOf(text)).toEqual({ fault: expect.any(String) as string })) // an asymmetric matcher
})

describe('the request of a map', () => {
  it('has the defaults of the specification', () => {
    expect(MapRequest.parse({ url })).toEqual({ url, sitemap: 'include', includeSubdomains: true, ignoreQueryParameters: true, ignoreCache: false, limit: 5_000, filterByPath: true, regexOnFullURL: false })
  })
  it.each([{ limit: 0 }, { limit: 100_001 }, { timeout: 0 }, { search: 5 }, { location: { country: 'XX' } }, { scrapeOptions: {} }])('refuses %j', (body) => expect(MapRequest.safeParse({ url, ...body }).success).toBe(false))
})

describe('the numbers of a query', () => {
  it('are parsed', () => expect(StatusQuery.parse({ skip: '20', limit: '1000' })).toEqual({ skip: 20, limit: 1_000 }))
  it.each([{ skip: '-1' }, { skip: '1e3' }, { skip: '' }, { skip: '1.5' }, { limit: '0' }, { limit: '1001' }, { skip: ['1', '2'] }, { page: '1' }])('are refused: %j', (query) => expect(StatusQuery.safeParse(query).success).toBe(false))
  it('may be zero for an event', () => expect(EventsQuery.parse({ lastEventId: '0' })).toEqual({ lastEventId: 0 }))
})
