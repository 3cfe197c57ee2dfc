import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { otherKey, startTrawl, type TestService } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let trawl: TestService

beforeAll(async () => {
  site = await startSite()
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_ZDR_TEAMS: 'default' } })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
})
beforeEach(() => site.reset())

let serial = 0
/** A page that no other test has requested. */
const fresh = (): string => site.url(`/page/cache-${++serial}`)
const pathOf = (url: string): string => new URL(url).pathname

describe('the cache', () => {
  it('answers a repeat without contacting the site', async () => {
    const url = fresh()
    const first = await trawl.scrape({ url })
    const second = await trawl.scrape({ url })
    expect(site.hits(pathOf(url))).toBe(1)
    expect(first.json.data.metadata.cacheState).toBe('miss')
    expect(second.json.data.metadata).toMatchObject({ cacheState: 'hit', creditsUsed: 1 })
    expect(second.json.data.metadata.cachedAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(second.json.data.markdown).toBe(first.json.data.markdown)
  })

  it('does not reveal the URL fragment of another request', async () => {
    const url = fresh()
    await trawl.scrape({ url: `${url}#secret`, formats: ['markdown', 'links', 'product'] })
    const second = await trawl.scrape({ url, formats: ['markdown', 'links', 'product'] })
    expect(second.json.data.metadata).toMatchObject({ cacheState: 'hit', sourceURL: url, url })
    expect(second.text).not.toContain('secret')
    const third = await trawl.scrape({ url: `${url}#mine` })
    expect(third.json.data.metadata).toMatchObject({ cacheState: 'hit', sourceURL: `${url}#mine`, url: `${url}#mine` })
  })

  it('does not reveal the URL fragment of another request to a crawl', async () => {
    const url = fresh()
    await trawl.scrape({ url: `${url}#secret` })
    const { id } = (await trawl.call('POST', '/v2/crawl', { url, limit: 1, sitemap: 'skip' })).json
    const { json } = await vi.waitUntil(async () => {
      const answer = await trawl.call('GET', `/v2/crawl/${id}`)
      return answer.json.status === 'completed' && answer
    }, { timeout: 20_000 })
    expect(json.data).toMatchObject([{ metadata: { cacheState: 'hit', sourceURL: url, url } }])
  }, 30_000)

  it('derives another format from the same capture', async () => {
    const url = fresh()
    await trawl.scrape({ url })
    const other = await trawl.scrape({ url, formats: ['rawHtml', 'links', 'html'], onlyMainContent: false })
    expect(other.json.data.metadata.cacheState).toBe('hit')
    expect(other.json.data.rawHtml).toContain('<!doctype html>')
    expect(site.hits(pathOf(url))).toBe(1)
  })

  it('separates captures that were fetched with different options', async () => {
    const url = fresh()
    await trawl.scrape({ url })
    await trawl.scrape({ url, location: { country: 'DE' } })
    expect(site.hits(pathOf(url))).toBe(2)
  })

  it('is bypassed by maxAge: 0, and then not mentioned', async () => {
    const url = fresh()
    await trawl.scrape({ url })
    const again = await trawl.scrape({ url, maxAge: 0 })
    expect(site.hits(pathOf(url))).toBe(2)
    expect(again.json.data.metadata.cacheState).toBeUndefined()
  })

  it('is not filled with storeInCache: false, nor with headers', async () => {
    for (const option of [{ storeInCache: false }, { headers: { 'X-Tide': '1' } }, { zeroDataRetention: true }]) {
      const url = fresh()
      await trawl.scrape({ url, ...option })
      const later = await trawl.scrape({ url, minAge: 1 })
      expect([later.status, later.json.code]).toEqual([404, 'SCRAPE_NO_CACHED_DATA'])
    }
  })

  it('does not serve a request with headers', async () => {
    const url = fresh()
    await trawl.scrape({ url })
    await trawl.scrape({ url, headers: { Cookie: 'a=b' } })
    expect(site.hits(pathOf(url))).toBe(2)
  })

  it('does not store error pages or pages that are not the requested ones', async () => {
    for (const path of ['/status/404', '/walls/challenge']) {
      await trawl.scrape({ url: site.url(path), proxy: 'basic' })
      const later = await trawl.scrape({ url: site.url(path), proxy: 'basic', minAge: 1 })
      expect(later.status).toBe(404)
    }
  }, 60_000)

  it('is separate for each team', async () => {
    const url = fresh()
    await trawl.scrape({ url })
    const other = await trawl.scrape({ url, minAge: 1 }, { authorization: `Bearer ${otherKey}` })
    expect(other.json.code).toBe('SCRAPE_NO_CACHED_DATA')
  })
})

describe('minAge', () => {
  it('never contacts the site: 1 accepts any entry, larger values only an older one', async () => {
    const url = fresh()
    expect((await trawl.scrape({ url, minAge: 1 })).json.code).toBe('SCRAPE_NO_CACHED_DATA')
    expect(site.hits()).toBe(0)
    await trawl.scrape({ url })
    expect((await trawl.scrape({ url, minAge: 1 })).status).toBe(200)
    expect((await trawl.scrape({ url, minAge: 3_600_000 })).json.code).toBe('SCRAPE_NO_CACHED_DATA')
    expect(site.hits(pathOf(url))).toBe(1)
  })
})

describe('lockdown', () => {
  it('answers from the cache only, at its own prices, and leaves nothing behind', async () => {
    const url = fresh()
    await trawl.scrape({ url })
    const hit = await trawl.scrape({ url, lockdown: true, formats: ['links', 'markdown'] })
    expect(hit.status).toBe(200)
    expect(hit.json.data.metadata).toMatchObject({ cacheState: 'hit', creditsUsed: 5 })
    const later = await trawl.call('GET', `/v2/scrape/${hit.json.data.metadata.scrapeId}`)
    expect(later.status).toBe(404)
  })

  it('misses without resolving the name, and never logs the URL', async () => {
    const answer = await trawl.scrape({ url: 'https://never-looked-up.invalid-example.com/secret-path', lockdown: true })
    expect([answer.status, answer.json.code]).toEqual([404, 'SCRAPE_LOCKDOWN_CACHE_MISS'])
    expect(trawl.output()).not.toMatch(/secret-path|never-looked-up/)
  })
})

describe('zero data retention', () => {
  it('stores no result and logs no URL, for teams that may use it', async () => {
    const url = fresh()
    const answer = await trawl.scrape({ url, zeroDataRetention: true })
    expect(answer.json.data.metadata.creditsUsed).toBe(2)
    expect((await trawl.call('GET', `/v2/scrape/${answer.json.data.metadata.scrapeId}`)).json.code).toBe('NOT_FOUND')
    expect(trawl.output()).not.toContain(pathOf(url))
    const refused = await trawl.scrape({ url, zeroDataRetention: true }, { authorization: `Bearer ${otherKey}` })
    expect([refused.status, refused.json.code]).toEqual([403, 'FORBIDDEN'])
  })
})

describe('GET /v2/scrape/{id}', () => {
  it('returns the bytes of the first answer to its team, and 403 without data to another', async () => {
    const first = await trawl.scrape({ url: fresh(), formats: ['markdown', 'links'] })
    const path = `/v2/scrape/${first.json.data.metadata.scrapeId}`
    expect((await trawl.call('GET', path)).text).toBe(first.text)
    const foreign = await trawl.call('GET', path, undefined, { authorization: `Bearer ${otherKey}` })
    expect([foreign.status, Object.keys(foreign.json).sort()]).toEqual([403, ['code', 'error', 'requestId', 'success']])
    expect((await trawl.call('GET', '/v2/scrape/00000000-0000-4000-8000-000000000000')).json.code).toBe('NOT_FOUND')
    expect((await trawl.call('GET', '/v2/scrape/not-an-id')).json.code).toBe('BAD_REQUEST')
  })

  it('returns the bytes of an answer from the cache, not those of the first', async () => {
    const url = fresh()
    const first = await trawl.scrape({ url })
    const hit = await trawl.scrape({ url })
    const other = await trawl.scrape({ url, formats: ['links'], explain: true })
    const otherHit = await trawl.scrape({ url, formats: ['links'], explain: true })
    const bodies = [first, hit, other, otherHit]
    expect(bodies.map(({ json }) => json.data.metadata.cacheState)).toEqual(['miss', 'hit', 'hit', 'hit'])
    const stored = await Promise.all(bodies.map(({ json }) => trawl.call('GET', `/v2/scrape/${json.data.metadata.scrapeId}`)))
    expect(stored.map(({ text }) => text)).toEqual(bodies.map(({ text }) => text))
    expect(new Set(bodies.map(({ text }) => text)).size).toBe(4)
  })
})

describe('idempotency keys', () => {
  it('replay the first answer, refuse another body, and are separate for each team', async () => {
    const url = fresh()
    const headers = { 'x-idempotency-key': 'tide-1' }
    const first = await trawl.scrape({ url, maxAge: 0 }, headers)
    const again = await trawl.scrape({ url, maxAge: 0 }, headers)
    expect(again.text).toBe(first.text)
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([null, 'true'])
    expect(site.hits(pathOf(url))).toBe(1)
    const other = await trawl.scrape({ url, maxAge: 0, onlyMainContent: false }, headers)
    expect([other.status, other.json.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect((await trawl.scrape({ url, maxAge: 0 }, { ...headers, authorization: `Bearer ${otherKey}` })).headers.get('idempotent-replayed')).toBeNull()
  })

  it('refuse a repeat while the first is running', async () => {
    const headers = { 'x-idempotency-key': 'tide-2' }
    const body = { url: site.url('/slow/headers?ms=700'), maxAge: 0 }
    const first = trawl.scrape(body, headers)
    await expect.poll(() => site.hits('/slow/headers')).toBe(1)
    const second = await trawl.scrape(body, headers)
    expect([second.status, second.json.code, second.headers.get('retry-after')]).toEqual([409, 'IDEMPOTENCY_CONFLICT', '1'])
    expect((await first).status).toBe(200)
  })

  it('allow a failed request to be retried, and run zero-retention requests each time', async () => {
    const failing = { 'x-idempotency-key': 'tide-3' }
    const slow = { url: site.url('/slow/never'), timeout: 1000 }
    expect((await trawl.scrape(slow, failing)).status).toBe(408)
    expect((await trawl.scrape(slow, failing)).status).toBe(408)
    const url = fresh()
    const zero = { 'x-idempotency-key': 'tide-4' }
    await trawl.scrape({ url, zeroDataRetention: true, maxAge: 0 }, zero)
    await trawl.scrape({ url, zeroDataRetention: true, maxAge: 0 }, zero)
    expect(site.hits(pathOf(url))).toBe(2)
  })
})
