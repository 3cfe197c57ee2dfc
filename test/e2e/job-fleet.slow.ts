import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestPostgres, testPostgres } from '../postgres.ts'
import { s3Credentials, type S3Server, startS3 } from '../s3-server.ts'
import { otherKey, startTrawl, type TestService } from '../service.ts'
import { faultsOfDeliveries, faultsOfJob, type Patience, type TortureReceiver, tortureReceiver, type TortureSite, tortureSite, Watched, whole } from '../torture/world.ts'

// One api process and several workers share a Postgres and an object store; some of them fail.

const teamPlaces = 10
const folder = mkdtempSync(join(tmpdir(), 'trawl-jobs-'))
const body = { sitemap: 'skip', scrapeOptions: { maxAge: 0, storeInCache: false } }

let postgres: TestPostgres
let blobs: S3Server
let receiver: TortureReceiver
let database: Pool
let url: string
const sites: TortureSite[] = []
const running: TestService[] = []

const portOf = (address: string): string => new URL(address).port

async function start(role: 'api' | 'worker', more: Record<string, string> = {}): Promise<TestService> {
  const settings = {
    TRAWL_DATABASE_URL: url,
    TRAWL_BLOB_URL: blobs.url,
    TRAWL_S3_ACCESS_KEY_ID: s3Credentials.accessKeyId,
    TRAWL_S3_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
    TRAWL_ALLOW_PRIVATE_ADDRESSES: sites.map((site) => `127.0.0.1:${portOf(site.url)}`).join(','),
    TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${receiver.port}`,
    TRAWL_WEBHOOK_RETRY_SCHEDULE_MS: '100,200,400',
    // Long enough for a busy machine: a live worker keeps its pages.
    TRAWL_LEASE_MS: '8000',
    TRAWL_TEAM_CONCURRENCY: String(teamPlaces),
    TRAWL_CHROMIUM_PATH: '/none',
    ...more,
  }
  const service = await startTrawl({ dataDir: folder, args: ['--roles', role], settings })
  running.push(service)
  return service
}

async function rows<T extends object>(query: string, values: readonly unknown[] = []): Promise<readonly T[]> {
  return (await database.query<T>(query, [...values])).rows
}

/** A worker process and the name under which it leases pages. */
interface Worker {
  readonly service: TestService
  readonly name: string
}

/** Starts a worker and waits for its first heartbeat: then it is looking for pages. */
async function startWorker(more: Record<string, string> = {}): Promise<Worker> {
  const names = async (): Promise<readonly string[]> => (await rows<{ id: string }>('select id from workers')).map(({ id }) => id)
  const before = await names()
  const service = await start('worker', more)
  let name: string | undefined
  await expect.poll(async () => (name = (await names()).find((id) => !before.includes(id)))).toBeDefined()
  return { service, name: name ?? '' }
}

const leasedBy = async (name: string): Promise<readonly string[]> => (await rows<{ url: string }>("select url from job_pages where worker = $1 and state = 'leased'", [name])).map((row) => row.url)

async function newSite(count: number, patience: Patience): Promise<TortureSite> {
  const site = await tortureSite(count, patience)
  sites.push(site)
  return site
}

/** The service, called with the key of another team. */
const as = (key: string, service: TestService): TestService => ({
  ...service,
  call: (method, path, content, headers = {}) => service.call(method, path, content, { authorization: `Bearer ${key}`, ...headers }),
})

async function startCrawl(api: TestService, site: TortureSite, more: object = {}): Promise<Watched> {
  const started = await api.call('POST', '/v2/crawl', { url: `${site.url}/`, ...body, ...more })
  expect(started.status).toBe(200)
  return new Watched(started.json.id)
}

/** The faults of a job at its end; empty if there are none. */
async function faultsAtEnd(api: TestService, job: Watched, site: TortureSite): Promise<readonly string[]> {
  const last = await job.end(api, 150_000)
  return last === null ? ['the service is gone'] : faultsOfJob(await whole(api, last), site.pages)
}

/** How many workers have leased each page of the job. */
const attempts = async (job: Watched): Promise<ReadonlyMap<string, number>> =>
  new Map((await rows<{ url: string; attempt: string }>('select url, attempt from job_pages where job = $1', [job.id])).map((row) => [row.url, Number(row.attempt)]))

/** Settings of a process whose clock is wrong by so many milliseconds from the start, and is set ahead by five minutes at each SIGUSR2. */
const wrongBy = (ms: number): Record<string, string> => ({
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(`const right=Date.now;let wrong=${ms};Date.now=()=>right()+wrong;Object.defineProperty(performance,'timeOrigin',{value:performance.timeOrigin+wrong});process.on('SIGUSR2',()=>(wrong+=300000))`)}`,
})

const hitsOf = (site: TortureSite, page: string): number => site.hits.get(page.slice(site.url.length)) ?? 0

beforeEach(async () => {
  ;[postgres, blobs, receiver] = await Promise.all([testPostgres(), startS3(), tortureReceiver()])
  url = await postgres.database()
  // Pool.end() does not wait for its connections, and the server, which stops next, may send them an error.
  database = new Pool({ connectionString: url, max: 4 }).on('error', () => undefined)
}, 60_000)
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop('SIGKILL')))
  await database.end()
  await Promise.all([postgres.dispose(), blobs.close(), receiver.close(), ...sites.splice(0).map((site) => site.close())])
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

describe('jobs of a fleet', () => {
  it('lose and repeat nothing when one of three workers is killed, and keep their limits over all workers', async () => {
    const [site, other] = [await newSite(150, 250), await newSite(40, 250)]
    const api = await start('api')
    const workers = [await startWorker(), await startWorker(), await startWorker()]
    const crawl = await startCrawl(api, site, { maxConcurrency: 6, webhook: receiver.url })
    const otherTeam = as(otherKey, api)
    const started = await otherTeam.call('POST', '/v2/batch/scrape', { urls: other.pages, webhook: receiver.url, ...body.scrapeOptions })
    const batch = new Watched(started.json.id, 'batch/scrape')

    let victim: Worker | undefined
    await expect
      .poll(
        async () => {
          await crawl.look(api)
          if (crawl.completed < 40) return false
          const held = await Promise.all(workers.map(async (worker) => ({ worker, pages: (await leasedBy(worker.name)).filter((page) => page.startsWith(site.url)).length })))
          victim = held.find(({ pages }) => pages >= 2)?.worker
          await victim?.service.stop('SIGKILL')
          return victim !== undefined
        },
        { timeout: 60_000, interval: 10 },
      )
      .toBe(true)
    const orphans = await leasedBy(victim?.name ?? '')
    expect(orphans.length).toBeGreaterThan(0)

    expect(await faultsAtEnd(api, crawl, site)).toEqual([])
    expect(await faultsAtEnd(otherTeam, batch, other)).toEqual([])
    // Another worker fetched the pages of the dead one; no page was fetched more often than it was leased.
    const had = new Map([...(await attempts(crawl)), ...(await attempts(batch))])
    expect(orphans.filter((page) => (had.get(page) ?? 0) < 2)).toEqual([])
    for (const one of [site, other]) expect(one.pages.filter((page) => hitsOf(one, page) < 1 || hitsOf(one, page) > (had.get(page) ?? 0))).toEqual([])
    expect(site.load.most).toBeLessThanOrEqual(6)
    expect(other.load.most).toBeLessThanOrEqual(teamPlaces)
    // More than one slot was used, so the bounds above mean something.
    expect(Math.min(site.load.most, other.load.most)).toBeGreaterThan(2)
    const deliveries = (): readonly string[] => [...faultsOfDeliveries(receiver.arrived, crawl.id, 150), ...faultsOfDeliveries(receiver.arrived, batch.id, 40)]
    await expect.poll(deliveries, { timeout: 90_000, interval: 100 }).toEqual([])
  }, 240_000)

  it('keep within the slots of a team over all of its jobs and workers', async () => {
    const site = await newSite(60, 200)
    const api = await start('api')
    await Promise.all([start('worker'), start('worker'), start('worker')])
    const halves = [site.pages.slice(0, 30), site.pages.slice(30)]
    const jobs = []
    for (const urls of halves) jobs.push(new Watched((await api.call('POST', '/v2/batch/scrape', { urls, ...body.scrapeOptions })).json.id, 'batch/scrape'))
    for (const [i, job] of jobs.entries()) {
      const last = await job.end(api, 150_000)
      expect(last === null ? ['gone'] : faultsOfJob(await whole(api, last), halves[i] ?? [])).toEqual([])
    }
    expect(site.load.most).toBeLessThanOrEqual(teamPlaces)
    expect(site.load.most).toBeGreaterThan(teamPlaces / 2)
  }, 120_000)

  it('are shared by workers whose clocks differ by minutes, and none takes the pages of another', async () => {
    const site = await newSite(80, 300)
    const api = await start('api')
    const workers = [await startWorker(wrongBy(300_000)), await startWorker(), await startWorker(wrongBy(-300_000))]
    const job = await startCrawl(api, site, { webhook: receiver.url })
    const busy = new Set<string>()
    await expect
      .poll(
        async () => {
          for (const { name } of workers) if ((await leasedBy(name)).length > 0) busy.add(name)
          return busy.size
        },
        { timeout: 20_000, interval: 20 },
      )
      .toBe(3)
    // The time of a request is told to the worker that gets it.
    for (let n = 0; n < workers.length; n++) expect((await api.call('POST', '/v2/scrape', { url: `${site.url}/1`, ...body.scrapeOptions, timeout: 20_000 })).status).toBe(200)
    expect(await faultsAtEnd(api, job, site)).toEqual([])
    expect([...(await attempts(job)).values()].filter((times) => times > 1)).toEqual([])
    await expect.poll(() => faultsOfDeliveries(receiver.arrived, job.id, 80), { timeout: 60_000 }).toEqual([])
  }, 120_000)

  it('go on when the clock of a worker is set five minutes ahead', async () => {
    const site = await newSite(100, 300)
    const api = await start('api')
    const workers = [await startWorker(wrongBy(0)), await startWorker()]
    const job = await startCrawl(api, site)
    await expect.poll(async () => (await job.look(api))?.completed, { timeout: 20_000 }).toBeGreaterThan(5)
    process.kill(workers[0]?.service.pid ?? 0, 'SIGUSR2')
    expect(await faultsAtEnd(api, job, site)).toEqual([])
    expect([...(await attempts(job)).values()].filter((times) => times > 1)).toEqual([])
  }, 120_000)

  it('accept nothing from a worker that slept longer than its lease', async () => {
    let wake = (): void => undefined
    const awake = new Promise<void>((resolve) => (wake = resolve))
    const site = await newSite(20, async (path, visit) => (path === '/' || visit > 1 ? null : awake))
    const api = await start('api')
    const sleeper = await startWorker()
    const job = await startCrawl(api, site, { maxConcurrency: 3, webhook: receiver.url })
    await expect.poll(() => site.load.now, { timeout: 20_000 }).toBe(3)
    const pages = await leasedBy(sleeper.name)
    expect(pages).toHaveLength(3)
    process.kill(sleeper.service.pid, 'SIGSTOP')
    await startWorker()
    await expect.poll(async () => (await rows("select 1 from job_pages where state = 'leased' and worker = $1", [sleeper.name])).length, { timeout: 30_000 }).toBe(0)
    wake()
    expect(await faultsAtEnd(api, job, site)).toEqual([])
    const state = async (): Promise<string> =>
      JSON.stringify([(await api.call('GET', `/v2/crawl/${job.id}?limit=100`)).json, await rows('select * from job_events order by seq'), await rows('select url, state, attempt from job_pages order by seq'), await rows('select count(*) from results')])
    const before = await state()
    process.kill(sleeper.service.pid, 'SIGCONT')
    // When the sleeper has ended, it can write nothing more about those pages.
    expect(await sleeper.service.stop()).toBe(0)
    expect(await state()).toBe(before)
    const status = await job.look(api)
    const taken = status?.data.filter(({ metadata }) => pages.includes(metadata.sourceURL)).map(({ markdown }) => /Visit \d/.exec(markdown)?.[0])
    expect(taken).toEqual(['Visit 2', 'Visit 2', 'Visit 2'])
    await expect.poll(() => faultsOfDeliveries(receiver.arrived, job.id, 20), { timeout: 60_000 }).toEqual([])
  }, 180_000)

  it('lose no page when the store drops or refuses connections and blobs cannot be written', async () => {
    const site = await newSite(400, 30)
    const api = await start('api')
    await Promise.all([startWorker(), startWorker()])
    const job = await startCrawl(api, site)
    await expect.poll(async () => (await job.look(api))?.completed, { timeout: 20_000 }).toBeGreaterThan(5)
    // Blobs fail until a page was retried for it; then database connections are cut, while hardly anything is written, and blobs fail for another moment.
    let [refused, connectionsCut, until] = [0, 0, Number.POSITIVE_INFINITY]
    blobs.fault = () => {
      if (Date.now() >= until) return undefined
      refused++
      return { kind: 'answer', status: 503 }
    }
    const cut = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'trawl' and random() < 0.7"
    await expect.poll(async () => Math.max(...(await attempts(job)).values()), { timeout: 60_000 }).toBeGreaterThan(1)
    until = Date.now() + 1_500
    for (let round = 0; round < 70; round++) connectionsCut += (await Promise.all([rows(cut), sleep(100)]))[0].length
    expect(await faultsAtEnd(api, job, site)).toEqual([])
    expect([refused > 0, connectionsCut > 0]).toEqual([true, true])
  }, 240_000)

  it('send and show every page, and their end after them, although the object store does not find pages for a while', async () => {
    const site = await newSite(60, 20)
    const api = await start('api')
    await Promise.all([startWorker(), startWorker()])
    let missed = 0
    let gone = true
    blobs.fault = ({ method, query }) => {
      if (!gone || method !== 'GET' || query.has('list-type')) return undefined
      missed++
      return { kind: 'answer', status: 404, code: 'NoSuchKey' }
    }
    const job = await startCrawl(api, site, { webhook: receiver.url })
    await expect.poll(async () => (await rows('select state from jobs')).at(0), { timeout: 60_000 }).toEqual({ state: 'completed' })
    await sleep(1_000)
    // Nobody is told that a page is gone: clients ask again.
    const [{ scrapeId = '' } = {}] = await rows<{ scrapeId: string }>('select id as "scrapeId" from results limit 1')
    const asked = await Promise.all([`crawl/${job.id}`, `crawl/${job.id}?skip=30`, `crawl/${job.id}/export`, `scrape/${scrapeId}`].map((path) => api.call('GET', `/v2/${path}`)))
    expect(asked.map(({ status, json, headers }) => [status, json.code, headers.get('retry-after')])).toEqual(Array.from({ length: 4 }, () => [503, 'OVERLOADED', '2']))
    expect([missed > 0, receiver.arrived.map(({ type }) => type)]).toEqual([true, ['crawl.started']])
    gone = false
    expect(await faultsAtEnd(api, job, site)).toEqual([])
    expect((await job.look(api))?.data.filter(({ markdown }) => !markdown.includes('of the site, and this sentence'))).toEqual([])
    await expect.poll(() => faultsOfDeliveries(receiver.arrived, job.id, 60), { timeout: 60_000 }).toEqual([])
    expect(receiver.arrived.filter(({ type, body: sent }) => type === 'crawl.page' && !sent.includes('of the site, and this sentence'))).toEqual([])
  }, 180_000)

  it('get the pages of a stopping worker back at once, not by the end of its lease', async () => {
    let answering = false
    const site = await newSite(30, async (path) => (path === '/' || answering ? null : new Promise(() => undefined)))
    const api = await start('api')
    const longer = { TRAWL_LEASE_MS: '3600000' }
    const leaver = await startWorker(longer)
    const job = await startCrawl(api, site, { maxConcurrency: 3 })
    await expect.poll(() => site.load.now, { timeout: 20_000 }).toBe(3)
    const pages = await leasedBy(leaver.name)
    await startWorker(longer)
    // The requests so far never get an answer.
    answering = true
    expect(await leaver.service.stop()).toBe(0)
    expect(await faultsAtEnd(api, job, site)).toEqual([])
    expect(Math.min(...pages.map((page) => hitsOf(site, page)))).toBeGreaterThan(1)
    // No page lost an attempt: none of them died with its worker.
    expect([...new Set((await attempts(job)).values())]).toEqual([1])
  }, 120_000)
})
