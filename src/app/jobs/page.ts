import type { Call } from '../../domain/call.ts'
import { header } from '../../domain/capture.ts'
import { admitFinal } from '../../domain/crawl/admit.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { PageEnd, PageOutcome, PageTask } from '../../domain/jobs.ts'
import { urlKey } from '../../domain/site-url.ts'
import type { Collected } from '../scrape/collect.ts'
import { type Plan, plan } from '../scrape/plan.ts'
import { failureCharge, perform } from '../scrape/scrape.ts'
import type { Finished, ScrapeJob } from '../scrape/settlement.ts'
import { followed, follows, noLinks } from './follow.ts'
import type { KnownJob } from './memory.ts'
import type { WorkPorts } from './ports.ts'

/** A page to be fetched for a job. */
export interface PageVisit {
  readonly task: PageTask
  readonly known: KnownJob
  /** Milliseconds spent waiting for a place. */
  readonly queuedMs: number
}

/** What the site said, for those who keep its pace; null where it was not asked. */
export type SiteAnswer = { readonly status: number; readonly retryAfter: string | undefined; readonly ms: number } | { readonly fault: string } | null

/** What became of a page: written, or left for later because the site asked for that. */
export interface PageRun {
  readonly written: boolean
  readonly answer: SiteAnswer
}

/** A site that says "not now" is asked again this often. */
const maxPostponed = 3
const notNow: ReadonlySet<number> = new Set([429, 503])
/** Why a page must not be fetched, or kept, under the address it has; null when it may. */
async function barred(url: string, { task, known: { crawl } }: PageVisit, ports: WorkPorts, call: Call): Promise<PageOutcome | null> {
  if (crawl === null || crawl.request.ignoreRobotsTxt) return null
  const { robots, unreachable } = await ports.robots.of(url, call)
  // The page itself says better what is wrong with its host.
  if (unreachable !== null || crawl.allows(robots, url)) return null
  call.log('robots-disallows', { url, job: task.job })
  return { kind: 'skipped', reason: 'robots' }
}

/** Why a page that answered from another address does not belong to the crawl; null when it does. The start may lead anywhere. */
async function strayed(final: string, visit: PageVisit, ports: WorkPorts, call: Call): Promise<PageOutcome | null> {
  const { crawl } = visit.known
  if (crawl === null || final === visit.task.url) return null
  if (visit.task.seq === 1) {
    await crawl.settle(final)
    return null
  }
  const admission = admitFinal(final, visit.task, crawl.rules())
  if (!admission.ok) return { kind: 'skipped', reason: admission.reason }
  return new URL(final).host === visit.task.host ? null : barred(final, visit, ports, call)
}

function failure(error: unknown, { id, now }: { readonly id: string; readonly now: number }): PageOutcome {
  const known = error instanceof ServiceError ? error : new ServiceError('UNKNOWN_ERROR')
  return { kind: 'failed', scrapeId: id, code: known.code, message: known.message, charge: failureCharge(error, id, now) }
}

/** The rest of a page's end: what goes with any outcome. */
function endOf(task: PageTask, outcome: PageOutcome, { newId, now }: WorkPorts): Omit<PageEnd, 'pages' | 'skipped'> {
  return { task: { job: task.job, seq: task.seq, token: task.token }, outcome, eventId: newId(), endEventId: newId(), now: now() }
}

async function delivered(finished: Finished, collected: Collected, visit: PageVisit, ports: WorkPorts): Promise<void> {
  const { task, known } = visit
  const { result } = finished.settlement
  if (result === null) throw new Error('a page of a job must be kept')
  const outcome: PageOutcome = {
    kind: 'delivered',
    settlement: { ...finished.settlement, result: { ...result, request: JSON.stringify({ job: task.job, url: task.url }) } },
    bytes: finished.page.json.length + Buffer.byteLength(finished.frame),
    // Of a batch each URL is wanted for itself, wherever it leads.
    finalKey: known.crawl === null ? task.key : urlKey(collected.acquired.capture.url, known.crawl.rules().keys),
  }
  const { pages, skipped, names } = followed(collected.page.facts.found ?? [], task, known)
  const settled = await ports.jobs.settle({ ...endOf(task, outcome, ports), pages, skipped })
  if (settled !== 'lost') known.told.add(names)
  if (settled === 'settled') finished.committed()
  else if (ports.accounting) await ports.ledger.release(task.team, result.id)
}

const waitMs = (postponed: number, retryAfter: string | undefined): number => {
  const asked = Number(retryAfter)
  return Math.min(60_000, Number.isFinite(asked) && asked > 0 ? asked * 1_000 : 1_000 * 2 ** postponed)
}

/** How a page that came home is written. */
function settling(visit: PageVisit, ports: WorkPorts, call: Call) {
  const { task } = visit
  return async (finished: Finished, collected: Collected): Promise<PageRun> => {
    const { capture, found } = collected.acquired
    const retryAfter = header(capture, 'retry-after')
    const answer: SiteAnswer = found === null ? { status: capture.status, retryAfter, ms: collected.acquired.tried.reduce((sum, { ms }) => sum + ms, 0) } : null
    if (found === null && notNow.has(capture.status) && task.postponed < maxPostponed) {
      await ports.jobs.giveBack(task, { runAt: ports.now() + waitMs(task.postponed, retryAfter), postponed: true }, ports.now())
      return { written: false, answer }
    }
    const stray = await strayed(capture.url, visit, ports, call)
    if (stray === null) await delivered(finished, collected, visit, ports)
    else await ports.jobs.settle({ ...endOf(task, stray, ports), ...noLinks })
    return { written: true, answer }
  }
}

/** The scrape that a page of a job is. */
function scrapeOf({ task, known, queuedMs }: PageVisit, ports: WorkPorts): { readonly job: ScrapeJob; readonly plan: Plan } {
  const request = known.page(task.url)
  const wanted = plan(request, ports, task.team, ports.now())
  const job = { id: ports.newId(), request, warnings: [], queuedMs, baseUrl: known.job.baseUrl }
  return { job, plan: follows(task, known) ? { ...wanted, derive: { ...wanted.derive, discover: true } } : wanted }
}

/**
 * Fetches a page of a job and writes its end in one transaction; gives it back when the site asks for later.
 * Throws what the store throws, and the reason of `stopped`: then the page is still leased.
 */
export async function runPage(visit: PageVisit, ports: WorkPorts, call: Call & { readonly stopped: AbortSignal }): Promise<PageRun> {
  const { task } = visit
  const write = async (outcome: PageOutcome, answer: SiteAnswer): Promise<PageRun> => {
    await ports.jobs.settle({ ...endOf(task, outcome, ports), ...noLinks })
    return { written: true, answer }
  }
  let id = ports.newId()
  let writing = false
  try {
    const bar = await barred(task.url, visit, ports, call)
    if (bar !== null) {
      writing = true
      return await write(bar, null)
    }
    const { job, plan: wanted } = scrapeOf(visit, ports)
    id = job.id
    const settle = settling(visit, ports, call)
    return await perform({ job, plan: wanted, keep: true, settle: (...found) => ((writing = true), settle(...found)) }, ports, call)
  } catch (error) {
    call.stopped.throwIfAborted()
    // What the store refused is not the page's fault: another try may write it.
    if (writing) throw error
    if (!(error instanceof ServiceError)) ports.log('page-failed', { job: task.job, page: task.seq, reason: String(error) })
    return write(failure(error, { id, now: ports.now() }), { fault: error instanceof ServiceError ? error.code : 'UNKNOWN_ERROR' })
  }
}
