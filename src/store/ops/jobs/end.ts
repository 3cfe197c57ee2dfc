import { randomUUID } from 'node:crypto'
import type { EventType } from '../../../domain/jobs/events.ts'
import { erasedRequest, type JobState, zeroRetentionMs } from '../../../domain/jobs/job.ts'
import type { Cancelled } from '../../../domain/jobs/jobs.ts'
import type { SkipReason } from '../../../domain/jobs/pages.ts'
import { recallTask } from '../../../domain/queue.ts'
import { byIndex, notifyQueue, storable } from '../../dialect.ts'
import { type Op, all, first, run, together } from '../../op.ts'
import { type Sql, sql } from '../../sql.ts'
import { addError, addSkipped } from './frontier.ts'
import { queue } from '../queue.ts'
import { isHushed, type JobRow, lockJob, openPages, saveJob, seeding, wants } from './row.ts'

/** Pages skipped per transaction when a job ends early: the job's row is locked for some 50 ms, however many wait. */
const skippedAtOnce = 1_000

/** Failures of a first page that say nothing about the site. */
const cacheMisses: readonly string[] = ['SCRAPE_NO_CACHED_DATA', 'SCRAPE_LOCKDOWN_CACHE_MISS']

/** An event to be added to a job's log. */
export interface NewEvent {
  readonly id: string
  readonly type: EventType
  readonly at: number
  /** Number of the result that it reports. */
  readonly result?: number
  /** Number of the error that it reports. */
  readonly error?: number
}

/** Reason for deliveries after a receiver answered 410. */
const unwelcome = 'The receiver wants no more of this job.'

/** Adds an event to a locked job's log, with a delivery if the webhook wants it; returns whether that is due. */
export function* addEvent(job: JobRow, event: NewEvent, beside: readonly Sql[] = []): Op<boolean> {
  job.lastEvent += 1
  const wanted = wants(job, event.type)
  const log = sql`insert into job_events (job, seq, id, type, at, result, error)
    values (${job.id}, ${job.lastEvent}, ${event.id}, ${event.type}, ${event.at}, ${event.result ?? null}, ${event.error ?? null})`
  const hushed = isHushed(job)
  const delivery = sql`insert into outbox (id, team, job, seq, type, receiver, state, run_at, reason)
    values (${event.id}, ${job.team}, ${job.id}, ${job.lastEvent}, ${event.type}, ${job.receiver}, ${hushed ? 'stopped' : 'waiting'}, ${event.at}, ${hushed ? unwelcome : null})`
  yield* together([...beside, log, ...(wanted ? [delivery] : [])])
  return wanted && !hushed
}

/**
 * Ends a locked job if nothing is left within its limit; returns whether it did. Pages beyond the limit may remain to be skipped. A job at its
 * limit does not wait for a sitemap: one that hangs would hold back finished results.
 */
export function* endIfOver(job: JobRow, eventId: string, now: number): Op<boolean> {
  if (job.state !== 'scraping' || job.leased > 0) return false
  if (job.done < job.limit) {
    if (job.waiting > 0 || job.seeding !== seeding.none) return false
    if (job.done > 0 && job.recalls === 1) return yield* recall(job, now)
  }
  const error = job.kind === 'crawl' && job.done === 0 ? yield* unreachable(job, now) : null
  yield* end(job, { state: error === null ? 'completed' : 'failed', error, eventId }, now)
  yield* skipSome(job, now)
  return true
}

/** The task that adds pages which the team tracked before. */
export const recallId = (job: string): string => `recall ${job}`

/** No page is left to be found: the crawl ends once the pages known from before have been checked. */
function* recall(job: JobRow, now: number): Op<false> {
  job.recalls = 0
  job.seeding = seeding.recall
  yield* queue.push([{ id: recallId(job.id), team: job.team, kind: recallTask, priority: 10, runAt: now, payload: job.id, maxAttempts: 3, createdAt: now }])
  return false
}

interface Ending {
  readonly state: Exclude<JobState, 'scraping'>
  readonly error: string | null
  readonly eventId: string
}

function* end(job: JobRow, ending: Ending, now: number): Op<void> {
  job.unfinished = openPages(job)
  job.state = ending.state
  job.error = ending.error
  job.seeding = seeding.none
  job.endedAt = now
  job.expiresAt = now + (job.retention === 'zero' ? Math.min(job.retentionMs, zeroRetentionMs) : job.retentionMs)
  yield* addEvent(job, { id: ending.eventId, type: ending.state, at: now })
}

/** Skips some of the waiting pages of a job that has ended, in their order. Readers count those that still wait as skipped. */
function* skipSome(job: JobRow, now: number): Op<void> {
  if (job.waiting === 0) return
  const reason: SkipReason = job.state === 'completed' ? 'limit' : 'cancelled'
  // Up to a number, not a list of numbers: without statistics a planner would scan the list for every page.
  const last = sql`select rank, seq from (select rank, seq from job_pages ${byIndex('job_pages_waiting')} where job = ${job.id} and state = 'waiting' order by rank, seq limit ${skippedAtOnce}) as firsts order by rank desc, seq desc limit 1`
  const some = yield* all<{ rank: number; seq: number; url: string }>(sql`update job_pages set state = 'skipped' where job = ${job.id} and state = 'waiting' and (rank, seq) <= (${last}) returning rank, seq, url`)
  job.waiting = some.length === skippedAtOnce ? job.waiting - some.length : 0
  const inOrder = [...some].sort((a, b) => a.rank - b.rank || a.seq - b.seq)
  yield* addSkipped(job, inOrder.map(({ url }) => ({ url, reason })), now)
}

/** Why a crawl without results failed: its first page was unreachable or forbidden by robots.txt (contract §5.2). Null if it did not fail. */
function* unreachable(job: JobRow, now: number): Op<string | null> {
  const start = yield* first<{ code: string; error: string }>(sql`select code, error from job_errors where job = ${job.id} and page = 1 order by seq limit 1`)
  if (start) return cacheMisses.includes(start.code) ? null : start.error
  const denied = yield* first<{ url: string }>(sql`select s.url from job_skipped s where s.job = ${job.id} and s.reason = 'robots'
    and (s.url in (select url from job_pages where job = ${job.id} and seq = 1) or s.url = (select url from job_details where job = ${job.id})) limit 1`)
  if (!denied) return null
  const error = 'robots.txt does not allow the start URL.'
  yield* addError(job, { page: null, at: now, url: denied.url, code: 'CRAWL_DENIAL', error })
  return error
}

/** The outcome of a cancellation, and whether more pages remain to be skipped. */
export interface Cancelling {
  readonly outcome: Cancelled
  readonly more: boolean
}

/** Ends jobs on request. */
export const ends = {
  *cancel(id: string, eventId: string, now: number): Op<Cancelling> {
    const job = yield* lockJob(id)
    if (!job) return { outcome: 'unknown', more: false }
    if (job.state === 'cancelled') return { outcome: 'cancelled', more: job.waiting > 0 }
    if (job.state !== 'scraping') return { outcome: 'finished', more: false }
    // The job ends before its last page is skipped: from now on none is leased, whatever happens to this process.
    yield* end(job, { state: 'cancelled', error: null, eventId }, now)
    yield* skipSome(job, now)
    yield* saveJob(job)
    yield* run(sql`${notifyQueue}`)
    return { outcome: 'cancelled', more: job.waiting > 0 }
  },

  /** Skips more of the pages that waited when a job ended; returns whether others remain. */
  *skipMore(id: string, now: number): Op<boolean> {
    const job = yield* lockJob(id)
    if (!job || job.state === 'scraping' || job.waiting === 0) return false
    yield* skipSome(job, now)
    job.progressAt = now
    yield* saveJob(job)
    return job.waiting > 0
  },

  /** Jobs that ended before that time and still have waiting pages: the process that ended them died or gave up. */
  *halfEnded(before: number): Op<readonly string[]> {
    return (yield* all<{ id: string }>(sql`select id from jobs where open = 1 and state <> 'scraping' and waiting > 0 and progress_at <= ${before}`)).map(({ id }) => id)
  },

  *erase(id: string): Op<readonly string[]> {
    const job = yield* lockJob(id)
    if (job?.retention !== 'zero' || job.state === 'scraping') return []
    return yield* eraseJob(job)
  },

  /** Returns whether more of its pages remain to be skipped. */
  *fail(id: string, error: string, eventId: string, now: number): Op<boolean> {
    const job = yield* lockJob(id)
    if (job?.state !== 'scraping') return false
    yield* end(job, { state: 'failed', error: storable(error), eventId }, now)
    yield* skipSome(job, now)
    yield* saveJob(job)
    yield* run(sql`${notifyQueue}`)
    return job.waiting > 0
  },
}

function* eraseJob(job: JobRow): Op<readonly string[]> {
  const results = yield* all<{ blob: string }>(sql`delete from results where job = ${job.id} returning blob`)
  yield* run(sql`delete from job_pages where job = ${job.id}`)
  yield* run(sql`delete from job_skipped where job = ${job.id}`)
  yield* run(sql`delete from job_errors where job = ${job.id}`)
  yield* run(sql`delete from outbox where job = ${job.id} and type = 'page'`)
  yield* run(sql`update job_details set url = null, start = null, request = ${erasedRequest}, warnings = '[]' where job = ${job.id}`)
  job.leased = 0
  job.waiting = 0
  yield* saveJob(job)
  return results.map(({ blob }) => blob)
}

/** An id for an event without one. */
export const newEventId = (): string => randomUUID()
