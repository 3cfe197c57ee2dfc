import { randomUUID } from 'node:crypto'
import { type Admission, admission } from '../app/admission.ts'
import { turns } from '../app/meaning/turns.ts'
import { delegateScrape, needsNoEngine, runDelegatedScrape, scrapeTask } from '../app/delegate.ts'
import { rateLimits } from '../app/rate-limits.ts'
import { keptLessons } from '../app/scrape/lessons.ts'
import { type ScrapePorts, scrape } from '../app/scrape/scrape.ts'
import { wallMemory } from '../app/scrape/walls.ts'
import { cacheShelf } from '../app/scrape/shelf.ts'
import { compute } from '../compute/index.ts'
import type { Capability } from '../domain/pages/capture.ts'
import { errandLog } from '../http/call.ts'
import type { HttpPorts } from '../http/ports.ts'
import { newId } from '../lib/new-id.ts'
import { every, sleep } from '../lib/sleep.ts'
import { steadyNow } from '../lib/steady-now.ts'
import { spareOf } from '../lib/team-counts.ts'
import { fileParsers } from '../parsers/index.ts'
import { type Loop, type LoopOptions, workerLoop } from '../worker/loop.ts'
import { systemClock } from './clock.ts'
import { processMetrics } from './metrics.ts'
import { extractorOf } from './parts/extractor.ts'
import type { Outbound } from './parts/outbound.ts'
import type { Parts } from './parts/parts.ts'
import { ocrOf } from './parts/sandbox.ts'
import type { Role } from './settings/options.ts'

const hourMs = 3_600_000
/** How many pages of a template are given to a model at once while the template is being learned. */
const learnersAtOnce = 4
/** What the service can do besides fetching. */
const features: ReadonlySet<Capability> = new Set(['pdf', 'javascript', 'mobile', 'screenshot', 'enhanced-proxy', 'actions', 'profile', 'change-tracking', 'branding', 'media'])

/** The ports of scrapes over the parts; `close` ends the threads and processes that read pages. */
export function scrapePorts(parts: Parts, engines: Outbound['engines'], background: ScrapePorts['background']): ScrapePorts & { close(): Promise<void> } {
  const { config, store, blobs } = parts
  const reader = compute()
  const files = fileParsers({ ocr: ocrOf(config), now: systemClock.now })
  return {
    shelf: cacheShelf({ cache: store.cache, blobs, now: systemClock.now, newId }),
    engines,
    compute: reader,
    analyse: reader.analyse,
    learned: config.TRAWL_TEMPLATE_LEARNING === 'on' ? { templates: store.templates, turns: turns(learnersAtOnce) } : null,
    bodies: parts.bodies,
    pdf: files,
    documents: files,
    ocr: files.ocr,
    features,
    model: parts.model,
    pools: parts.out.pools,
    gates: parts.terms.gates,
    ledger: parts.ledger,
    results: store.results,
    fetcher: parts.out.fetcher,
    extractor: extractorOf(config, parts.out),
    blobs,
    retentionMs: config.TRAWL_RETENTION_HOURS * hourMs,
    background,
    lessons: keptLessons(store.lessons, steadyNow),
    walls: wallMemory(),
    versions: store.versions,
    profiles: parts.profiles,
    now: systemClock.now,
    close: async () => void (await Promise.all([reader.close(), files.close()])),
  }
}

/** The admission that the settings ask for. */
export function admissionOf({ config, store }: Parts): Admission {
  return admission({
    places: config.TRAWL_MAX_CONCURRENCY,
    teamPlaces: config.TRAWL_TEAM_CONCURRENCY,
    processQueue: config.TRAWL_PROCESS_QUEUE,
    teamQueue: config.TRAWL_TEAM_QUEUE,
    slots: store.name === 'postgres' ? store.slots : null,
    spare: spareOf,
    now: systemClock.now,
    sleep,
    every,
  })
}

/** Scrapes in this process if it can, otherwise through a worker of the fleet. */
export function scraper(parts: Parts, ports: ScrapePorts, roles: readonly Role[]): HttpPorts['scrape'] {
  if (roles.includes('worker')) return (job, call) => scrape(job, ports, call)
  const delegate = { queue: parts.store.queue, blobs: parts.blobs, now: systemClock.now, sleep }
  return (job, call) => (needsNoEngine(job, ports, call) ? scrape(job, ports, call) : delegateScrape(job, delegate, call))
}

/** The ports of the edge that are created once for all roles. */
type Given = Pick<HttpPorts, 'admission' | 'idempotency' | 'scrape' | 'parse' | 'startBatch' | 'startCrawl' | 'crawlOptions' | 'map' | 'search' | 'keyUsed' | 'sessions' | 'peers'> & { readonly tasks: Loop | null }

/** The ports of the edge. */
export function httpPorts(parts: Parts, { tasks, ...given }: Given): HttpPorts {
  const { config, store, blobs, log } = parts
  const now = systemClock.now
  return {
    accounts: store.accounts,
    results: { results: store.results, blobs, ledger: parts.ledger, retentionMs: config.TRAWL_RETENTION_HOURS * hourMs, now },
    ...given,
    bodies: parts.bodies,
    profiles: parts.profiles,
    rates: rateLimits({ each: config.TRAWL_RATE_LIMITS, ofTeam: parts.terms.rates, now: steadyNow }),
    jobs: store.jobs,
    versions: store.versions,
    team: { teams: store.teams, jobs: store.jobs, ledger: parts.ledger, admission: given.admission, teamPlaces: config.TRAWL_TEAM_CONCURRENCY, now },
    live: { ...given.sessions.keeper.doors, tokens: given.sessions.tokens },
    blobs,
    blobsInUse: store.blobsInUse,
    onChange: store.queue.onChange,
    log,
    metrics: processMetrics({ admission: () => given.admission, tasks: () => tasks?.size() ?? 0, bodies: parts.bodies, sessions: () => parts.out.browser.sessions.size, tallies: parts.tallies, backlog: store.backlog }, now()),
    now,
    newId,
  }
}

/** The loop that works on the tasks of other processes: scrapes, and what `handlers` are for. */
export function taskLoop({ config, store, log }: Parts, ports: ScrapePorts, handlers: LoopOptions['handlers']): Loop {
  return workerLoop(store.queue, {
    worker: randomUUID(),
    handlers: {
      ...handlers,
      [scrapeTask]: (task, lost) => runDelegatedScrape(task, (job, call) => scrape(job, ports, call), { ...ports, lost, logOf: errandLog(task.id, log) }),
    },
    concurrency: config.TRAWL_MAX_CONCURRENCY,
    leaseMs: config.TRAWL_LEASE_MS,
    now: systemClock.now,
    log: (event, fields) => log('warn', event, fields),
  })
}
