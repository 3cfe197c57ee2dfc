import type { Call } from '../../../domain/call.ts'
import { header } from '../../../domain/pages/capture.ts'
import { ServiceError, StoreFault, StoreRefusal } from '../../../domain/errors.ts'
import { mostAttempts, type PageEnd, type PageOutcome, type PageTask } from '../../../domain/jobs/pages.ts'
import type { Hold } from '../../../domain/teams/ledger.ts'
import { retryAfter } from '../../../domain/fetching/politeness.ts'
import { urlKey } from '../../../domain/urls/site-url.ts'
import type { ErrorCode } from '../../../spec/errors.ts'
import { isGone, isWithheld } from '../../changes/track.ts'
import type { Collected } from '../../scrape/ports.ts'
import { type Plan, plan } from '../../scrape/plan.ts'
import { failureCharge, perform, setAside } from '../../scrape/scrape.ts'
import type { Finished, ScrapeJob } from '../../scrape/settlement.ts'
import { Astray, barred, isElsewhere, onRedirect, type PageVisit, siteDelay, strayed } from './bounds.ts'
import { followed, noLinks, remember } from './follow.ts'
import type { WorkPorts } from '../ports.ts'
import { waitAfter, waitAfterAnswer } from './wait.ts'

/** What the site answered, for pacing; null if it was not asked. */
export type SiteAnswer = { readonly status: number; readonly holdMs: number; readonly ms: number } | { readonly fault: string } | null

/** The outcome of one try at a page. */
export interface PageRun {
  /** Milliseconds until it is due again, if it was postponed; null when its end is written. */
  readonly againInMs: number | null
  readonly answer: SiteAnswer
  /** The key under which the results hold it, by the address that answered; null unless it was delivered. */
  readonly delivered: string | null
}

/** A redirecting site's answer, for pacing. */
const redirected = 302

const unwritable = `What became of the page could not be written ${mostAttempts} times.`

/** Said when the store has refused a page twice. Once may be chance; waiting on, as for a store that is away, would hold up the job for nothing. */
const unholdable = 'The store cannot hold what became of the page.'

const codeOf = (error: unknown): ErrorCode => (error instanceof ServiceError ? error.code : 'UNKNOWN_ERROR')

function failure(error: unknown, paid: Parameters<typeof failureCharge>[1]): PageOutcome {
  const known = error instanceof ServiceError ? error : new ServiceError('UNKNOWN_ERROR')
  return { kind: 'failed', scrapeId: paid.id, code: known.code, message: known.message, charge: failureCharge(error, paid) }
}

/** The state of a page being scraped. */
interface Progress {
  /** Id of the scrape. */
  id: string
  /** Credits held for it and not charged yet. */
  held: Hold | null
}

/** A visit that ends, and what is held for it. */
type Ending = Pick<PageVisit, 'task'> & Pick<Progress, 'held'>

/** The part of a page's end that is the same for every outcome. */
function endOf({ task, held }: Ending, outcome: PageOutcome, { newId, now }: WorkPorts): Omit<PageEnd, 'pages' | 'skipped'> {
  return { task: { job: task.job, seq: task.seq, token: task.token }, outcome, held, eventId: newId(), endEventId: newId(), now: now() }
}

/** Where the crawl starts, judged by this page. A start page that only sends visitors elsewhere moves the start, as a redirect does. */
async function startBy({ acquired: { capture }, page: { facts } }: Collected, { task, known: { crawl } }: PageVisit): Promise<string> {
  if (crawl === null || task.seq !== 1 || facts.leadsOn === undefined) return capture.url
  await crawl.settle(facts.leadsOn)
  return facts.leadsOn
}

/** A login or consent wall in front of many pages is one page, although each arrives there with its own return address. */
const walls: ReadonlySet<string> = new Set(['login', 'consent'])

/** The key under which the results hold the page, besides its own. */
function finalKeyOf({ acquired: { capture }, page: { facts } }: Collected, { task, known: { crawl } }: PageVisit): string {
  // In a batch each URL is wanted for itself, wherever it leads.
  if (crawl === null) return task.key
  const { keys } = crawl.rules()
  const led = urlKey(capture.url, keys)
  return led !== task.key && walls.has(facts.verdict) ? urlKey(capture.url, { ...keys, ignoreQueryParameters: true }) : led
}

/**
 * Writes a delivered page. Returns its key in the results; null when it is not in them, and so not charged. `outdated`: nothing was written,
 * as a newer version exists; compare again.
 */
async function delivered(finished: Finished, collected: Collected, visit: PageVisit & Ending, ports: WorkPorts): Promise<{ readonly key: string | null } | 'outdated'> {
  const { task, known } = visit
  const { result } = finished.settlement
  if (result === null) throw new Error('a page of a job must be kept')
  const outcome: PageOutcome = {
    kind: 'delivered',
    settlement: { ...finished.settlement, result: { ...result, request: JSON.stringify({ job: task.job, url: task.url }) } },
    bytes: finished.page.json.length + Buffer.byteLength(finished.frame),
    ...(collected.page.facts.modelCallSaved === true ? { modelCallSaved: true } : {}),
    finalKey: finalKeyOf(collected, visit),
  }
  const start = await startBy(collected, visit)
  const external = isElsewhere(collected.acquired.capture.url, visit)
  const found = await followed(collected.page.facts, { task, known, external, url: collected.acquired.capture.url, missing: isGone(collected) }, ports)
  const settled = await ports.jobs.settle({ ...endOf(visit, outcome, ports), pages: found.pages, skipped: found.skipped, start, withheld: isWithheld(collected), delayMs: siteDelay(visit, ports) })
  if (settled === 'outdated') return settled
  if (settled !== 'lost') remember(known.told, found)
  if (settled === 'settled') finished.committed()
  return { key: settled === 'settled' ? outcome.finalKey : null }
}

/** A page that is tried again later. */
interface Pause {
  readonly againInMs: number
  /** The code of the error, or what the site answered. */
  readonly why: string
  readonly answer: SiteAnswer
}

/** Postpones a page, and says so in the log: nothing else tells why a job waits. */
async function putOff(task: PageTask, { againInMs, why, answer }: Pause, { jobs, now }: WorkPorts, call: Call): Promise<PageRun> {
  call.log('page-postponed', { page: task.seq, why, ms: againInMs })
  await jobs.giveBack(task, { runAt: now() + againInMs, postponed: true }, now())
  return { againInMs, answer, delivered: null }
}

/** Makes the function that writes a scraped page, or postpones it. */
function settling(visit: PageVisit, progress: Progress, ports: WorkPorts, call: Call) {
  const { task } = visit
  return async (finished: Finished, collected: Collected): Promise<PageRun | 'outdated'> => {
    const { capture, found, tried } = collected.acquired
    const holdMs = retryAfter(header(capture, 'retry-after'), ports.now())
    const answer: SiteAnswer = found === null ? { status: capture.status, holdMs, ms: tried.reduce((sum, { ms }) => sum + ms, 0) } : null
    const wait = waitAfterAnswer(collected, task, holdMs)
    if (wait !== null) return putOff(task, { ...wait, answer: wait.why === 'overwhelmed' ? { fault: 'SCRAPE_SITE_ERROR' } : answer }, ports, call)
    const stray = await strayed(capture.url, visit, ports, call)
    const end = stray === null ? await delivered(finished, collected, { ...visit, held: progress.held }, ports) : { key: null }
    if (end === 'outdated') return end
    if (end.key !== null) progress.held = null
    if (stray !== null) await ports.jobs.settle({ ...endOf({ task, held: progress.held }, stray, ports), ...noLinks, start: capture.url })
    return { againInMs: null, answer, delivered: end.key }
  }
}

/** The reference under which any worker holds credits for a page. */
const heldAs = ({ job, seq }: Pick<PageTask, 'job' | 'seq'>): string => `${job}/${seq}`

/** The scrape of one page of a job. */
function scrapeOf(id: string, visit: PageVisit, ports: WorkPorts, call: Call): { readonly job: ScrapeJob; readonly plan: Plan } {
  const { task, known, queuedMs } = visit
  const request = known.page(task.url)
  const planned = plan(request, ports, task.team, ports.now())
  const wanted: Plan = { ...planned, learns: true, wall: `${task.job} ${task.host}`, hidden: task.recalled === true, order: { ...planned.order, onRedirect: onRedirect(visit, ports, call), visitor: known.crawl === null ? undefined : task.job } }
  const job = { id, heldAs: heldAs(task), request, warnings: [], queuedMs, baseUrl: known.job.baseUrl }
  return { job, plan: known.crawl !== null ? { ...wanted, derive: { ...wanted.derive, discover: true } } : wanted }
}

/** Everything about a page except releasing its hold where its end did not. */
async function visited(visit: PageVisit, progress: Progress, ports: WorkPorts, call: Call & { readonly stopped: AbortSignal }): Promise<PageRun> {
  const { task } = visit
  const write = async (outcome: PageOutcome, answer: SiteAnswer): Promise<PageRun> => {
    await ports.jobs.settle({ ...endOf({ task, held: progress.held }, outcome, ports), ...noLinks })
    return { againInMs: null, answer, delivered: null }
  }
  const { id } = progress
  if (task.attempt > mostAttempts) return write({ kind: 'failed', scrapeId: id, code: 'SCRAPE_RETRY_LIMIT', message: unwritable, charge: null }, null)
  const started = ports.now()
  try {
    const bar = await barred(task.url, visit, ports, call)
    if (bar !== null) return await write(bar, null)
    const wanted = scrapeOf(id, visit, ports, call)
    progress.held = await setAside(wanted.job, ports, call)
    return await perform({ ...wanted, keep: true, settle: settling(visit, progress, ports, call) }, ports, call)
  } catch (thrown) {
    call.stopped.throwIfAborted()
    const error = thrown instanceof Astray ? (thrown.cause ?? thrown) : thrown
    if (error instanceof StoreRefusal && task.attempt > 1) {
      call.log('page-not-held', { page: task.seq, reason: String(error) })
      return write({ kind: 'failed', scrapeId: id, code: 'UNKNOWN_ERROR', message: unholdable, charge: null }, null)
    }
    // A failure of the store is not the page's fault: another try may work.
    if (error instanceof StoreFault) throw error
    const againInMs = waitAfter(error, visit)
    if (againInMs !== null) return await putOff(task, { againInMs, why: codeOf(error), answer: null }, ports, call)
    if (error instanceof Astray) return write({ kind: 'skipped', reason: error.reason }, { status: redirected, holdMs: 0, ms: error.at - started })
    if (!(error instanceof ServiceError)) call.log('page-failed', { page: task.seq, reason: String(error) })
    return write(failure(error, { id, heldAs: heldAs(task), now: ports.now(), key: call.key }), { fault: codeOf(error) })
  }
}

/**
 * Scrapes a page of a job and writes its end in one transaction, or gives it back if the site asks for later. Throws what the store throws,
 * and the reason of `stopped`: the page is then still leased.
 */
export async function runPage(visit: PageVisit, ports: WorkPorts, call: Call & { readonly stopped: AbortSignal }): Promise<PageRun> {
  const progress: Progress = { id: ports.newId(), held: null }
  try {
    return await visited(visit, progress, ports, call)
  } finally {
    // The end of a page releases it; a page that has none yet, or whose end was lost, does not. It lapses by itself: failing to release it is no reason to lose an end.
    if (progress.held !== null) await ports.ledger.release(call.team, progress.held).catch((error: unknown) => call.log('release-failed', { reason: String(error) }))
  }
}
