/** Kills the service at random moments, and checks what is left. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTrawl, type TestService } from '../service.ts'
import { pause, settingsOf, settled, type Walk, type Where } from './kill.ts'
import { faultsOfDeliveries, tortureReceiver, tortureSite, Watched, whole } from './world.ts'

export interface RandomOptions extends Where {
  /** Pages of the crawl; the concurrent batch has a fifth of them. */
  readonly pages: number
  readonly kills: number
  readonly seed: number
}

/** Holds pages back until they are admitted, so that the moments of a run do not depend on the speed of the machine. */
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
    /**
     * Admits at most this many more; pages that were admitted while the service was gone are made up for by the next
     * call.
     */
    allow(count: number) {
      tokens = count
      admit()
    },
  }
}

/** Kills the service repeatedly at random moments while a crawl and a batch run concurrently. */
export async function killAtRandom({ database, pages, kills, seed }: RandomOptions): Promise<Walk> {
  const gate = turnstile()
  const [site, other, receiver] = [await tortureSite(pages, () => gate.pass()), await tortureSite(Math.floor(pages / 5), () => gate.pass()), await tortureReceiver()]
  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-torture-'))
  const settings = settingsOf(await database?.())
  const scrapeOptions = { maxAge: 0, storeInCache: false }
  let state = seed
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  let service = await startTrawl({ dataDir, settings })
  let done = 0
  try {
    const crawl = await service.call('POST', '/v2/crawl', { url: `${site.url}/`, sitemap: 'skip', maxConcurrency: 8, webhook: receiver.url, scrapeOptions })
    const batch = await service.call('POST', '/v2/batch/scrape', { urls: other.pages, maxConcurrency: 3, webhook: receiver.url, ...scrapeOptions })
    const jobs = [{ job: new Watched(crawl.json.id), all: site.pages }, { job: new Watched(batch.json.id, 'batch/scrape'), all: other.pages }] as const
    // Moments are counted in pages, not by the clock: a service that never has the time to finish a page would only
    // show its guard against pages that kill the process.
    const total = site.pages.length + other.pages.length
    for (; done < kills; done += 1) {
      const before = completedOf(jobs)
      // Spread over the remaining pages, so that something is running at every kill.
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
      faults.push(...(last === null ? ['the service ended by itself'] : await job.faults(service, await whole(service, last), all)))
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

/** Checks the jobs; returns whether one is still running. */
async function stillRun(jobs: Jobs, service: TestService): Promise<boolean> {
  const states = []
  for (const { job } of jobs) states.push((await job.look(service))?.status)
  return states.includes('scraping')
}
