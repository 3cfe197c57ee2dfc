import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startTrawl, type TestService } from '../service.ts'
import { faultsOfDeliveries, faultsOfJob, type Patience, type TortureReceiver, tortureReceiver, type TortureSite, tortureSite, Watched, whole } from '../torture/world.ts'

interface Set {
  readonly site: TortureSite
  readonly receiver: TortureReceiver
  /** Starts the service on the data of its predecessor. */
  start(): Promise<TestService>
}

const fresh = { maxAge: 0, storeInCache: false }

async function setUp(pages: number, patience: Patience): Promise<Set> {
  const [site, receiver] = [await tortureSite(pages, patience), await tortureReceiver()]
  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-jobs-'))
  const started: TestService[] = []
  onTestFinished(async () => {
    await Promise.all(started.map((service) => service.stop('SIGKILL')))
    await Promise.all([site.close(), receiver.close()])
    rmSync(dataDir, { recursive: true, force: true })
  })
  const settings = { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${new URL(site.url).port}`, TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${receiver.port}`, TRAWL_CHROMIUM_PATH: '/none' }
  return {
    site,
    receiver,
    async start() {
      const service = await startTrawl({ dataDir, settings })
      started.push(service)
      return service
    },
  }
}

async function startBatch(service: TestService, urls: readonly string[], more: object = {}): Promise<Watched> {
  const { status, json } = await service.call('POST', '/v2/batch/scrape', { urls, ...fresh, ...more })
  expect(status).toBe(200)
  return new Watched(json.id, 'batch/scrape')
}

/** Watches the job until `count` pages are delivered. */
const reach = (service: TestService, job: Watched, count: number): Promise<unknown> => expect.poll(async () => (await job.look(service), job.completed), { timeout: 20_000, interval: 10 }).toBeGreaterThanOrEqual(count)

describe('R9 what a page leaves is written together', () => {
  it('R9 its result, event and delivery are the same after a kill, and list the same pages in the same order', async () => {
    const { site, receiver, start } = await setUp(40, 30)
    const first = await start()
    const job = new Watched((await first.call('POST', '/v2/crawl', { url: `${site.url}/`, sitemap: 'skip', maxConcurrency: 4, webhook: receiver.url, scrapeOptions: fresh })).json.id)
    await reach(first, job, 10)
    await first.stop('SIGKILL')
    const second = await start()
    const last = await job.end(second)
    if (last === null) throw new Error('the service is gone')
    const status = await whole(second, last)
    expect(faultsOfJob(status, site.pages)).toEqual([])
    await expect.poll(() => faultsOfDeliveries(receiver.arrived, job.id, 40), { timeout: 20_000 }).toEqual([])
    const log = await (await fetch(`${second.base}/v2/crawl/${job.id}/events`, { headers: { authorization: 'Bearer fc-test-key-0123456789' } })).text()
    const events = [...log.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] ?? '') as { webhookId: string; type: string; data: readonly { metadata?: { scrapeId: string } }[] }) // the format of the service
    expect(events.map(({ type }) => type)).toEqual(['crawl.started', ...site.pages.map(() => 'crawl.page'), 'crawl.completed'])
    expect(events.flatMap(({ data }) => data.map(({ metadata }) => metadata?.scrapeId))).toEqual(status.data.map(({ metadata }) => metadata.scrapeId))
    expect(events.map(({ webhookId }) => webhookId).sort()).toEqual([...new Set(receiver.arrived.map(({ webhookId }) => webhookId))].sort())
  }, 90_000)
})

describe('R10 a job ends, whatever its pages do', () => {
  it('R10 a page that kills the process three times while it runs alone fails, and the job goes on', async () => {
    const { site, start } = await setUp(4, (path) => (path === '/page-1' ? new Promise(() => undefined) : Promise.resolve()))
    let service = await start()
    const job = await startBatch(service, [`${site.url}/page-1`, `${site.url}/page-2`, `${site.url}/page-3`], { maxConcurrency: 1 })
    for (const death of [1, 2, 3]) {
      await expect.poll(() => site.hits.get('/page-1'), { timeout: 20_000 }).toBe(death)
      await service.stop('SIGKILL')
      service = await start()
    }
    const last = await job.end(service)
    expect([last?.status, last?.data.map(({ metadata }) => metadata.sourceURL)]).toEqual(['completed', [`${site.url}/page-2`, `${site.url}/page-3`]])
    const { errors } = (await service.call('GET', `/v2/batch/scrape/${job.id}/errors`)).json
    expect(errors.map(({ url, code }: { url: string; code: string }) => [url, code])).toEqual([[`${site.url}/page-1`, 'SCRAPE_RETRY_LIMIT']])
    expect(site.hits.get('/page-1')).toBe(3)
  }, 120_000)
})

describe('R11 what was reported of a job stays true', () => {
  it('R11 results keep their order, and cursors their meaning, over a kill', async () => {
    const { site, start } = await setUp(40, 30)
    const first = await start()
    const job = await startBatch(first, site.pages, { maxConcurrency: 4 })
    await reach(first, job, 12)
    const { data, next } = (await first.call('GET', `/v2/batch/scrape/${job.id}?limit=5`)).json
    const path: string = new URL(next).pathname + new URL(next).search
    const rest = (await first.call('GET', path)).json.data
    await first.stop('SIGKILL')
    const second = await start()
    await job.end(second)
    expect((await second.call('GET', `/v2/batch/scrape/${job.id}?limit=5`)).json.data).toEqual(data)
    expect((await second.call('GET', path)).json.data.slice(0, rest.length)).toEqual(rest)
    expect(job.completed).toBe(40)
  }, 90_000)

  it('R11 a cancelled job stays cancelled over a kill, keeps its pages, and fetches nothing more', async () => {
    const { site, start } = await setUp(40, (path) => (Number(path.slice(6)) >= 10 ? new Promise(() => undefined) : Promise.resolve()))
    const first = await start()
    const job = await startBatch(first, site.pages, { maxConcurrency: 4 })
    await reach(first, job, 10)
    expect((await first.call('DELETE', `/v2/batch/scrape/${job.id}`)).status).toBe(200)
    await first.stop('SIGKILL')
    const hits = [...site.hits.values()].reduce((sum, count) => sum + count)
    const second = await start()
    // A later job that completes proves that the worker had its chance.
    const other = await startBatch(second, [`${site.url}/page-1`])
    expect((await other.end(second))?.status).toBe('completed')
    const status = await job.look(second)
    expect([status?.status, status?.completed, status?.data.length]).toEqual(['cancelled', 10, 10])
    expect([...site.hits.values()].reduce((sum, count) => sum + count)).toBe(hits + 1)
  }, 90_000)
})
