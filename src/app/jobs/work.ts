import type { Admission } from '../admission.ts'
import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { PageTask } from '../../domain/jobs.ts'
import type { HostLimits, HostOutcome } from '../../domain/politeness.ts'
import type { JobMemory, KnownJob } from './memory.ts'
import { runPage, type SiteAnswer } from './page.ts'
import type { WorkPorts } from './ports.ts'

/** The pace that is kept at hosts, as pages of jobs need it. */
export interface Pace {
  enter(host: string, limits: HostLimits, signal: AbortSignal): Promise<{ readonly startedAt: number; end(outcome: HostOutcome): void }>
  /** How late, and how busy, this process was lately. */
  load(): { readonly lag: number; readonly busy: number }
}

export interface PageWorkPorts extends WorkPorts {
  readonly memory: JobMemory
  readonly pace: Pace
  readonly admission: Pick<Admission, 'enterBehind'>
  /** Makes the call on whose behalf a page is fetched: it aborts at its deadline, and with the signal. */
  readonly callFor: (terms: { readonly team: string; readonly timeoutMs: number; readonly retention: Call['retention']; readonly job: string }, signal: AbortSignal) => Call & { end(): void }
}

/** Requests to one host at once, whatever it can take. */
const hostMost = 100
const maxCrawlDelayMs = 60_000
const faultsOfHost: ReadonlySet<string> = new Set(['SCRAPE_SITE_ERROR', 'SCRAPE_TIMEOUT'])

/** What is allowed at the host of a page: by robots.txt where it says so and the job does not, else by what the host can take. */
function limitsFor({ task, known }: { readonly task: PageTask; readonly known: KnownJob }, ports: PageWorkPorts): HostLimits {
  const robots = ports.robots.peek(task.url)
  const seconds = known.job.delayMs > 0 || known.crawl === null || robots === null ? null : known.crawl.crawlDelay(robots)
  return { maxInFlight: hostMost, delay: seconds === null ? 0 : Math.min(seconds * 1_000, maxCrawlDelayMs) }
}

function outcomeOf(answer: SiteAnswer, startedAt: number, { pace }: PageWorkPorts): HostOutcome {
  if (answer === null) return { kind: 'unused' }
  if ('fault' in answer) return faultsOfHost.has(answer.fault) ? { kind: 'unanswered', startedAt } : { kind: 'unused' }
  return { kind: 'answered', startedAt, ...answer, ...pace.load() }
}

async function visit(task: PageTask, known: KnownJob, ports: PageWorkPorts, stopped: AbortSignal): Promise<SiteAnswer> {
  const place = await ports.admission.enterBehind(task.team, stopped)
  const { timeout } = known.page(task.url)
  const call = ports.callFor({ team: task.team, timeoutMs: timeout, retention: known.job.retention, job: task.job }, stopped)
  try {
    return (await runPage({ task, known, queuedMs: place.waitedMs }, ports, { ...call, stopped })).answer
  } finally {
    call.end()
    place.release()
  }
}

/**
 * Does a leased page from its turn at the host to the end that is written. Throws what the store throws and the reason of `stopped`;
 * the page is then still leased.
 */
export async function workOnPage(task: PageTask, ports: PageWorkPorts, stopped: AbortSignal): Promise<void> {
  const known = await ports.memory.of(task.job)
  if (known === null) throw new ServiceError('NOT_FOUND', 'The job of the page is gone.')
  const turn = await ports.pace.enter(task.host, limitsFor({ task, known }, ports), stopped)
  let answer: SiteAnswer = null
  try {
    answer = await visit(task, known, ports, stopped)
  } finally {
    turn.end(outcomeOf(answer, turn.startedAt, ports))
  }
}
