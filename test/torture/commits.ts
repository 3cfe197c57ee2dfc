/** Kills the service at chosen commits of a crawl, and checks what is left. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startTrawl, type TestService, type TestServiceOptions } from '../service.ts'
import { pause, settingsOf, settled, type Walk, type Where } from './kill.ts'
import { faultsOfDeliveries, faultsOfVersions, type TortureReceiver, tortureReceiver, type TortureSite, tortureSite, unlessGone, Watched } from './world.ts'

export interface WalkOptions extends Where {
  readonly pages: number
  /** The commits to kill the service at, ascending; those after the last commit of a crawl are skipped. */
  readonly points: Iterable<number>
  /** The number of concurrent chains, each with its own store. */
  readonly lanes: number
}

async function dropDatabase(url: string): Promise<void> {
  const other = new URL(url)
  const name = other.pathname.slice(1)
  other.pathname = '/postgres'
  const client = new Client(other.href)
  await client.connect()
  try {
    await client.query(`drop database ${name} with (force)`)
  } finally {
    await client.end()
  }
}

let starting: Promise<unknown> = Promise.resolve()

/** Starts one service after another: many at once could exceed the time limit of a start. */
function startAlone(options: TestServiceOptions): Promise<TestService> {
  const started = starting.then(() => startTrawl(options))
  starting = started.catch(() => undefined) // the caller gets the error
  return started
}

/** A store for a chain of services, and what their crawls use. */
interface Lane {
  readonly pages: number
  readonly receiver: TortureReceiver
  /** The jobs that were checked. */
  readonly known: Set<string>
  /** A site that no crawl has seen. */
  site(): Promise<TortureSite>
  /** Starts a service that kills itself at that commit of the first crawl it is asked for. */
  start(point: number | undefined): Promise<TestService>
  close(): Promise<void>
}

async function openLane({ database, pages }: WalkOptions): Promise<Lane> {
  const receiver = await tortureReceiver()
  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-torture-'))
  const url = await database?.()
  const running: TestService[] = []
  const sites: TortureSite[] = []
  return {
    pages,
    receiver,
    known: new Set(),
    async site() {
      const site = await tortureSite(pages)
      sites.push(site)
      return site
    },
    async start(point) {
      const service = await startAlone({ dataDir, settings: { ...settingsOf(url), ...(point === undefined ? {} : { TRAWL_CRASH_POINT: String(point) }) } })
      running.push(service)
      return service
    },
    async close() {
      await Promise.all(running.map((service) => service.stop('SIGKILL')))
      await Promise.all([receiver.close(), ...sites.map((site) => site.close()), url === undefined ? null : dropDatabase(url)])
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A crawl during which the service was to kill itself. */
interface Doomed {
  readonly site: TortureSite
  /** Null if its start was not answered. */
  readonly job: Watched | null
  /** Its faults, if everything was over before that commit; null if the service has killed itself. */
  readonly survived: readonly string[] | null
}

const deliveryFaults = (id: string, { receiver, pages }: Lane) => (): readonly string[] => faultsOfDeliveries(receiver.arrived, id, pages)

/** Crawls until the service kills itself, or stops the service when it has nothing left to do. */
async function crawlUntil(service: TestService, lane: Lane): Promise<Doomed> {
  const site = await lane.site()
  const body = { url: `${site.url}/`, sitemap: 'skip', webhook: lane.receiver.url, scrapeOptions: { formats: ['markdown', 'changeTracking'] } }
  const started = await unlessGone(service.call('POST', '/v2/crawl', body))
  if (started !== null && started.status !== 200) throw new Error(`the crawl was refused: ${started.text}`)
  const job = started === null ? null : new Watched(started.json.id)
  const last = (await job?.end(service)) ?? null
  if (job === null || last === null) return { site, job, survived: null }
  // Deliveries are commits, too, and so is what is written at shutdown.
  const faults = [...(await job.faults(service, last, site.pages)), ...(await settled(deliveryFaults(job.id, lane), service))]
  const code = await service.stop()
  return { site, job, survived: code === null ? null : [...faults, ...unlessEnd(code, 0)] }
}

const unlessEnd = (code: number | null, expected: number | null): readonly string[] => (code === expected ? [] : [`the service ended with ${code ?? 'a signal'}`])

/** Checks, through a service that was started on the remaining data, that the kill had no effect. */
async function faultsAfter({ site, job }: Doomed, service: TestService, lane: Lane): Promise<readonly string[]> {
  const found = job ?? new Watched(await unanswered(service, lane))
  lane.known.add(found.id)
  const last = await found.end(service)
  if (last === null) return ['the service ended by itself']
  const late = await settled(deliveryFaults(found.id, lane))
  return [...(await found.faults(service, last, site.pages)), ...late, ...(await faultsOfVersions(service, last))]
}

/** The job whose start was committed but not answered: it is running, or a delivery mentions it. */
async function unanswered(service: TestService, { known, receiver }: Lane): Promise<string> {
  for (let waited = 0; waited < 30_000; waited += 50) {
    const { json } = await service.call('GET', '/v2/crawl/active')
    const crawls: readonly { readonly id: string }[] = json.crawls
    const id = [...crawls.map((crawl) => crawl.id), ...receiver.arrived.map(({ job }) => job)].find((one) => !known.has(one))
    if (id !== undefined) return id
    await pause(50)
  }
  throw new Error('the crawl is gone')
}

/** The state of a walk. */
interface Walking {
  /** The commit to try next; none if all were tried, or a crawl ended before its commit. */
  next(): number | undefined
  /** Records what was wrong after the service killed itself there. */
  ended(point: number, faults: readonly string[]): void
  /** Records that a crawl ended before its commit. */
  over(point: number, faults: readonly string[]): void
}

/** After this many services in a row went on with the next crawl, one is asked to stop instead. */
const restEvery = 4

/**
 * Kills one service after another on one store, each at its commit: a service that has finished the work of its
 * predecessor goes on with the next crawl. Returns the commit to continue with on another store, if this one cannot be
 * trusted any more.
 */
async function chain(first: number, walking: Walking, options: WalkOptions): Promise<number | undefined> {
  const lane = await openLane(options)
  let point = first
  let next: number | undefined
  try {
    let service = await lane.start(point)
    for (let links = 1; ; links += 1) {
      const doomed = await crawlUntil(service, lane)
      if (doomed.survived !== null) return void walking.over(point, doomed.survived)
      const death = unlessEnd(await service.stop('SIGKILL'), null)
      next = walking.next()
      service = await lane.start(next)
      const faults = [...death, ...(await faultsAfter(doomed, service, lane))]
      const rests = next === undefined || links % restEvery === 0
      walking.ended(point, rests ? [...faults, ...unlessEnd(await service.stop(), 0)] : faults)
      if (next === undefined) return undefined
      if (rests) service = await lane.start(next)
      point = next
      next = undefined
    }
  } catch (error) {
    walking.ended(point, [String(error)])
    return next ?? walking.next()
  } finally {
    await lane.close()
  }
}

/** Crawls once for each point, until a crawl ends before its point. */
export async function walkCommits(options: WalkOptions): Promise<Walk> {
  const points = options.points[Symbol.iterator]()
  const faults: string[] = []
  let [kills, ends] = [0, 0]
  const take = (point: number, found: readonly string[]): void => {
    const told = found.map((fault) => `commit ${point}: ${fault}`)
    faults.push(...told)
    // A walk takes long and may be interrupted before it reports: print faults at once.
    if (told.length > 0) process.stdout.write(`${told.join('\n')}\n`)
  }
  const walking: Walking = {
    next: () => (ends > 0 ? undefined : points.next().value),
    ended(point, found) {
      kills += 1
      take(point, found)
    },
    over(point, found) {
      ends += 1
      take(point, found)
    },
  }
  const lane = async (): Promise<void> => {
    for (let point = walking.next(); point !== undefined; ) point = await chain(point, walking, options)
  }
  await Promise.all(Array.from({ length: options.lanes }, lane))
  return { kills, jobs: kills + ends, faults }
}
