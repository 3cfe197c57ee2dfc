import type { Admission } from '../../admission.ts'
import type { Call } from '../../../domain/call.ts'
import { type Engine, header } from '../../../domain/pages/capture.ts'
import type { Compute } from '../../../domain/pages/derivation.ts'
import { ServiceError } from '../../../domain/errors.ts'
import type { PageTask } from '../../../domain/jobs/pages.ts'
import { type HostLimits, type HostOutcome, retryAfter } from '../../../domain/fetching/politeness.ts'
import { hasAnsweredBefore } from './answered.ts'
import { asksRobots, hostDelay, isFoundOnSite, type PageVisit, type VisitedHost } from './bounds.ts'
import type { JobMemory } from './memory.ts'
import { isOverwhelmed } from './overwhelmed.ts'
import { type PageRun, runPage, type SiteAnswer } from './page.ts'
import type { WorkPorts } from '../ports.ts'

/** A turn at a host: ends with `end` or `away`. */
interface HostTurn extends VisitedHost {
  readonly startedAt: number
  end(outcome: HostOutcome): void
}

/** Paces requests to hosts. */
export interface Pace {
  /** A turn at the host, or in how many milliseconds to come again. */
  enter(page: Pick<PageTask, 'host' | 'url'>, limits: HostLimits, signal: AbortSignal): Promise<HostTurn | { readonly inMs: number }>
  /** This process's recent event-loop lag and load. */
  load(): { readonly lag: number; readonly busy: number }
}

export interface PageWorkPorts extends WorkPorts {
  readonly memory: JobMemory
  readonly pace: Pace
  readonly admission: Pick<Admission, 'enterBehind'>
  /** Makes the call for which a page is fetched: it aborts at its deadline, and with the signal. */
  readonly callFor: (terms: { readonly team: string; readonly key?: Call['key']; readonly timeoutMs: number; readonly retention: Call['retention']; readonly job: string }, signal: AbortSignal) => Call & { end(): void }
}

/** Upper bound of concurrent requests to one host, whatever it can take. */
const hostMost = 100
const notModified = 304
/** How soon to look again at a page that a redirect under way may deliver. */
const redirectMs = 1_000
/** What an overload or challenge page says about its host: slow down. */
const inTrouble = { fault: 'SCRAPE_SITE_ERROR' } as const
const faultsOfHost: ReadonlySet<string> = new Set(['SCRAPE_SITE_ERROR', 'SCRAPE_TIMEOUT'])

type PageOfJob = Pick<PageVisit, 'task' | 'known'>

/** The pace at a page's host: the delay that robots.txt asks for, unless the crawl sets its own; otherwise whatever the host can take. */
function limitsFor(page: PageOfJob, ports: PageWorkPorts): HostLimits {
  return { maxInFlight: hostMost, delay: page.known.crawl?.request.delay === undefined ? hostDelay(page, ports) : 0 }
}

/** The call of a page's job. */
function callOf({ task, known }: PageOfJob, ports: PageWorkPorts, stopped: AbortSignal): Call & { end(): void } {
  const { timeout } = known.page(task.url)
  return ports.callFor({ team: task.team, key: known.job.key, timeoutMs: timeout, retention: known.job.retention, job: task.job }, stopped)
}

/** Reads a host's robots.txt before its first page gets a turn, since it may ask for a delay between pages. */
async function introduced({ task, known }: PageOfJob, ports: PageWorkPorts, stopped: AbortSignal): Promise<void> {
  const { crawl } = known
  if (crawl === null || !asksRobots(crawl) || ports.robots.peek(task.url, crawl.wayTo(task.url)) !== null) return
  const call = callOf({ task, known }, ports, stopped)
  try {
    await ports.robots.of(task.url, call, { way: crawl.wayTo(task.url), begins: task.seq === 1 })
  } catch {
    // The page's own fetch reports that error.
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

/** Engines that report an answer as soon as it has arrived, before it is read or written. */
function telling(engines: readonly Engine[], now: () => number, told: (answer: Heard) => void): readonly Engine[] {
  return engines.map((engine) => ({
    name: engine.name,
    can: engine.can,
    cost: engine.cost,
    async fetch(order, call) {
      const started = now()
      const fetched = await engine.fetch(order, call)
      // How long a browser takes says little about the host.
      if (fetched.kind !== 'needs' && engine.name === 'http') told({ status: fetched.kind === 'captured' ? fetched.capture.status : notModified, holdMs: retryAfter(header(fetched.capture, 'retry-after'), now()), ms: now() - started })
      return fetched
    },
  }))
}

interface Visit extends Omit<PageVisit, 'queuedMs'> {
  /** Called with the site's answer as soon as the page is read. */
  readonly answered: (answer: SiteAnswer) => void
}

async function visit({ task, known, open, host, answered }: Visit, ports: PageWorkPorts, stopped: AbortSignal): Promise<PageRun> {
  const place = await ports.admission.enterBehind(task.team, stopped)
  const call = callOf({ task, known }, ports, stopped)
  let answer: SiteAnswer = null
  const engines = telling(ports.engines, ports.now, (told) => {
    answer = told
    // A 304 has no body to read.
    if (told.status === notModified) answered(told)
  })
  /** The host's turn ends only after reading: pages fetched faster would only pile up, and be fetched again by the next process. */
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
    return await runPage({ task, known, open, queuedMs: place.waitedMs, host: { ...host, isSilent: () => answer === null && host.isSilent() } }, { ...ports, engines, compute: { ...ports.compute, derive } }, { ...call, stopped })
  } finally {
    call.end()
    place.release()
  }
}

/** Works on a page when its host's turn comes; gives it back if that is far off. */
async function inTurn({ task, known, open }: Omit<Visit, 'answered' | 'host'>, ports: PageWorkPorts, stopped: AbortSignal): Promise<PageRun & { readonly pauseMs: number }> {
  await introduced({ task, known }, ports, stopped)
  const limits = limitsFor({ task, known }, ports)
  const before = await hasAnsweredBefore({ task, known }, ports)
  const turn = await ports.pace.enter(task, limits, stopped)
  if ('inMs' in turn) return comeAgain(task, turn.inMs, ports)
  let over = false
  const end = (answer: SiteAnswer): void => {
    if (!over) turn.end(outcomeOf(answer, turn.startedAt, ports))
    over = true
  }
  const host: VisitedHost = {
    hasAnswered: turn.hasAnswered || before || isFoundOnSite({ task, known }),
    isSilent: () => turn.isSilent(),
    nobodyAnswers: () => turn.nobodyAnswers(),
    away(kind) {
      // It has answered for this page, and the turn ended then.
      if (over) return null
      over = true
      return turn.away(kind)
    },
  }
  try {
    // With a delay between pages, the turn lasts until a browser, too, is done with the page.
    const run = await visit({ task, known, open, host, answered: limits.delay > 0 ? () => undefined : end }, ports, stopped)
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
 * Takes a leased page from its turn at the host to its written end. Answers in how many milliseconds more of its job may be due, null if that
 * is unknown. Throws what the store throws, and the reason of `stopped`: the page is then still leased.
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
    // With a delay between pages, nothing but time makes the next one due.
    return run.againInMs ?? (Math.max(known.job.delayMs, run.pauseMs) || null)
  } finally {
    open?.end(delivered)
  }
}
