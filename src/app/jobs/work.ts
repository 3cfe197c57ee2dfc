import type { Admission } from '../admission.ts'
import type { Call } from '../../domain/call.ts'
import { type Engine, header } from '../../domain/capture.ts'
import type { Compute } from '../../domain/derivation.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { PageTask } from '../../domain/jobs/pages.ts'
import type { HostLimits, HostOutcome } from '../../domain/politeness.ts'
import { asksRobots, hostDelay } from './bounds.ts'
import type { JobMemory, KnownJob } from './memory.ts'
import { isOverwhelmed } from './overwhelmed.ts'
import { type PageRun, runPage, type SiteAnswer } from './page.ts'
import type { WorkPorts } from './ports.ts'
import type { OpenVisit } from './visits.ts'

/** The pace that is kept at hosts, as pages of jobs need it. */
export interface Pace {
  /** A turn at the host, or in how long to come again. */
  enter(host: string, limits: HostLimits, signal: AbortSignal): Promise<{ readonly startedAt: number; end(outcome: HostOutcome): void } | { readonly inMs: number }>
  /** How late, and how busy, this process was lately. */
  load(): { readonly lag: number; readonly busy: number }
}

export interface PageWorkPorts extends WorkPorts {
  readonly memory: JobMemory
  readonly pace: Pace
  readonly admission: Pick<Admission, 'enterBehind'>
  /** Makes the call on whose behalf a page is fetched: it aborts at its deadline, and with the signal. */
  readonly callFor: (terms: { readonly team: string; readonly key?: Call['key']; readonly timeoutMs: number; readonly retention: Call['retention']; readonly job: string }, signal: AbortSignal) => Call & { end(): void }
}

/** Requests to one host at once, whatever it can take. */
const hostMost = 100
const notModified = 304
/** How soon a page is looked at again that may be what a redirect under way brings. */
const redirectMs = 1_000
/** What a page that came home as one says of the host: that it has too much to do, or wants to be left alone. */
const inTrouble = { fault: 'SCRAPE_SITE_ERROR' } as const
const faultsOfHost: ReadonlySet<string> = new Set(['SCRAPE_SITE_ERROR', 'SCRAPE_TIMEOUT'])

type PageOfJob = Pick<Visit, 'task' | 'known'>

/** What is allowed at the host of a page: by robots.txt where it says so and the crawl's request does not, whatever other hosts and jobs want; else by what the host can take. */
function limitsFor(page: PageOfJob, ports: PageWorkPorts): HostLimits {
  return { maxInFlight: hostMost, delay: page.known.crawl?.request.delay === undefined ? hostDelay(page, ports) : 0 }
}

/** The call of a page's job. */
function callOf({ task, known }: PageOfJob, ports: PageWorkPorts, stopped: AbortSignal): Call & { end(): void } {
  const { timeout } = known.page(task.url)
  return ports.callFor({ team: task.team, key: known.job.key, timeoutMs: timeout, retention: known.job.retention, job: task.job }, stopped)
}

/** What a host says to crawlers is known before its first page has a turn: how long it wants to be left alone between two is part of that. */
async function introduced({ task, known }: PageOfJob, ports: PageWorkPorts, stopped: AbortSignal): Promise<void> {
  const { crawl } = known
  if (crawl === null || !asksRobots(crawl) || ports.robots.peek(task.url, crawl.way) !== null) return
  const call = callOf({ task, known }, ports, stopped)
  try {
    await ports.robots.of(task.url, call, { way: crawl.way })
  } catch {
    // The page finds that out itself.
    stopped.throwIfAborted()
  } finally {
    call.end()
  }
}

function outcomeOf(answer: SiteAnswer, startedAt: number, { pace }: PageWorkPorts): HostOutcome {
  if (answer === null) return { kind: 'unused' }
  if ('fault' in answer) return faultsOfHost.has(answer.fault) ? { kind: 'unanswered', startedAt } : { kind: 'unused' }
  return { kind: 'answered', startedAt, ...answer, ...pace.load() }
}

/** An answer of the site. */
type Heard = Extract<SiteAnswer, { readonly status: number }>

/** Engines that tell when they have brought a page, before anybody reads or writes it. */
function telling(engines: readonly Engine[], now: () => number, told: (answer: Heard) => void): readonly Engine[] {
  return engines.map((engine) => ({
    name: engine.name,
    can: engine.can,
    cost: engine.cost,
    async fetch(order, call) {
      const started = now()
      const verdict = await engine.fetch(order, call)
      // What a browser takes says little about the host.
      if (verdict.kind !== 'needs' && engine.name === 'http') told({ status: verdict.kind === 'captured' ? verdict.capture.status : notModified, retryAfter: header(verdict.capture, 'retry-after'), ms: now() - started })
      return verdict
    },
  }))
}

interface Visit {
  readonly task: PageTask
  readonly known: KnownJob
  readonly open: OpenVisit | null
  /** Told what the site answered, as soon as that is read. */
  readonly answered: (answer: SiteAnswer) => void
}

async function visit({ task, known, open, answered }: Visit, ports: PageWorkPorts, stopped: AbortSignal): Promise<PageRun> {
  const place = await ports.admission.enterBehind(task.team, stopped)
  const call = callOf({ task, known }, ports, stopped)
  let answer: SiteAnswer = null
  const engines = telling(ports.engines, ports.now, (told) => {
    answer = told
    // There is nothing to be read.
    if (told.status === notModified) answered(told)
  })
  /** More is fetched when this is read: what piles up in between would only wait, and be fetched again by the next process. */
  const derive: Compute['derive'] = async (...asked) => {
    try {
      const page = await ports.compute.derive(...asked)
      if (answer !== null && (isOverwhelmed(asked[0], page.facts) || page.facts.verdict === 'challenge')) answer = inTrouble
      return page
    } finally {
      if (answer !== null) answered(answer)
    }
  }
  try {
    if (open?.begins() === false) return await comeAgain(task, redirectMs, ports)
    return await runPage({ task, known, open, queuedMs: place.waitedMs }, { ...ports, engines, compute: { ...ports.compute, derive } }, { ...call, stopped })
  } finally {
    call.end()
    place.release()
  }
}

/** Does a page in its turn at the host; where that is far off, gives it back until then. */
async function inTurn({ task, known, open }: Omit<Visit, 'answered'>, ports: PageWorkPorts, stopped: AbortSignal): Promise<PageRun & { readonly pauseMs: number }> {
  await introduced({ task, known }, ports, stopped)
  const limits = limitsFor({ task, known }, ports)
  const turn = await ports.pace.enter(task.host, limits, stopped)
  if ('inMs' in turn) return comeAgain(task, turn.inMs, ports)
  let over = false
  const end = (answer: SiteAnswer): void => {
    if (!over) turn.end(outcomeOf(answer, turn.startedAt, ports))
    over = true
  }
  try {
    // Where the site wants pauses between pages, a page is not over before a browser, too, has had it.
    const run = await visit({ task, known, open, answered: limits.delay > 0 ? () => undefined : end }, ports, stopped)
    end(run.answer)
    return { ...run, pauseMs: limits.delay }
  } finally {
    end(null)
  }
}

async function comeAgain(task: PageTask, inMs: number, { jobs, now }: PageWorkPorts): Promise<PageRun & { readonly pauseMs: number }> {
  await jobs.giveBack(task, { runAt: now() + inMs, postponed: false }, now())
  return { againInMs: inMs, answer: null, delivered: null, pauseMs: 0 }
}

/**
 * Does a leased page from its turn at the host to the end that is written; answers in how many milliseconds more of its job may be due, if ever by
 * itself. Throws what the store throws and the reason of `stopped`; the page is then still leased.
 */
export async function workOnPage(task: PageTask, ports: PageWorkPorts, stopped: AbortSignal): Promise<number | null> {
  const known = await ports.memory.of(task.job)
  if (known === null) throw new ServiceError('NOT_FOUND', 'The job of the page is gone.')
  const open = known.crawl === null ? null : known.crawl.visits.begin(task.key)
  if (open === null && known.crawl !== null) return (await comeAgain(task, redirectMs, ports)).againInMs
  let delivered: string | null = null
  try {
    const run = await inTurn({ task, known, open }, ports, stopped)
    delivered = run.delivered
    // Nothing but time brings more where pages keep a distance.
    return run.againInMs ?? (Math.max(known.job.delayMs, run.pauseMs) || null)
  } finally {
    open?.end(delivered)
  }
}
