import type { PageEnd, PageOutcome, PageSettled } from '../../../domain/jobs/pages.ts'
import { notifyQueue, sameText, storable } from '../../dialect.ts'
import { type Op, all, run } from '../../op.ts'
import { type Sql, sql } from '../../sql.ts'
import { keepEnclosed } from '../blobs.ts'
import { putEntry } from '../cache.ts'
import { addEvent, endIfOver } from './end.ts'
import { addWarnings } from './create.ts'
import { addDropped, addError, addPages, addSkipped } from './frontier.ts'
import { type JobRow, lockJob, saveJob, seeding } from './row.ts'
import { ledger } from '../ledger.ts'
import { hasten } from '../queue.ts'
import { keepArtifact } from '../results.ts'
import { putVersion } from '../versions.ts'

type Delivered = PageOutcome & { readonly kind: 'delivered' }

interface FrontierRow {
  readonly seq: number
  readonly url: string
  readonly key: string
  readonly state: string
  readonly token: string | null
  /** Number of the page that delivered this URL through a redirect. */
  readonly alias: number | null
  /** 1 if its own fetch was redirected, and no page has delivered this URL since. */
  readonly elsewhere: number
}

/** The outcome of settling a page; `fresh` if something it wrote is waited for (pages to fetch, an event to deliver). */
export interface Settled {
  readonly answer: PageSettled
  readonly fresh: boolean
  /** The job ended with it, and more of its pages remain to be skipped. */
  readonly rest?: boolean
}

/** Settles a page in one transaction. */
export function* settlePage(end: PageEnd): Op<Settled> {
  const [settled = lost] = yield* settlePages([end])
  return settled
}

const lost: Settled = { answer: 'lost', fresh: false }

/** The same for several pages, in order: each job's row is read and written once. */
export function* settlePages(ends: readonly PageEnd[]): Op<readonly Settled[]> {
  const jobs = new Map<string, JobRow | null>()
  const touched = new Set<JobRow>()
  const settled: Settled[] = []
  for (const end of ends) {
    const { job: id } = end.task
    const known = jobs.get(id)
    const job = known === undefined ? yield* lockJob(id) : known
    jobs.set(id, job)
    settled.push(job === null ? lost : yield* settleOn(job, end, touched))
  }
  for (const job of touched) yield* saveJob(job)
  return settled
}

/** Settles a page of a locked job, whose row must still be written if `touched`. */
function* settleOn(job: JobRow, end: PageEnd, touched: Set<JobRow>): Op<Settled> {
  const { own, final } = yield* frontierRows(end)
  if (own?.state !== 'leased' || own.token !== end.task.token) return lost
  const repeats = isRepetition(end, own, final)
  if (job.state === 'scraping' && !repeats && (yield* isOutdated(end))) return { answer: 'outdated', fresh: false }
  touched.add(job)
  // The charge of a new result drops it. In a later transaction a kill could leave it, and the next pages without the credits.
  const pays = job.state === 'scraping' && end.outcome.kind === 'delivered' && !repeats
  if (end.held && !pays) yield* ledger.release(job.team, end.held)
  job.leased -= 1
  if (job.state !== 'scraping') return yield* drop(job, own, end.now)
  job.progressAt = end.now
  if (job.delayMs === 0) job.delayMs = end.delayMs ?? 0
  if (job.delayMs > 0) job.nextAt = end.now + job.delayMs
  if (own.seq === 1 && (end.outcome.kind !== 'delivered' || end.withheld === true)) job.recalls = 0
  const ended = yield* endPage(job, { end, own, final, repeats })
  const added = yield* addPages(job, end.pages, end.now)
  yield* addSkipped(job, end.skipped, end.now)
  const last = yield* endIfOver(job, end.endEventId, end.now)
  const seeds = job.kind === 'crawl' && own.seq === 1 && (yield* settleStart(job, end.start ?? own.url, end.now))
  const fresh = added > 0 || ended.fresh || seeds || last || job.seeding !== seeding.none
  if (fresh) yield* run(sql`${notifyQueue}`)
  return { answer: ended.answer, fresh, rest: last && job.waiting > 0 }
}

/**
 * Whether the job has what this page brings: another page has delivered the URL that answered. One that is still being fetched does not count:
 * it may fail, and what is in hand would be lost. Its own end is then the repetition, whatever it is.
 */
function isRepetition({ outcome }: PageEnd, own: FrontierRow, final: FrontierRow | undefined): boolean {
  if (outcome.kind === 'delivered' && storable(outcome.finalKey) !== own.key) return final !== undefined && (final.alias !== null || (final.state === 'done' && final.elsewhere === 0))
  return own.alias !== null
}

/** Writes the version of a delivered page before all else: if another came between, nothing may be written. */
function* isOutdated({ outcome }: PageEnd): Op<boolean> {
  if (outcome.kind !== 'delivered' || !outcome.settlement.version) return false
  return !(yield* putVersion(outcome.settlement.version))
}

/** The row of the page, and that of the URL that answered if different. */
function* frontierRows({ task, outcome }: PageEnd): Op<{ own: FrontierRow | undefined; final: FrontierRow | undefined }> {
  const columns = sql`seq, url, key, state, token, alias, elsewhere`
  const finalKey = outcome.kind === 'delivered' ? storable(outcome.finalKey) : null
  const other: Sql = finalKey === null ? sql`` : sql`union all select ${columns} from job_pages where job = ${task.job} and ${sameText('key', finalKey)} and seq <> ${task.seq}`
  const rows = yield* all<FrontierRow>(sql`select ${columns} from job_pages where job = ${task.job} and seq = ${task.seq} ${other}`)
  return { own: rows.find((row) => row.seq === task.seq), final: rows.find((row) => row.seq !== task.seq) }
}

/** Records where the crawl starts, and makes its sitemap task due; returns whether there is one. */
export function* settleStart(job: JobRow, start: string, now: number): Op<boolean> {
  yield* run(sql`update job_details set start = ${storable(start)} where job = ${job.id}`)
  if (job.seeding === seeding.sitemaps) yield* hasten(job.id, now)
  return job.seeding === seeding.sitemaps
}

/** The job ended while the page was under way: frees its place and drops its result. */
function* drop(job: JobRow, own: FrontierRow, now: number): Op<Settled> {
  yield* run(finished(job, own, own.alias === null ? 'dropped' : 'done'))
  if (own.alias === null) yield* addDropped(job, [own], now)
  return lost
}

interface Ending {
  readonly end: PageEnd
  readonly own: FrontierRow
  readonly final: FrontierRow | undefined
  readonly repeats: boolean
}

function* endPage(job: JobRow, ending: Ending): Op<Settled> {
  const { end, own, final } = ending
  const { outcome, now } = end
  if (ending.repeats) return yield* endRepetition(job, ending)
  if (outcome.kind === 'skipped') {
    yield* run(finished(job, own, 'skipped'))
    yield* addSkipped(job, [{ url: own.url, reason: outcome.reason }], now)
    return { answer: 'settled', fresh: false }
  }
  if (outcome.kind === 'failed') {
    yield* run(finished(job, own, 'failed'))
    const fresh = yield* failPage(job, { ...outcome, id: outcome.scrapeId, page: own.seq, url: own.url, eventId: end.eventId, at: now })
    if (outcome.charge && (yield* ledger.charge(job.team, outcome.charge))) job.credits += outcome.charge.credits
    return { answer: 'settled', fresh }
  }
  yield* claimFinal(job, { own, final, key: storable(outcome.finalKey), now })
  return { answer: 'settled', fresh: yield* deliver(job, { end, own, outcome }) }
}

/** Another page has delivered what this one was to: its URL is not said to have failed, nor to be left out, when it was that very page. */
function* endRepetition(job: JobRow, { end: { outcome, now }, own }: Ending): Op<Settled> {
  const wasDelivered = own.alias !== null
  yield* run(finished(job, own, wasDelivered ? 'done' : 'skipped'))
  if (outcome.kind === 'delivered') yield* keepForCache(outcome.settlement)
  if (!wasDelivered) yield* addSkipped(job, [{ url: own.url, reason: 'duplicate' }], now)
  return { answer: 'duplicate', fresh: false }
}

/** Of a duplicate, only the cache entry is kept. */
function* keepForCache({ cache, enclosed }: Delivered['settlement']): Op<void> {
  if (!cache) return
  yield* keepEnclosed(enclosed)
  yield* putEntry(cache)
}

function finished(job: JobRow, own: FrontierRow, state: 'done' | 'failed' | 'skipped' | 'dropped'): Sql {
  return sql`update job_pages set state = ${state}, worker = null, token = null where job = ${job.id} and seq = ${own.seq}`
}

/** A failed page, for the list of errors and the log. */
export interface FailedPage {
  readonly id: string
  readonly page: number
  readonly url: string
  readonly code: string
  readonly message: string
  readonly eventId: string
  readonly at: number
}

/** Counts and lists a page of a locked job as failed, with its event; returns whether a webhook wants it. */
export function* failPage(job: JobRow, { id, page, url, code, message, eventId, at }: FailedPage): Op<boolean> {
  job.failed += 1
  if (code === 'INSUFFICIENT_CREDITS') yield* outOfCredits(job)
  const error = yield* addError(job, { id, page, at, url, code, error: message })
  return yield* addEvent(job, { id: eventId, type: 'page', at, error })
}

/** The payer's credits do not cover a page. Usually another page takes the place of a failed one within the limit, but not here: all that wait would fail one after the other. */
function* outOfCredits(job: JobRow): Op<void> {
  if (job.kind === 'crawl') job.limit -= 1
  yield* addWarnings(job, ['The credits were used up before the job was done: the pages that they did not cover are among its errors.'])
}

/** Marks the URL that answered as delivered by this page, so that it is not fetched again. */
function* claimFinal(job: JobRow, { own, final, key, now }: { readonly own: FrontierRow; readonly final: FrontierRow | undefined; readonly key: string; readonly now: number }): Op<void> {
  if (key === own.key) return
  if (!final) {
    job.lastPage += 1
    yield* run(sql`insert into job_pages (job, seq, url, key, host, depth, external, state, run_at, alias)
      values (${job.id}, ${job.lastPage}, ${key}, ${key}, '', 0, 0, 'done', ${now}, ${own.seq})`)
    return
  }
  if (final.state === 'waiting') job.waiting -= 1
  // A page with a result of its own is not counted through another.
  const claimed = final.state === 'done' ? sql`elsewhere = 0` : sql`alias = ${own.seq}, state = case when state = 'waiting' then 'done' else state end`
  yield* run(sql`update job_pages set ${claimed} where job = ${job.id} and seq = ${final.seq}`)
}

function* deliver(job: JobRow, { end, own, outcome }: { readonly end: PageEnd; readonly own: FrontierRow; readonly outcome: Delivered }): Op<boolean> {
  const { result, cache, artifacts, charge, enclosed } = outcome.settlement
  yield* keepEnclosed(enclosed)
  job.done += 1
  job.lastResult += 1
  if (outcome.modelCallSaved === true) job.savedCalls += 1
  const stored = sql`insert into results (id, team, kind, blob, frame, request, created_at, expires_at, job, seq, page, bytes)
    values (${result.id}, ${result.team}, ${result.kind}, ${result.blob}, ${result.frame}, ${result.request}, ${result.createdAt}, ${never},
      ${job.id}, ${job.lastResult}, ${own.seq}, ${outcome.bytes})`
  const elsewhere = storable(outcome.finalKey) !== own.key && own.alias === null ? 1 : 0
  // It has a result of its own, also where another page has delivered its URL.
  const delivering = sql`update job_pages set state = 'done', alias = null, elsewhere = ${elsewhere}, worker = null, token = null where job = ${job.id} and seq = ${own.seq}`
  const fresh = yield* addEvent(job, { id: end.eventId, type: 'page', at: end.now, result: job.lastResult }, [delivering, stored])
  if (cache) yield* putEntry(cache)
  for (const artifact of artifacts ?? []) yield* keepArtifact(artifact)
  if (charge && (yield* ledger.charge(job.team, charge))) job.credits += charge.credits
  return fresh
}

/** The last moment that a date can express: a job's result lives as long as its job, whose row says how long. */
const never = 8_640_000_000_000_000
