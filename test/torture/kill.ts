/** Ends the service at chosen and at random moments, and looks at what is left. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTrawl, type TestService } from '../service.ts'
import { faultsOfDeliveries, faultsOfJob, tortureReceiver, tortureSite, unlessGone, Watched } from './world.ts'

/** What a walk found. */
export interface Walk {
  /** Commits at which the service was ended. */
  readonly kills: number
  readonly jobs: number
  readonly faults: readonly string[]
}

export interface WalkOptions {
  /** Of the database; the embedded store without one. */
  readonly databaseUrl?: string
  readonly pages: number
  /** The commits to end the service at. */
  readonly points: Iterable<number>
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

/** The id of the crawl, whether its start was answered or only committed; null when neither. */
async function crawlOf(service: TestService, body: object): Promise<string | null> {
  const started = await unlessGone(service.call('POST', '/v2/crawl', body))
  if (started !== null && started.status !== 200) throw new Error(`the crawl was refused: ${started.text}`)
  return started?.json.id ?? null
}

/** Jobs that the service knows of, and the test does not yet. */
async function strangers(service: TestService, known: ReadonlySet<string>): Promise<readonly string[]> {
  const answer = await service.call('GET', '/v2/crawl/active')
  const crawls: readonly { readonly id: string }[] = answer.json.crawls
  return crawls.map(({ id }) => id).filter((id) => !known.has(id))
}

/** Crawls once for each point; ends the service at that commit, starts it again and lets the crawl end. Stops when a crawl ends before its point. */
export async function walkCommits({ databaseUrl, pages, points }: WalkOptions): Promise<Walk> {
  const site = await tortureSite(pages)
  const receiver = await tortureReceiver()
  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-torture-'))
  const settings = settingsOf(databaseUrl, [Number(new URL(site.url).port), receiver.port])
  const body = { url: `${site.url}/`, sitemap: 'skip', webhook: receiver.url, scrapeOptions: { maxAge: 0, storeInCache: false } }
  const faults: string[] = []
  const ended: string[] = []
  let kills = 0
  try {
    for (const point of points) {
      const doomed = await startTrawl({ dataDir, settings: { ...settings, TRAWL_CRASH_POINT: String(point) } })
      const id = await crawlOf(doomed, body)
      const watched = id === null ? null : new Watched(id)
      const early = await watched?.end(doomed)
      if (early) {
        ended.push(watched?.id ?? '')
        faults.push(...faultsOfJob(early, site.pages).map((fault) => `before commit ${point}: ${fault}`))
        await doomed.stop()
        break
      }
      await doomed.stop('SIGKILL')
      kills += 1
      const healed = await startTrawl({ dataDir, settings })
      const found = watched === null ? (await strangers(healed, new Set(ended))).map((one) => new Watched(one)) : [watched]
      for (const one of found) {
        const last = await one.end(healed)
        ended.push(one.id)
        faults.push(...(last === null ? ['the service ended by itself'] : faultsOfJob(last, site.pages)).map((fault) => `commit ${point}: ${fault}`))
      }
      await healed.stop('SIGKILL')
    }
    const last = await startTrawl({ dataDir, settings })
    faults.push(...(await deliveryFaults(() => ended.flatMap((id) => faultsOfDeliveries(receiver.arrived, id, pages).map((fault) => `deliveries of ${id}: ${fault}`)))))
    if ((await strangers(last, new Set())).length > 0) faults.push('a job still runs')
    if ((await last.stop()) !== 0) faults.push('the last service did not end cleanly')
    return { kills, jobs: ended.length, faults }
  } finally {
    await Promise.all([site.close(), receiver.close()])
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Deliveries that a dead process had leased come after their lease: wait for them, then say what is still wrong. */
async function deliveryFaults(look: () => readonly string[], limitMs = 90_000): Promise<readonly string[]> {
  for (let waited = 0; waited < limitMs; waited += 200) {
    if (look().length === 0) return []
    await pause(200)
  }
  return look()
}

/** Ends the service again and again at random moments while a crawl and a batch run beside each other. */
export async function killAtRandom({ databaseUrl, pages, kills, seed }: { readonly databaseUrl?: string; readonly pages: number; readonly kills: number; readonly seed: number }): Promise<Walk> {
  const site = await tortureSite(pages, 20)
  const other = await tortureSite(Math.floor(pages / 5), 20)
  const receiver = await tortureReceiver()
  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-torture-'))
  const settings = settingsOf(databaseUrl, [Number(new URL(site.url).port), Number(new URL(other.url).port), receiver.port])
  const scrapeOptions = { maxAge: 0, storeInCache: false }
  let state = seed
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  let done = 0
  try {
    let service = await startTrawl({ dataDir, settings })
    const crawl = await service.call('POST', '/v2/crawl', { url: `${site.url}/`, sitemap: 'skip', maxConcurrency: 10, webhook: receiver.url, scrapeOptions })
    const batch = await service.call('POST', '/v2/batch/scrape', { urls: other.pages, maxConcurrency: 3, webhook: receiver.url, ...scrapeOptions })
    const jobs = [new Watched(crawl.json.id), new Watched(batch.json.id, 'batch/scrape')] as const
    for (; done < kills; done += 1) {
      await pause(50 + random() * 500)
      for (const job of jobs) await job.look(service)
      await service.stop('SIGKILL')
      service = await startTrawl({ dataDir, settings })
    }
    const [crawled, batched] = [await jobs[0].end(service, 240_000), await jobs[1].end(service, 240_000)]
    const faults = [...(crawled === null ? ['gone'] : faultsOfJob(await whole(service, crawled), site.pages)), ...(batched === null ? ['gone'] : faultsOfJob(await whole(service, batched), other.pages))]
    faults.push(...(await deliveryFaults(() => [...faultsOfDeliveries(receiver.arrived, jobs[0].id, site.pages.length), ...faultsOfDeliveries(receiver.arrived, jobs[1].id, other.pages.length)])))
    await service.stop()
    return { kills: done, jobs: 2, faults }
  } finally {
    await Promise.all([site.close(), other.close(), receiver.close()])
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Status = NonNullable<Awaited<ReturnType<Watched['look']>>>

/** A status with the documents of all its pages. */
async function whole(service: TestService, first: Status): Promise<Status> {
  const data = [...first.data]
  for (let { next } = first; next; ) {
    const page: Status = (await service.call('GET', next.slice(service.base.length))).json
    data.push(...page.data)
    next = page.next
  }
  return { ...first, data }
}
