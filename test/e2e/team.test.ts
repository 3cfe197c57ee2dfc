import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trawlCommand } from '../command.ts'
import { otherKey, startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let trawl: TestService
let client: Firecrawl
beforeAll(async () => {
  site = await startSite()
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_CREDITS: '20', TRAWL_ENTERPRISE_SEARCH_TEAMS: 'default', TRAWL_TEAM_CONCURRENCY: '7' } })
  client = new Firecrawl({ apiKey: testKey, apiUrl: trawl.base })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
})

describe('the information of a team about itself', () => {
  it('covers its usage, its running jobs and its history, for the official client', async () => {
    expect(await client.getCreditUsage()).toEqual({ remainingCredits: 20, planCredits: 20, billingPeriodStart: null, billingPeriodEnd: null })
    expect((await client.getCreditUsageHistorical()).periods).toEqual([])
    expect(await client.getQueueStatus()).toEqual({ success: true, jobsInQueue: 0, activeJobsInQueue: 0, waitingJobsInQueue: 0, maxConcurrency: 7, mostRecentSuccess: null })
    const document = await client.scrape(site.url('/article'))
    const batch = await client.batchScrape([site.url('/article'), site.url('/parts')], { pollInterval: 1 })
    expect((await client.getCreditUsage()).remainingCredits).toBe(17)
    expect((await client.getCreditUsageHistorical()).periods).toEqual([{ startDate: expect.stringMatching(/-01T00:00:00.000Z$/), endDate: expect.stringMatching(/-01T00:00:00.000Z$/), creditsUsed: 3, totalCredits: 3 }])
    expect((await client.getQueueStatus()).mostRecentSuccess).toMatch(/^\d{4}-/)
    const { json } = await trawl.call('GET', '/v2/team/activity?limit=1')
    expect(json).toEqual({ success: true, data: [{ id: batch.id, endpoint: 'batch_scrape', api_version: 'v2', created_at: expect.any(String), target: null }], cursor: expect.any(String), has_more: true })
    const rest = await trawl.call('GET', `/v2/team/activity?cursor=${json.cursor}`)
    expect(rest.json).toEqual({ success: true, data: [{ id: document.metadata?.scrapeId, endpoint: 'scrape', api_version: 'v2', created_at: expect.any(String), target: site.url('/article') }], cursor: null, has_more: false })
  })

  it('contains nothing of other teams', async () => {
    const other = new Firecrawl({ apiKey: otherKey, apiUrl: trawl.base })
    expect((await other.getCreditUsage()).remainingCredits).toBe(20)
    expect((await trawl.call('GET', '/v2/team/activity', undefined, { authorization: `Bearer ${otherKey}` })).json.data).toEqual([])
  })

  it('counts running requests', async () => {
    const before = site.hits('/slow/headers')
    const slow = trawl.scrape({ url: site.url('/slow/headers?ms=1500'), maxAge: 0 })
    await expect.poll(() => site.hits('/slow/headers')).toBe(before + 1)
    expect(await client.getConcurrency()).toMatchObject({ concurrency: 1, maxConcurrency: 7 })
    expect((await client.getQueueStatus()).activeJobsInQueue).toBe(1)
    await slow
  })

  it('counts credits by key, of scrapes and of the pages of jobs', async () => {
    const { periods } = await client.getCreditUsageHistorical(true)
    const period = { startDate: expect.stringMatching(/-01T00:00:00.000Z$/), endDate: expect.stringMatching(/-01T00:00:00.000Z$/) }
    expect(periods).toEqual([{ ...period, apiKey: 'seeded', apiKeyId: expect.any(String), creditsUsed: 4, totalCredits: 4 }])
  })

  it('lists its maps', async () => {
    const { json: map } = await trawl.call('POST', '/v2/map', { url: site.url('/links/star?n=2'), sitemap: 'skip' })
    const { json } = await trawl.call('GET', '/v2/team/activity?endpoint=map')
    expect(json.data).toEqual([{ id: map.id, endpoint: 'map', api_version: 'v2', created_at: expect.any(String), target: site.url('/links/star?n=2') }])
    expect((await trawl.call('GET', '/v2/team/activity?endpoint=agent')).status).toBe(400)
  })

  it('contains tokens, which are unlimited', async () => {
    expect(await client.getTokenUsage()).toEqual({ remainingTokens: 1_000_000_000, planTokens: 1_000_000_000, billingPeriodStart: null, billingPeriodEnd: null })
    expect((await client.getTokenUsageHistorical(true)).periods).toEqual([])
  })
})

describe('feedback', () => {
  it('is stored and listed', async () => {
    const jobId = '3d1f8c5e-0c5b-4f5e-9d9b-6f4b8c1f2a3b'
    const given = await trawl.call('POST', '/v2/feedback', { endpoint: 'scrape', jobId, rating: 'partial', note: 'no tables', origin: 'mcp' })
    const { id } = (await trawl.call('POST', '/v2/search', { query: 'tide' })).json
    const search = await trawl.call('POST', `/v2/search/${id}/feedback`, { rating: 'good' })
    expect([given.json, search.json]).toEqual([0, 1].map(() => ({ success: true, feedbackId: expect.any(String), creditsRefunded: 0 })))
    expect((await trawl.call('POST', '/v2/feedback', { endpoint: 'scrape', jobId, rating: 'splendid' })).status).toBe(400)
    const listed = await trawlCommand(['feedback'], { TRAWL_DATA_DIR: trawl.dataDir })
    expect(listed.stdout.trim().split('\n').map((line) => line.split('\t').slice(1))).toEqual([
      ['TEAM', 'ENDPOINT', 'RATING', 'FEEDBACK'],
      ['default', 'search', 'good', `{"rating":"good","endpoint":"search","jobId":"${id}"}`],
      ['default', 'scrape', 'partial', `{"endpoint":"scrape","jobId":"${jobId}","rating":"partial","note":"no tables","origin":"mcp"}`],
    ])
  })

  it("is only accepted for the team's own requests", async () => {
    const of = async (path: string, body: object, key = testKey): Promise<unknown> => {
      const { status, json } = await trawl.call('POST', path, body, { authorization: `Bearer ${key}` })
      return status === 200 ? 200 : [status, json.code]
    }
    const rating = { rating: 'good' }
    const { id } = (await trawl.call('POST', '/v2/search', { query: 'tide' })).json
    const unkept = (await trawl.call('POST', '/v2/search', { query: 'tide', enterprise: ['zdr'] })).json
    const page = (await trawl.scrape({ url: site.url('/article') })).json.data.metadata.scrapeId
    expect([await of(`/v2/search/${id}/feedback`, rating), await of(`/v2/search/${unkept.id}/feedback`, rating)]).toEqual([200, 200])
    expect([await of(`/v2/search/${id}/feedback`, rating, otherKey), await of('/v2/feedback', { endpoint: 'search', jobId: id, ...rating }, otherKey)]).toEqual([[403, 'FORBIDDEN'], [403, 'FORBIDDEN']])
    const none = [404, 'NOT_FOUND']
    expect([await of(`/v2/search/${unkept.id}/feedback`, rating, otherKey), await of(`/v2/search/${page}/feedback`, rating), await of('/v2/search/3d1f8c5e-0c5b-4f5e-9d9b-6f4b8c1f2a3b/feedback', rating)]).toEqual([none, none, none])
  })
})
