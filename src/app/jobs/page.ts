import type { Call } from '../../domain/call.ts'
import { header } from '../../domain/capture.ts'
import { ServiceError, StoreFault, StoreRefusal } from '../../domain/errors.ts'
import type { PageEnd, PageOutcome, PageTask } from '../../domain/jobs/pages.ts'
import type { Hold } from '../../domain/ledger.ts'
import { retryAfter } from '../../domain/politeness.ts'
import { urlKey } from '../../domain/site-url.ts'
import { isGone, isWithheld } from '../changes/track.ts'
import type { Collected } from '../scrape/ports.ts'
import { type Plan, plan } from '../scrape/plan.ts'
import { failureCharge, perform, setAside } from '../scrape/scrape.ts'
import type { Finished, ScrapeJob } from '../scrape/settlement.ts'
import { Astray, barred, isElsewhere, maxPostponed, onRedirect, type PageVisit, siteDelay, strayed, Unsaid } from './bounds.ts'
import { followed, noLinks, remember } from './follow.ts'
import { isOverwhelmed } from './overwhelmed.ts'
import type { WorkPorts } from './ports.ts'

/** What the site said, for those who keep its pace; null where it was not asked. */
export type SiteAnswer = { readonly status: number; readonly retryAfter: string | undefined; readonly ms: number } | { readonly fault: string } | null

/** What became of a page. */
export interface PageRun {
  /** Milliseconds after which it is due again, because the site asked for that; null when its end is written. */
  readonly againInMs: number | null
  readonly answer: SiteAnswer
  /** The key under which the results have it, by where it answered from; null unless it was delivered. */
  readonly delivered: string | null
}

/** The answer of a site that redirects, as far as its pace is concerned. */
const redirected = 302
/** A site that answers with nothing, or that it is busy, under a status of success: it may be all there is. */
const maxOverwhelmed = 2
/** A site that says "not now" is asked again not later than this. */
const longestWaitMs = 600_000
/** A profile that is being written is asked for again after so long, then twice and four times that. */
const lockedMs = 5_000
/** What a site allows is asked for again after so long, then likewise. */
const unsaidMs = 1_000
const notNow: ReadonlySet<number> = new Set([429, 503])

/** Ends that could not be written: it may be the page that the store cannot take. As many as deaths that the store forgives a page that was not alone. */
const maxAttempts = 12
const unwritable = `What became of the page could not be written ${maxAttempts} times.`

/** Of a page that the store refused twice: once may be chance, but what cannot be held shall not hold up its job for as long as a store may be away. */
const unholdable = 'The store cannot hold what became of the page.'

function failure(error: unknown, paid: Parameters<typeof failureCharge>[1]): PageOutcome {
  const known = error instanceof ServiceError ? error : new ServiceError('UNKNOWN_ERROR')
  return { kind: 'failed', scrapeId: paid.id, code: known.code, message: known.message, charge: failureCharge(error, paid) }
}

/** The rest of a page's end: what goes with any outcome. */
function endOf(task: PageTask, outcome: PageOutcome, { newId, now }: WorkPorts): Omit<PageEnd, 'pages' | 'skipped'> {
  return { task: { job: task.job, seq: task.seq, token: task.token }, outcome, eventId: newId(), endEventId: newId(), now: now() }
}

/** Where the crawl starts by this page: a start that is there to send its visitors on moves it as a redirect does. */
async function startBy({ acquired: { capture }, page: { facts } }: Collected, { task, known: { crawl } }: PageVisit): Promise<string> {
  if (crawl === null || task.seq !== 1 || facts.leadsOn === undefined) return capture.url
  await crawl.settle(facts.leadsOn)
  return facts.leadsOn
}

/** A wall in front of many pages is one page, though each leads there with a way back of its own. */
const walls: ReadonlySet<string> = new Set(['login', 'consent'])

/** Under which key the results are to have the page, besides its own. */
function finalKeyOf({ acquired: { capture }, page: { facts } }: Collected, { task, known: { crawl } }: PageVisit): string {
  // Of a batch each URL is wanted for itself, wherever it leads.
  if (crawl === null) return task.key
  const { keys } = crawl.rules()
  const led = urlKey(capture.url, keys)
  return led !== task.key && walls.has(facts.verdict) ? urlKey(capture.url, { ...keys, ignoreQueryParameters: true }) : led
}

/** Answers under which key the page is in the results now; null when it is not, and thus not charged. `outdated`: its end has yet to be written, with another version. */
async function delivered(finished: Finished, collected: Collected, visit: PageVisit, ports: WorkPorts): Promise<{ readonly key: string | null } | 'outdated'> {
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
  const found = await followed(collected.page.facts.found ?? [], { task, known, external, missing: isGone(collected) }, ports)
  const settled = await ports.jobs.settle({ ...endOf(task, outcome, ports), pages: found.pages, skipped: found.skipped, start, withheld: isWithheld(collected), delayMs: siteDelay(visit, ports) })
  if (settled === 'outdated') return settled
  if (settled !== 'lost') remember(known.told, found)
  if (settled === 'settled') finished.committed()
  return { key: settled === 'settled' ? outcome.finalKey : null }
}

/** How the visit of a page stands. */
interface Progress {
  /** Of the scrape. */
  id: string
  /** What is set aside for it and not charged. */
  held: Hold | null
}

/** How a page that came home is written. */
function settling(visit: PageVisit, progress: Progress, ports: WorkPorts, call: Call) {
  const { task } = visit
  return async (finished: Finished, collected: Collected): Promise<PageRun | 'outdated'> => {
    const { capture, found, tried } = collected.acquired
    const asked = header(capture, 'retry-after')
    const answer: SiteAnswer = found === null ? { status: capture.status, retryAfter: asked, ms: tried.reduce((sum, { ms }) => sum + ms, 0) } : null
    if (found === null && notNow.has(capture.status) && task.postponed < maxPostponed) {
      const now = ports.now()
      const againInMs = Math.min(longestWaitMs, retryAfter(asked, now) || 1_000 * 2 ** task.postponed)
      await ports.jobs.giveBack(task, { runAt: now + againInMs, postponed: true }, now)
      return { againInMs, answer, delivered: null }
    }
    if (found === null && task.postponed < maxOverwhelmed && isOverwhelmed(capture, collected.page.facts)) {
      const now = ports.now()
      const againInMs = 1_000 * 2 ** task.postponed
      await ports.jobs.giveBack(task, { runAt: now + againInMs, postponed: true }, now)
      return { againInMs, answer: { fault: 'SCRAPE_SITE_ERROR' }, delivered: null }
    }
    const stray = await strayed(capture.url, visit, ports, call)
    const end = stray === null ? await delivered(finished, collected, visit, ports) : { key: null }
    if (end === 'outdated') return end
    if (end.key !== null) progress.held = null
    if (stray !== null) await ports.jobs.settle({ ...endOf(task, stray, ports), ...noLinks, start: capture.url })
    return { againInMs: null, answer, delivered: end.key }
  }
}

/** Under what credits are set aside for a page, by whichever worker. */
const heldAs = ({ job, seq }: Pick<PageTask, 'job' | 'seq'>): string => `${job}/${seq}`

/** The scrape that a page of a job is. */
function scrapeOf(id: string, visit: PageVisit, ports: WorkPorts, call: Call): { readonly job: ScrapeJob; readonly plan: Plan } {
  const { task, known, queuedMs } = visit
  const request = known.page(task.url)
  const planned = plan(request, ports, task.team, ports.now())
  const wanted: Plan = { ...planned, learns: true, wall: `${task.job} ${task.host}`, hidden: task.recalled === true, order: { ...planned.order, onRedirect: onRedirect(visit, ports, call), visitor: known.crawl === null ? undefined : task.job } }
  const job = { id, heldAs: heldAs(task), request, warnings: [], queuedMs, baseUrl: known.job.baseUrl }
  return { job, plan: known.crawl !== null ? { ...wanted, derive: { ...wanted.derive, discover: true } } : wanted }
}

const isLocked = (error: unknown): boolean => error instanceof ServiceError && error.code === 'PROFILE_LOCKED'

/** Another writes the profile of the page, or the site does not say what may be fetched: it is due again when that may have ended. */
async function putOff(task: PageTask, { firstMs, leastMs = 0 }: { readonly firstMs: number; readonly leastMs?: number }, { jobs, now }: WorkPorts): Promise<PageRun> {
  const againInMs = Math.max(firstMs * 2 ** task.postponed, leastMs)
  await jobs.giveBack(task, { runAt: now() + againInMs, postponed: true }, now())
  return { againInMs, answer: null, delivered: null }
}

/** Everything of a page but what is set aside for it. */
async function visited(visit: PageVisit, progress: Progress, ports: WorkPorts, call: Call & { readonly stopped: AbortSignal }): Promise<PageRun> {
  const { task } = visit
  const write = async (outcome: PageOutcome, answer: SiteAnswer): Promise<PageRun> => {
    await ports.jobs.settle({ ...endOf(task, outcome, ports), ...noLinks })
    return { againInMs: null, answer, delivered: null }
  }
  const { id } = progress
  if (task.attempt > maxAttempts) return write({ kind: 'failed', scrapeId: id, code: 'SCRAPE_RETRY_LIMIT', message: unwritable, charge: null }, null)
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
    // What the store failed at is not the page's fault: another try may have it.
    if (error instanceof StoreFault) throw error
    if ((isLocked(error) || error instanceof Unsaid) && task.postponed < maxPostponed) return await putOff(task, error instanceof Unsaid ? { firstMs: unsaidMs, leastMs: error.againInMs } : { firstMs: lockedMs }, ports)
    if (error instanceof Astray) return write({ kind: 'skipped', reason: error.reason }, { status: redirected, retryAfter: undefined, ms: error.at - started })
    if (!(error instanceof ServiceError)) call.log('page-failed', { page: task.seq, reason: String(error) })
    return write(failure(error, { id, heldAs: heldAs(task), now: ports.now(), key: call.key }), { fault: error instanceof ServiceError ? error.code : 'UNKNOWN_ERROR' })
  }
}

/**
 * Fetches a page of a job and writes its end in one transaction; gives it back when the site asks for later.
 * Throws what the store throws, and the reason of `stopped`: then the page is still leased.
 */
export async function runPage(visit: PageVisit, ports: WorkPorts, call: Call & { readonly stopped: AbortSignal }): Promise<PageRun> {
  const progress: Progress = { id: ports.newId(), held: null }
  try {
    return await visited(visit, progress, ports, call)
  } finally {
    // What is set aside lapses by itself: that it could not be given back is no reason to lose the page's end.
    if (progress.held !== null) await ports.ledger.release(call.team, progress.held).catch((error: unknown) => call.log('release-failed', { reason: String(error) }))
  }
}
