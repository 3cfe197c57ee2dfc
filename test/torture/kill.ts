/** Ends the service at chosen and at random moments, and looks at what is left. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startTrawl, type TestService, type TestServiceOptions } from '../service.ts'
import { faultsOfDeliveries, faultsOfJob, faultsOfVersions, tortureReceiver, tortureSite, unlessGone, Watched, whole } from './world.ts'

/** What a walk found. */
export interface Walk {
  /** Commits at which, or moments in which, the service was ended. */
  readonly kills: number
  readonly jobs: number
  readonly faults: readonly string[]
}

/** Where state is kept: in a new database of Postgres each time, or without it in the embedded store. */
export interface Where {
  readonly database?: () => Promise<string>
}

export interface WalkOptions extends Where {
  readonly pages: number
  /** The commits to end the service at, rising; those after the last that a crawl makes are left out. */
  readonly points: Iterable<number>
  /** Points that are tried beside each other, each with a store of its own. */
  readonly lanes: number
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function settingsOf(database: string | undefined, ports: readonly number[]): Record<string, string> {
  const allowed = ports.map((port) => `127.0.0.1:${port}`).join(',')
  return {
    ...(database === undefined ? {} : { TRAWL_DATABASE_URL: database }),
    TRAWL_ALLOW_PRIVATE_ADDRESSES: allowed,
    TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES: allowed,
    TRAWL_WEBHOOK_RETRY_SCHEDULE_MS: '100,200,400,800,1600',
    TRAWL_LEASE_MS: '1000',
    TRAWL_CHROMIUM_PATH: '',
  }
}

const lives = async (service: TestService): Promise<boolean> => (await unlessGone(service.call('GET', '/health'))) !== null

/** Asks until there is no fault, or it is too late: then says what is wrong. */
async function settled(look: () => readonly string[], service: TestService | null = null): Promise<readonly string[]> {
  // Of Postgres, deliveries that a dead process had leased come after their lease of a quarter of a minute.
  for (let waited = 0; waited < 90_000 && look().length > 0; waited += 50) {
    if (service !== null && !(await lives(service))) break
    await pause(50)
  }
  return look()
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

/** One point of a walk: the service ends at that commit and is started again on what is left. */
interface Point {
  readonly jobs: number
  /** False when everything was over before that commit. */
  readonly killed: boolean
  readonly faults: readonly string[]
}

/** Crawls until the service ends itself at that commit, starts it again, and looks whether all is as if nothing had happened. */
async function tryPoint(point: number, { database, pages }: WalkOptions): Promise<Point> {
  const [site, receiver] = [await tortureSite(pages), await tortureReceiver()]
  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-torture-'))
  const url = await database?.()
  const settings = settingsOf(url, [Number(new URL(site.url).port), receiver.port])
  const running: TestService[] = []
  const start = async (more: Record<string, string> = {}): Promise<TestService> => {
    const service = await startAlone({ dataDir, settings: { ...settings, ...more } })
    running.push(service)
    return service
  }
  const deliveryFaults = (id: string) => (): readonly string[] => faultsOfDeliveries(receiver.arrived, id, pages)
  try {
    const doomed = await start({ TRAWL_CRASH_POINT: String(point) })
    const body = { url: `${site.url}/`, sitemap: 'skip', webhook: receiver.url, scrapeOptions: { formats: ['markdown', 'changeTracking'] } }
    const started = await unlessGone(doomed.call('POST', '/v2/crawl', body))
    if (started !== null && started.status !== 200) throw new Error(`the crawl was refused: ${started.text}`)
    const watched = started === null ? null : new Watched(started.json.id)
    const early = (await watched?.end(doomed)) ?? null
    if (watched !== null && early !== null) {
      // Deliveries are commits, too.
      const late = await settled(deliveryFaults(watched.id), doomed)
      if (late.length === 0 || (await lives(doomed))) return { jobs: 1, killed: false, faults: [...faultsOfJob(early, site.pages), ...late] }
    }
    await doomed.stop('SIGKILL')
    const healed = await start()
    const jobs = watched === null ? (await strangers(healed, receiver.arrived.map(({ job }) => job))).map((id) => new Watched(id)) : [watched]
    const faults: string[] = []
    for (const job of jobs) {
      const last = await job.end(healed)
      faults.push(...(last === null ? ['the service ended by itself'] : [...faultsOfJob(last, site.pages), ...(await faultsOfVersions(healed, last))]), ...(await settled(deliveryFaults(job.id))))
    }
    if ((await healed.stop()) !== 0) faults.push('the service did not end cleanly')
    return { jobs: jobs.length, killed: true, faults }
  } finally {
    await Promise.all(running.map((service) => service.stop('SIGKILL')))
    await Promise.all([site.close(), receiver.close(), url === undefined ? null : dropDatabase(url)])
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Jobs whose start was committed and not answered: those that run, and those that were heard of. */
async function strangers(service: TestService, heard: readonly string[]): Promise<readonly string[]> {
  const answer = await service.call('GET', '/v2/crawl/active')
  const crawls: readonly { readonly id: string }[] = answer.json.crawls
  return [...new Set([...crawls.map(({ id }) => id), ...heard])]
}

/** Crawls once for each point, until a crawl is over before its point is reached. */
export async function walkCommits(options: WalkOptions): Promise<Walk> {
  const points = options.points[Symbol.iterator]()
  const found: (Point & { readonly point: number })[] = []
  let over = false
  const lane = async (): Promise<void> => {
    for (let next = points.next(); !over && !next.done; next = points.next()) {
      const one = await tryPoint(next.value, options).catch((error: unknown): Point => ({ jobs: 0, killed: true, faults: [String(error)] }))
      over ||= !one.killed
      found.push({ ...one, point: next.value })
      // A walk is long, and may be ended before it has told.
      if (one.faults.length > 0) process.stdout.write(`commit ${next.value}: ${one.faults.join('; ')}\n`)
    }
  }
  await Promise.all(Array.from({ length: options.lanes }, lane))
  const faults = found.flatMap(({ point, faults: those }) => those.map((fault) => `commit ${point}: ${fault}`))
  return { kills: found.filter(({ killed }) => killed).length, jobs: found.reduce((sum, { jobs }) => sum + jobs, 0), faults }
}

export interface RandomOptions extends Where {
  /** Of the crawl; the batch beside it has a fifth of them. */
  readonly pages: number
  readonly kills: number
  readonly seed: number
}

/** Holds pages back until they may come, so that the moments of a run do not depend on how fast a machine is. */
function turnstile() {
  const waiting: (() => void)[] = []
  let tokens = 0
  const admit = (): void => {
    for (; tokens > 0 && waiting.length > 0; tokens -= 1) waiting.shift()?.()
  }
  return {
    pass: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve)
        admit()
      }),
    /** So many more at most; those that are let in for nobody, because the service is gone, are made up for by the next call. */
    allow(count: number) {
      tokens = count
      admit()
    },
  }
}

/** Ends the service again and again at random moments while a crawl and a batch run beside each other. */
export async function killAtRandom({ database, pages, kills, seed }: RandomOptions): Promise<Walk> {
  const gate = turnstile()
  const [site, other, receiver] = [await tortureSite(pages, () => gate.pass()), await tortureSite(Math.floor(pages / 5), () => gate.pass()), await tortureReceiver()]
  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-torture-'))
  const settings = settingsOf(await database?.(), [Number(new URL(site.url).port), Number(new URL(other.url).port), receiver.port])
  const scrapeOptions = { maxAge: 0, storeInCache: false }
  let state = seed
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  let service = await startTrawl({ dataDir, settings })
  let done = 0
  try {
    const crawl = await service.call('POST', '/v2/crawl', { url: `${site.url}/`, sitemap: 'skip', maxConcurrency: 8, webhook: receiver.url, scrapeOptions })
    const batch = await service.call('POST', '/v2/batch/scrape', { urls: other.pages, maxConcurrency: 3, webhook: receiver.url, ...scrapeOptions })
    const jobs = [{ job: new Watched(crawl.json.id), all: site.pages }, { job: new Watched(batch.json.id, 'batch/scrape'), all: other.pages }] as const // prettier-ignore
    // Moments are counted in pages, not by the clock: a service that is never left the time for one would show nothing but its guard against pages that kill.
    const total = site.pages.length + other.pages.length
    for (; done < kills; done += 1) {
      const before = completedOf(jobs)
      // Spread over what is left, so that there is something to kill until the last time.
      const wanted = before + 1 + Math.floor((random() * 1.2 * (total - before)) / (kills - done + 1))
      while (completedOf(jobs) < wanted && (await stillRun(jobs, service))) {
        gate.allow(8)
        await pause(20)
      }
      if (completedOf(jobs) === before) break
      await pause(random() * 30)
      await service.stop('SIGKILL')
      service = await startTrawl({ dataDir, settings })
    }
    gate.allow(Number.POSITIVE_INFINITY)
    const faults: string[] = []
    for (const { job, all } of jobs) {
      const last = await job.end(service, 240_000)
      faults.push(...(last === null ? ['the service ended by itself'] : faultsOfJob(await whole(service, last), all)))
    }
    faults.push(...(await settled(() => jobs.flatMap(({ job, all }) => faultsOfDeliveries(receiver.arrived, job.id, all.length)))))
    if ((await service.stop()) !== 0) faults.push('the service did not end cleanly')
    return { kills: done, jobs: jobs.length, faults }
  } finally {
    await service.stop('SIGKILL')
    await Promise.all([site.close(), other.close(), receiver.close()])
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Jobs = readonly { readonly job: Watched }[]

const completedOf = (jobs: Jobs): number => jobs.reduce((sum, { job }) => sum + job.completed, 0)

/** Looks at the jobs; answers whether one still runs. */
async function stillRun(jobs: Jobs, service: TestService): Promise<boolean> {
  const states = []
  for (const { job } of jobs) states.push((await job.look(service))?.status)
  return states.includes('scraping')
}
