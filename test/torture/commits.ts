/** Ends the service at chosen commits of a crawl, and looks at what is left. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startTrawl, type TestService, type TestServiceOptions } from '../service.ts'
import { pause, settingsOf, settled, type Walk, type Where } from './kill.ts'
import { faultsOfDeliveries, faultsOfVersions, type TortureReceiver, tortureReceiver, type TortureSite, tortureSite, unlessGone, Watched } from './world.ts'

export interface WalkOptions extends Where {
  readonly pages: number
  /** The commits to end the service at, rising; those after the last that a crawl makes are left out. */
  readonly points: Iterable<number>
  /** Points that are tried beside each other, each with a store of its own. */
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

/** Starts one after another: many at once would each take longer than a start may. */
function startAlone(options: TestServiceOptions): Promise<TestService> {
  const started = starting.then(() => startTrawl(options))
  starting = started.catch(() => undefined) // whoever asked for it hears of it
  return started
}

/** A store that one service after another runs on, and what their crawls meet. */
interface Lane {
  readonly pages: number
  readonly receiver: TortureReceiver
  /** Jobs that were looked at. */
  readonly known: Set<string>
  /** A site that no crawl has seen. */
  site(): Promise<TortureSite>
  /** Starts a service that ends itself at that commit of the first crawl that it is asked for. */
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

/** A crawl in the middle of which the service was to end itself. */
interface Doomed {
  readonly site: TortureSite
  /** Null where its start was not answered. */
  readonly job: Watched | null
  /** What is wrong with it where everything was over before that commit; null where the service has ended itself. */
  readonly survived: readonly string[] | null
}

const deliveryFaults = (id: string, { receiver, pages }: Lane) => (): readonly string[] => faultsOfDeliveries(receiver.arrived, id, pages)

/** Crawls until the service ends itself, or has nothing left to do and is asked to end. */
async function crawlUntil(service: TestService, lane: Lane): Promise<Doomed> {
  const site = await lane.site()
  const body = { url: `${site.url}/`, sitemap: 'skip', webhook: lane.receiver.url, scrapeOptions: { formats: ['markdown', 'changeTracking'] } }
  const started = await unlessGone(service.call('POST', '/v2/crawl', body))
  if (started !== null && started.status !== 200) throw new Error(`the crawl was refused: ${started.text}`)
  const job = started === null ? null : new Watched(started.json.id)
  const last = (await job?.end(service)) ?? null
  if (job === null || last === null) return { site, job, survived: null }
  // Deliveries are commits, too, and so is what is written at the end.
  const faults = [...(await job.faults(service, last, site.pages)), ...(await settled(deliveryFaults(job.id, lane), service))]
  const code = await service.stop()
  return { site, job, survived: code === null ? null : [...faults, ...unlessEnd(code, 0)] }
}

const unlessEnd = (code: number | null, expected: number | null): readonly string[] => (code === expected ? [] : [`the service ended with ${code ?? 'a signal'}`])

/** Looks whether all is as if nothing had happened, by the service that was started on what is left. */
async function faultsAfter({ site, job }: Doomed, service: TestService, lane: Lane): Promise<readonly string[]> {
  const found = job ?? new Watched(await unanswered(service, lane))
  lane.known.add(found.id)
  const last = await found.end(service)
  if (last === null) return ['the service ended by itself']
  const late = await settled(deliveryFaults(found.id, lane))
  return [...(await found.faults(service, last, site.pages)), ...late, ...(await faultsOfVersions(service, last))]
}

/** The job whose start was committed and not answered: it runs, or was heard of. */
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

/** How far a walk has come. */
interface Walking {
  /** The commit to try next; none when all were tried, or a crawl was over before its own. */
  next(): number | undefined
  /** Takes down what was wrong after the service had ended itself there. */
  ended(point: number, faults: readonly string[]): void
  /** Takes down that a crawl was over before. */
  over(point: number, faults: readonly string[]): void
}

/** Of the services that have finished what another left, so many go on with the next crawl before one is asked to end instead. */
const restEvery = 4

/**
 * Ends service after service on one store, each at its commit: the one that has finished what the last left goes on with the next crawl.
 * Answers the commit to go on with on another store, where this one cannot be trusted any more.
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

/** Crawls once for each point, until a crawl is over before its point is reached. */
export async function walkCommits(options: WalkOptions): Promise<Walk> {
  const points = options.points[Symbol.iterator]()
  const faults: string[] = []
  let [kills, ends] = [0, 0]
  const take = (point: number, found: readonly string[]): void => {
    const told = found.map((fault) => `commit ${point}: ${fault}`)
    faults.push(...told)
    // A walk is long, and may be ended before it has told.
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
