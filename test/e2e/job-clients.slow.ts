import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Firecrawl } from 'firecrawl'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type JobEdge, openJobEdge, until } from '../job-edge.ts'
import { clients, newerNode } from '../newer-node.ts'
import { testKey } from '../service.ts'

const unknown = '00000000-0000-4000-8000-000000000000'

let edge: JobEdge
let client: Firecrawl

beforeEach(async () => {
  edge = await openJobEdge({
    startCrawl: async (request, { id, baseUrl }) => ({ id: await edge.fake.start({ id, baseUrl, url: request.url }) }),
    startBatch: async (request, { id, baseUrl }) => ({ id: await edge.fake.start({ id, baseUrl, kind: 'batch' }), invalidURLs: request.urls.filter((url) => !url.includes('.')) }),
    map: async ({ id, request }) => Buffer.from(JSON.stringify({ success: true, id, links: [{ url: request.url, title: 'Start' }] })),
  })
  client = new Firecrawl({ apiKey: testKey, apiUrl: edge.base })
})
afterEach(() => edge.close())

/** The number of requests to a route, from the log. */
const requests = (route: string): number => edge.lines.filter(({ event, fields }) => event === 'request' && fields['route'] === route).length
const markdownOf = (documents: readonly { markdown?: string | undefined }[]): (string | undefined)[] => documents.map(({ markdown }) => markdown)

async function deliver(id: string, count: number, from = 0): Promise<void> {
  for (let i = from; i < from + count; i++) await edge.fake.deliver(id, { markdown: String(i) }, edge.blobs)
}

describe('the waiters of the official client', () => {
  it('return a crawl with all its pages', async () => {
    const crawling = client.crawl('http://site.test/', { limit: 5, pollInterval: 1, webhook: { url: 'http://r.test/', events: ['page'] } })
    await until(() => (edge.fake.asked['find'] ?? 0) > 0)
    const id = (await client.getActiveCrawls()).crawls[0]?.id ?? ''
    await deliver(id, 3)
    edge.fake.end(id, 'completed')
    const crawl = await crawling
    expect([crawl.status, crawl.completed, markdownOf(crawl.data)]).toEqual(['completed', 3, ['0', '1', '2']])
  })

  it.each(['failed', 'cancelled'] as const)('end for a batch that %s', async (state) => {
    const batch = client.batchScrape(['http://site.test/a', 'nonsense'], { pollInterval: 1 })
    await until(() => (edge.fake.asked['find'] ?? 0) > 0)
    const [job] = await edge.fake.jobs.active('default', 'batch')
    edge.fake.end(job?.id ?? '', state)
    expect(await batch).toMatchObject({ status: state, data: [] })
  })

  it('report invalid URLs, map a site and cancel a job', async () => {
    const started = await client.startBatchScrape(['http://site.test/a', 'nonsense'])
    expect(started).toMatchObject({ url: `${edge.base}/v2/batch/scrape/${started.id}`, invalidURLs: ['nonsense'] })
    const crawl = await client.startCrawl('http://site.test/')
    expect([await client.cancelCrawl(crawl.id), await client.cancelCrawl(crawl.id), await client.cancelBatchScrape(started.id)]).toEqual([true, true, true])
    expect((await client.map('site.test', { sitemap: 'skip' })).links).toEqual([{ url: 'http://site.test', title: 'Start' }])
  })

  it('return errors and the URLs that robots.txt blocks', async () => {
    const id = await edge.fake.start({ kind: 'batch' })
    edge.fake.break(id, 'http://site.test/a', 'SCRAPE_TIMEOUT')
    edge.fake.skip(id, 'http://site.test/b', 'robots')
    expect(await client.getBatchScrapeErrors(id)).toMatchObject({ errors: [{ url: 'http://site.test/a', code: 'SCRAPE_TIMEOUT' }], robotsBlocked: ['http://site.test/b'] })
  })

  it('receive our errors for jobs that are unknown, foreign or ended, and for an invalid id', async () => {
    const [foreign, ended] = [await edge.fake.start({ team: 'other' }), await edge.fake.start()]
    edge.fake.end(ended, 'completed')
    const faults = await Promise.all(
      [client.getCrawlStatus(unknown), client.getCrawlStatus(foreign), client.cancelCrawl(ended), client.getCrawlStatus('nonsense')].map((work) =>
        work.then(() => null, ({ status, code }: { status: number; code: string }) => [status, code]),
      ),
    )
    expect(faults).toEqual([[404, 'NOT_FOUND'], [403, 'FORBIDDEN'], [409, 'JOB_ALREADY_FINISHED'], [400, 'BAD_REQUEST']])
  })
})

describe('the pages of the official client', () => {
  it('are followed to the end, without duplicate results', async () => {
    const id = await edge.fake.start()
    await deliver(id, 2_500)
    edge.fake.end(id, 'completed')
    expect(markdownOf((await client.getCrawlStatus(id)).data)).toEqual(Array.from({ length: 2_500 }, (_, i) => String(i)))
    expect(requests('/v2/crawl/:id')).toBe(3)
  })

  it.each([0, 3])('of a running job with %i results are requested a few times, not endlessly', async (count) => {
    const id = await edge.fake.start({ kind: 'batch' })
    await deliver(id, count)
    expect((await client.getBatchScrapeStatus(id)).data).toHaveLength(count)
    expect(requests('/v2/batch/scrape/:id')).toBeLessThanOrEqual(3)
  })
})

interface Told {
  readonly socket: boolean
  readonly node: string
  readonly documents: readonly string[]
  readonly errors: readonly string[]
  readonly status: string | null
}

/** Runs the official client's watcher in a separate Node process. */
async function watch(node: readonly string[], kind: string, id: string, key = testKey): Promise<Told> {
  const [path = '', ...flags] = node
  const { stdout } = await promisify(execFile)(path, [...flags, join(clients, 'watch.mjs'), edge.base, key, kind, id], { timeout: 30_000 })
  return JSON.parse(stdout) as Told // written by watch.mjs
}

const sockets = (): number => edge.lines.filter(({ event }) => event === 'watch').length

describe.each([
  ['on Node 20, which has no WebSocket: by asking', async () => [process.execPath, '--import', pathToFileURL(join(clients, 'without-sockets.mjs')).href], false],
  ['on Node 20 with the WebSocket that it has on trial', async () => [process.execPath, '--experimental-websocket'], true],
  ['on Node 26', async () => [await newerNode()], true],
] as const)('the watcher of the official client %s', (_title, nodeOf, socket) => {
  it('receives each page of a crawl, before and after it connected, and the end', { timeout: 240_000 }, async () => {
    const id = await edge.fake.start()
    await deliver(id, 2)
    const watching = watch(await nodeOf(), 'crawl', id)
    await until(() => (edge.fake.asked['results'] ?? 0) > 0)
    await deliver(id, 2, 2)
    edge.fake.end(id, 'completed')
    expect(await watching).toMatchObject({ socket, documents: ['0', '1', '2', '3'], errors: [], status: 'completed' })
    await until(() => sockets() === (socket ? 1 : 0))
    if (socket) expect(requests('/v2/crawl/:id')).toBe(0)
  })

  it.each(['failed', 'cancelled', 'completed'] as const)('learns that a batch %s, before or after it connected', async (state) => {
    const [ended, ending] = [await edge.fake.start({ kind: 'batch' }), await edge.fake.start({ kind: 'batch' })]
    edge.fake.end(ended, state)
    const watching = watch(await nodeOf(), 'batch', ending)
    await until(() => (edge.fake.asked['results'] ?? 0) + (edge.fake.asked['find'] ?? 0) > 0)
    edge.fake.end(ending, state)
    expect([(await watching).status, (await watch(await nodeOf(), 'batch', ended)).status]).toEqual([state, state])
  })
})

// Without WebSockets, the client polls the status of such a job endlessly, which is not our concern.
describe.each([
  ['on Node 20', async () => [process.execPath, '--experimental-websocket']],
  ['on Node 26', async () => [await newerNode()]],
] as const)('a process of the official client %s', (_title, nodeOf) => {
  it('survives a job that is unknown, foreign or expired, an invalid id, and an unknown key', { timeout: 60_000 }, async () => {
    const node = await nodeOf()
    const [foreign, expired] = [await edge.fake.start({ team: 'other' }), await edge.fake.start()]
    edge.fake.set(expired, { state: 'completed', expiresAt: 0 })
    const cases = [[unknown], [foreign], [expired], ['nonsense'], [await edge.fake.start(), 'fc-unknown-key-000000']] as const
    const told: Told[] = []
    for (const [id, key] of cases) told.push(await watch(node, 'crawl', id, key))
    expect(told.map(({ status, errors }) => [status, errors.length])).toEqual(cases.map(() => ['failed', 1]))
  })
})
