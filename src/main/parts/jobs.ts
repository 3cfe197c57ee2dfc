import { randomUUID } from 'node:crypto'
import type { Admission } from '../../app/admission.ts'
import { jobMemory } from '../../app/jobs/pages/memory.ts'
import type { StartPorts, WorkPorts } from '../../app/jobs/ports.ts'
import { runRecall } from '../../app/jobs/pages/recall.ts'
import { runSeed } from '../../app/jobs/start/seed.ts'
import { startCrawl } from '../../app/jobs/start/start-crawl.ts'
import { startBatch } from '../../app/jobs/start/start-batch.ts'
import { crawlOptions } from '../../app/jobs/start/crawl-options.ts'
import { type PageWorkPorts, workOnPage } from '../../app/jobs/pages/work.ts'
import type { ScrapePorts } from '../../app/scrape/scrape.ts'
import type { SitePorts } from '../../app/site/ports.ts'
import { robotsShelf } from '../../app/site/robots-shelf.ts'
import { recallTask, seedTask, type Task } from '../../domain/queue.ts'
import type { Store } from '../../domain/store.ts'
import type { HttpPorts, Log } from '../../http/ports.ts'
import { heldUp } from '../../lib/held-up.ts'
import { newId } from '../../lib/new-id.ts'
import { pausableClock } from '../../lib/pausable-clock.ts'
import { steadyNow } from '../../lib/steady-now.ts'
import { hosts } from '../../worker/hosts.ts'
import { load } from '../../worker/load.ts'
import { type Loop, workerLoop } from '../../worker/loop.ts'
import { type PagePump, pagePump } from '../../worker/pages.ts'
import type { Config } from '../settings/config.ts'
import { ownCall } from './own-call.ts'
import type { Webhooks } from './webhooks.ts'

/** The parts of jobs. */
export interface JobParts {
  readonly config: Config
  readonly store: Store
  readonly scraping: ScrapePorts
  readonly site: SitePorts
  readonly admission: Admission
  readonly webhooks: Webhooks
  readonly log: Log
}

/** Batches and crawls in this process: every process may start them; workers process their pages. */
export interface JobWork {
  readonly startBatch: HttpPorts['startBatch']
  readonly startCrawl: HttpPorts['startCrawl']
  readonly crawlOptions: HttpPorts['crawlOptions']
  /** Reads the sitemaps of crawls; to be started if the process is a worker. */
  readonly seeds: Loop
  /** Processes pages; to be started if the process is a worker. */
  readonly pump: PagePump
}

/** Limit for one attempt at a site's sitemaps. */
const seedMs = 1_800_000
/** How many crawls' sitemaps are read at once. Separate from other tasks: a slow site must not delay a request. */
const seedsAtOnce = 8
/** Pages leased beyond those being processed: they wait for their host. */
const waitingRoom = 64

function startPorts({ config, store, scraping, site, webhooks }: JobParts): StartPorts {
  return {
    ...scraping,
    jobs: store.jobs,
    receivers: webhooks,
    fallback: webhooks.fallback,
    newId,
    breathe: site.breathe,
    teamPlaces: config.TRAWL_TEAM_CONCURRENCY,
    teamQueue: config.TRAWL_TEAM_QUEUE,
  }
}

/** The calls of work on jobs. */
function callFor(log: Log, now: () => number): PageWorkPorts['callFor'] {
  const held = heldUp(steadyNow)
  return ({ job, ...terms }, stopped) => {
    const clock = pausableClock(now, held, steadyNow)
    const call = ownCall({ ...terms, fields: { job } }, stopped, { log, now, clock })
    return {
      ...call,
      background: true,
      clock,
      end: () => {
        clock.dispose()
        call.end()
      },
    }
  }
}

/** Joins the parts of batches and crawls. */
export function jobWork(parts: JobParts): JobWork {
  const { config, store, scraping, site, admission, log } = parts
  const robots = robotsShelf(site)
  const say: WorkPorts['log'] = (event, fields) => log('warn', event, fields)
  const memory = jobMemory(store.jobs, robots.peek)
  const lanes = hosts(steadyNow)
  const measured = load()
  const newCall = callFor(log, scraping.now)
  const work: PageWorkPorts = {
    ...scraping,
    jobs: store.jobs,
    site,
    robots,
    newId,
    log: say,
    memory,
    admission,
    pace: { enter: lanes.enter, load: measured.lately },
    callFor: newCall,
  }
  const pump = pagePump(
    { jobs: store.jobs, run: (task, signal) => workOnPage(task, work, signal), busyHosts: lanes.busy, crowdedHosts: lanes.crowded, running: store.name === 'sqlite' ? admission.running : () => ({}), onChange: store.queue.onChange },
    {
      worker: randomUUID(),
      places: config.TRAWL_MAX_CONCURRENCY,
      waitingRoom,
      teamPlaces: config.TRAWL_TEAM_CONCURRENCY,
      leaseMs: config.TRAWL_LEASE_MS,
      now: scraping.now,
      log: say,
    },
  )
  const seed = (task: Task, lost: AbortSignal): Promise<string> => runSeed(task, { ...work, callFor: (retention) => newCall({ team: task.team, timeoutMs: seedMs, retention, job: task.id }, lost) })
  const start = startPorts(parts)
  return {
    startBatch: (request, caller) => startBatch(request, start, caller),
    startCrawl: (request, caller) => startCrawl(request, start, caller),
    crawlOptions: (wished, call) => crawlOptions(wished, { model: scraping.model ?? null }, call),
    seeds: workerLoop(store.queue, { worker: randomUUID(), handlers: { [seedTask]: seed, [recallTask]: (task) => runRecall(task, { ...work, versions: store.versions }) }, concurrency: seedsAtOnce, leaseMs: config.TRAWL_LEASE_MS, now: scraping.now, log: say }),
    pump: {
      start: pump.start,
      async stop(graceMs) {
        await pump.stop(graceMs).finally(measured.stop)
      },
    },
  }
}
