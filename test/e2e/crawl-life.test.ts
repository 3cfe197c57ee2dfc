import { createHmac } from 'node:crypto'
import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gauge, jobEnd, leaves, linksTo, numbered, siteWith, startJob } from '../crawls.ts'
import { otherKey, startTrawl, testKey, type TestService } from '../service.ts'
import type { Site } from '../site/index.ts'
import type { Page } from '../site/page.ts'

let service: TestService
beforeAll(async () => {
  service = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', TRAWL_WEBHOOK_SECRET: 'hush' } })
}, 60_000)
afterAll(() => service.stop())

interface Told {
  readonly type: string
  readonly success: boolean
  readonly id: string
  readonly webhookId: string
  readonly data: readonly { readonly markdown?: string; readonly metadata: { readonly sourceURL: string } }[]
  readonly metadata: object
}
const hook: Page = (_, answer) => answer.send(200, {})
const toldOf = (site: Site): readonly Told[] => site.requests().filter(({ path }) => path === '/hook').map(({ body }) => JSON.parse(body) as Told)
const never: Page = (visit) => visit.later(600_000)
const isOver = (type: string): boolean => /\.(completed|failed|cancelled)$/.test(type)

describe('the webhook of a crawl', { timeout: 60_000 }, () => {
  it('receives the start, each page as it is delivered, and finally the end, all signed', async () => {
    const site = await siteWith({ '/': linksTo('/a', '/b', '/cut'), ...leaves('/a', '/b'), '/cut': (_, answer) => answer.cut(), '/hook': hook })
    const id = await startJob(service, 'crawl', { url: site.url('/'), scrapeOptions: { proxy: 'basic' }, webhook: { url: site.url('/hook'), headers: { 'X-Tide': 'high' }, metadata: { order: 7 } } })
    const job = await jobEnd(service, id)
    await expect.poll(() => toldOf(site).some(({ type }) => isOver(type)), { timeout: 20_000 }).toBe(true)
    const told = toldOf(site)
    expect(told.map(({ type }) => type)).toEqual(['crawl.started', 'crawl.page', 'crawl.page', 'crawl.page', 'crawl.page', 'crawl.completed'])
    expect([new Set(told.map(({ webhookId }) => webhookId)).size, new Set(told.map((one) => `${one.id} ${JSON.stringify(one.metadata)}`))]).toEqual([6, new Set([`${id} {"order":7}`])])
    const pages = told.filter(({ type, success }) => type === 'crawl.page' && success).map(({ data }) => data[0]?.metadata.sourceURL)
    expect([...pages].sort()).toEqual(job.status.data.map(({ metadata }: { metadata: { sourceURL: string } }) => metadata.sourceURL).sort())
    expect(told.find(({ type, success }) => type === 'crawl.page' && !success)).toMatchObject({ data: [{ metadata: { sourceURL: site.url('/cut') } }], error: expect.any(String) })
    for (const { body, headers } of site.requests().filter(({ path }) => path === '/hook')) {
      expect([headers['x-service-signature'], headers['x-tide']]).toEqual([`sha256=${createHmac('sha256', 'hush').update(body).digest('hex')}`, 'high'])
    }
  })

  it('receives only the events that it asks for', async () => {
    const site = await siteWith({ '/': linksTo('/a'), ...leaves('/a'), '/hook': hook })
    await jobEnd(service, await startJob(service, 'crawl', { url: site.url('/'), webhook: { url: site.url('/hook'), events: ['completed'] } }))
    await expect.poll(() => toldOf(site).length, { timeout: 20_000 }).toBe(1)
    expect(toldOf(site)[0]).toMatchObject({ type: 'crawl.completed', success: true, data: [] })
  })

  it('receives the failure of a crawl with its reason', async () => {
    const site = await siteWith({ '/hook': hook, '/': (_, answer) => answer.cut() })
    await jobEnd(service, await startJob(service, 'crawl', { url: site.url('/'), scrapeOptions: { proxy: 'basic' }, webhook: { url: site.url('/hook'), events: ['crawl.failed'] } }))
    await expect.poll(() => toldOf(site).length, { timeout: 20_000 }).toBe(1)
    expect(toldOf(site)[0]).toMatchObject({ type: 'crawl.failed', success: false, data: [], error: expect.any(String) })
  })

  it('is refused in a private network that is not allowed', async () => {
    const answer = await service.call('POST', '/v2/crawl', { url: 'http://site.test/', webhook: 'http://10.1.2.3/hook' })
    expect([answer.status, answer.json.code]).toEqual([400, 'BAD_REQUEST'])
  })
})

describe('a running crawl', { timeout: 60_000 }, () => {
  it('is listed among the active crawls of its team, with its options, until it ends', async () => {
    const held = gauge(2)
    const site = await siteWith({ '/': held.over(linksTo()) })
    const id = await startJob(service, 'crawl', { url: site.url('/'), limit: 7, scrapeOptions: { formats: ['html'] } })
    const lists = await Promise.all(['active', 'ongoing'].map((path) => service.call('GET', `/v2/crawl/${path}`)))
    for (const { json } of lists) expect(json.crawls.find((one: { id: string }) => one.id === id)).toMatchObject({ teamId: 'default', url: site.url('/'), options: { limit: 7, scrapeOptions: { formats: [{ type: 'html' }] } } })
    const foreign = await service.call('GET', '/v2/crawl/active', undefined, { authorization: `Bearer ${otherKey}` })
    expect(foreign.json.crawls).toEqual([])
    await fetch(site.url('/'))
    await jobEnd(service, id)
    expect((await new Firecrawl({ apiKey: testKey, apiUrl: service.base }).getActiveCrawls()).crawls.map((one) => one.id)).not.toContain(id)
  })

  it('returns the pages so far, and where to read on', async () => {
    const site = await siteWith({ '/': linksTo('/a', '/b', '/held'), ...leaves('/a', '/b'), '/held': never })
    const id = await startJob(service, 'crawl', { url: site.url('/') })
    await expect.poll(async () => (await service.call('GET', `/v2/crawl/${id}`)).json.completed, { timeout: 20_000 }).toBe(3)
    const { json } = await service.call('GET', `/v2/crawl/${id}?limit=2`)
    expect(json).toMatchObject({ status: 'scraping', total: 4, completed: 3, creditsUsed: 3, next: `${service.base}/v2/crawl/${id}?skip=2&limit=2` })
    const rest = await service.call('GET', json.next.slice(service.base.length))
    expect([rest.json.data.length, rest.json.next]).toEqual([1, `${service.base}/v2/crawl/${id}?skip=3&limit=2`])
    expect((await service.call('GET', rest.json.next.slice(service.base.length))).json).toMatchObject({ data: [], next: null })
    expect(await new Firecrawl({ apiKey: testKey, apiUrl: service.base }).cancelCrawl(id)).toBe(true)
  })

  it('can be cancelled: results stay, waiting pages are dropped, running pages are aborted, the webhook is called', async () => {
    const paths = numbered(10)
    let asked = 0
    const held: Page = async (visit, answer) => {
      asked += 1
      await visit.later(600_000)
      answer.end()
    }
    const site = await siteWith({ '/': linksTo('/done', ...paths), ...leaves('/done'), ...Object.fromEntries(paths.map((path) => [path, held])), '/hook': hook })
    const id = await startJob(service, 'crawl', { url: site.url('/'), maxConcurrency: 4, sitemap: 'skip', webhook: { url: site.url('/hook'), events: ['cancelled'] } })
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(4)
    await expect.poll(async () => (await service.call('GET', `/v2/crawl/${id}`)).json.completed, { timeout: 20_000 }).toBe(2)
    expect((await service.call('DELETE', `/v2/crawl/${id}`)).json).toEqual({ success: true, status: 'cancelled' })
    const job = await jobEnd(service, id)
    expect(job).toMatchObject({ status: { status: 'cancelled', completed: 2, total: 12, next: null }, paths: ['/', '/done'] })
    // Running pages are listed, too, once they have been aborted.
    await expect.poll(async () => (await jobEnd(service, id)).skipped, { timeout: 20_000 }).toEqual(paths.map((path) => `${path} cancelled`))
    await expect.poll(() => toldOf(site).map(({ type }) => type), { timeout: 20_000 }).toEqual(['crawl.cancelled'])
    expect(asked).toBe(4)
    expect((await service.call('DELETE', `/v2/crawl/${id}`)).json).toEqual({ success: true, status: 'cancelled' })
  })

  it('cannot be read or cancelled by another team', async () => {
    const site = await siteWith({ '/': linksTo() })
    const id = await startJob(service, 'crawl', { url: site.url('/') })
    const headers = { authorization: `Bearer ${otherKey}` }
    const answers = [...(await Promise.all(['', '/errors', '/events', '/export'].map((path) => service.call('GET', `/v2/crawl/${id}${path}`, undefined, headers)))), await service.call('DELETE', `/v2/crawl/${id}`, undefined, headers)]
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual(answers.map(() => [403, 'FORBIDDEN']))
    await jobEnd(service, id)
    const ended = await service.call('DELETE', `/v2/crawl/${id}`)
    expect([ended.status, ended.json.code]).toEqual([409, 'JOB_ALREADY_FINISHED'])
  })
})

describe('the log of a crawl', { timeout: 60_000 }, () => {
  it('is sent as events that can be resumed, and its results are exported line by line', async () => {
    const site = await siteWith({ '/': linksTo(...numbered(4)), ...leaves(...numbered(4)) })
    const id = await startJob(service, 'crawl', { url: site.url('/') })
    const all = await service.call('GET', `/v2/crawl/${id}/events`)
    const ids = [...all.text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number))
    expect([ids, [...all.text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type)]).toEqual([[1, 2, 3, 4, 5, 6, 7], ['started', 'page', 'page', 'page', 'page', 'page', 'completed']])
    const rest = await service.call('GET', `/v2/crawl/${id}/events`, undefined, { 'last-event-id': '5' })
    expect(rest.text.slice(rest.text.indexOf('event:'))).toBe(all.text.slice(all.text.indexOf('event: page\nid: 6\n')))
    const lines = (await service.call('GET', `/v2/crawl/${id}/export`)).text.trim().split('\n').map((line) => JSON.parse(line) as unknown)
    expect(lines).toEqual((await jobEnd(service, id)).status.data)
  })

  it('contains, for each URL that was not fetched, the reason', async () => {
    const robots: Page = (_, answer) => answer.send(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /d/hidden')
    const links = ['/up', '/d/out', '/d/no', '/d/hidden', 'http://far.example/x', '/d/twin', '/d/twin-again', '/d/a', '/d/late', 'mailto:a@b.example', 'http://[bad']
    const twin: Page = (_, answer) => answer.send(302, { location: '/d/one' })
    const site = await siteWith({ '/robots.txt': robots, '/d/': linksTo(...links), ...leaves('/d/one', '/d/late'), '/d/a': linksTo('/d/deep'), '/d/twin': twin, '/d/twin-again': twin })
    const id = await startJob(service, 'crawl', { url: site.url('/d/'), excludePaths: ['/out'], includePaths: ['/$', 'twin', 'one', '/a$', 'deep', 'late', 'hidden', 'out'], maxDiscoveryDepth: 1, limit: 3, maxConcurrency: 1, sitemap: 'skip' })
    const { skipped, paths, robotsBlocked } = await jobEnd(service, id)
    expect([paths, robotsBlocked]).toEqual([['/d/', '/d/a', '/d/twin'], ['/d/hidden']])
    expect(skipped).toEqual(['/d/deep depth', '/d/hidden robots', '/d/late limit', '/d/no not-included', '/d/out excluded', '/d/twin-again duplicate', '/up path', 'http://[bad invalid', 'http://far.example/x external', 'mailto:a@b.example scheme'])
  })
})
