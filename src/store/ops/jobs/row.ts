import type { EventType } from '../../../domain/jobs/events.ts'
import type { Job, JobKind, JobState, NewJob, Webhook } from '../../../domain/jobs/job.ts'
import { forUpdate, skipLocked, storable } from '../../dialect.ts'
import { type Op, all, first, run } from '../../op.ts'
import { sql } from '../../sql.ts'

/**
 * A job's row, locked for this transaction: operations update it in memory and write it back once. Whoever changes a job's pages, results or
 * events holds this lock first, so that what they read stays true. Several jobs are locked in order of team and id.
 */
export interface JobRow {
  readonly id: string
  readonly team: string
  readonly kind: JobKind
  readonly retention: NewJob['retention']
  readonly retentionMs: number
  readonly maxConcurrency: number
  delayMs: number
  /** Events that the webhook wants, comma-separated; empty without one. Starts with `hushed` if the receiver wants no more of this job. */
  readonly wanted: string
  /** Scheme, host and port of the webhook; empty without one. */
  readonly receiver: string
  limit: number
  state: JobState
  endedAt: number | null
  expiresAt: number | null
  error: string | null
  seeding: number
  recalls: number
  /** For a cancelled job: pages yet to be listed as skipped. */
  waiting: number
  leased: number
  done: number
  failed: number
  skipped: number
  /** Pages that it had accepted and neither delivered nor failed when it ended. */
  unfinished: number
  credits: number
  savedCalls: number
  lastPage: number
  lastEvent: number
  lastResult: number
  lastError: number
  lastSkip: number
  served: number
  nextAt: number
  progressAt: number
}

const rowColumns = sql`id, team, kind, retention, retention_ms as "retentionMs", max_concurrency as "maxConcurrency", delay_ms as "delayMs",
  wanted, receiver, page_limit as "limit", state, ended_at as "endedAt", expires_at as "expiresAt", error, seeding, recalls, waiting, leased, done, failed, skipped, unfinished, credits, saved_calls as "savedCalls",
  last_page as "lastPage", last_event as "lastEvent", last_result as "lastResult", last_error as "lastError", last_skip as "lastSkip", served,
  next_at as "nextAt", progress_at as "progressAt"`

/** Where more pages may come from, as stored in the column of that name. */
export const seeding = { none: 0, sitemaps: 1, recall: 2 } as const // `const`: no other numbers are meant

/** The row of a job, locked until the end of the transaction; null when unknown. */
export function* lockJob(id: string): Op<JobRow | null> {
  return yield* first<JobRow>(sql`select ${rowColumns} from jobs where id = ${id} ${forUpdate}`)
}

/** The same if nobody else has locked it; otherwise null. */
export function* lockFreeJob(id: string): Op<JobRow | null> {
  return yield* first<JobRow>(sql`select ${rowColumns} from jobs where id = ${id} ${skipLocked}`)
}

/** Writes a locked row back. */
export function* saveJob(job: JobRow): Op<void> {
  yield* run(sql`update jobs set page_limit = ${job.limit}, state = ${job.state}, ended_at = ${job.endedAt}, expires_at = ${job.expiresAt}, error = ${job.error},
    seeding = ${job.seeding}, recalls = ${job.recalls}, open = ${job.state === 'scraping' || job.leased > 0 || job.waiting > 0 ? 1 : 0}, waiting = ${job.waiting}, leased = ${job.leased}, done = ${job.done},
    failed = ${job.failed}, skipped = ${job.skipped}, unfinished = ${job.unfinished}, credits = ${job.credits}, saved_calls = ${job.savedCalls}, last_page = ${job.lastPage}, last_event = ${job.lastEvent},
    last_result = ${job.lastResult}, last_error = ${job.lastError}, last_skip = ${job.lastSkip}, served = ${job.served}, next_at = ${job.nextAt},
    progress_at = ${job.progressAt}, delay_ms = ${job.delayMs} where id = ${job.id}`)
}

/** Inserts the row of a new job, which locks it; null if the id exists. */
export function* insertJob(job: NewJob): Op<JobRow | null> {
  const { webhook } = job
  const fresh = yield* all(sql`insert into jobs
      (id, team, kind, state, retention, retention_ms, page_limit, max_concurrency, delay_ms, wanted, receiver, created_at, seeding, recalls, open, progress_at)
    values (${job.id}, ${job.team}, ${job.kind}, 'scraping', ${job.retention}, ${job.retentionMs}, ${job.limit}, ${job.maxConcurrency}, ${job.delayMs},
      ${webhook?.events.join(',') ?? ''}, ${webhook === null ? '' : receiverOf(job.team, webhook)}, ${job.createdAt}, ${job.seeding ? seeding.sitemaps : seeding.none}, ${job.recalls === true ? 1 : 0}, 1, ${job.createdAt})
    on conflict (id) do nothing returning id`)
  if (fresh.length === 0) return null
  yield* run(sql`insert into job_details (job, key, url, request, base_url, webhook, warnings)
    values (${job.id}, ${job.key ?? null}, ${job.url === null ? null : storable(job.url)}, ${job.request}, ${job.baseUrl}, ${webhook === null ? null : JSON.stringify(webhook)}, ${JSON.stringify(job.warnings)})`)
  return yield* lockJob(job.id)
}

/** Length up to which a team's receivers are told apart. */
const maxReceiver = 300

/** Many receivers share a host (that of an event gateway, say): one that hangs must not hold up other teams or addresses. */
function receiverOf(team: string, webhook: Webhook): string {
  const { origin, pathname } = new URL(webhook.url)
  return `${team} ${origin}${pathname}`.slice(0, maxReceiver)
}

/** Whether the job's webhook wants events of that type. */
export function wants(job: Pick<JobRow, 'wanted'>, type: EventType): boolean {
  return job.wanted.split(',').includes(type)
}

/** Not an event name: events are then kept for readers, and not sent. */
const hush = 'hushed,'

/** Whether the webhook's receiver wants no more of this job. */
export const isHushed = ({ wanted }: Pick<JobRow, 'wanted'>): boolean => wanted.startsWith(hush)

/** Stops, or resumes, sending the future events of a locked job; they are kept either way. */
export function* setHushed(id: string, hushed: boolean): Op<void> {
  yield* run(hushed ? sql`update jobs set wanted = ${hush} || wanted where id = ${id}` : sql`update jobs set wanted = replace(wanted, ${hush}, '') where id = ${id}`)
}

/** Columns of a job for readers; for `jobs j` joined with `job_details d`. */
export const jobColumns = sql`j.id, j.team, d.key, j.kind, d.url, d.request, d.base_url as "baseUrl", j.retention, j.retention_ms as "retentionMs", j.page_limit as "limit",
  j.max_concurrency as "maxConcurrency", j.delay_ms as "delayMs", d.webhook, d.warnings, d.start, j.seeding, j.created_at as "createdAt", j.state, j.waiting, j.leased,
  j.done, j.failed, j.skipped, j.unfinished, j.credits, j.saved_calls as "modelCallsSaved", j.last_event as "lastEvent", j.ended_at as "endedAt", j.expires_at as "expiresAt", j.error`

/** The row that `jobColumns` select. */
export interface JobRead extends Omit<Job, 'webhook' | 'warnings' | 'seeding' | 'total' | 'completed' | 'creditsUsed'> {
  readonly webhook: string | null
  readonly warnings: string
  readonly seeding: number
  readonly waiting: number
  readonly leased: number
  readonly done: number
  readonly unfinished: number
  readonly credits: number
}

/** Pages of a running job that are accepted and not ended: under way, or waiting and within its limit. */
export function openPages({ limit, done, leased, waiting }: Pick<JobRow, 'limit' | 'done' | 'leased' | 'waiting'>): number {
  return leased + Math.min(waiting, Math.max(0, limit - done - leased))
}

/** A job as its readers see it. */
export function jobOf({ key, webhook, warnings, seeding: from, waiting, leased, done, unfinished, credits, ...row }: JobRead): Job {
  const hook: Webhook | null = webhook === null ? null : JSON.parse(webhook)
  return {
    ...row,
    ...(key === null ? {} : { key }),
    webhook: hook,
    warnings: JSON.parse(warnings),
    seeding: from !== seeding.none,
    total: done + row.failed + (row.state === 'scraping' ? openPages({ limit: row.limit, done, leased, waiting }) : unfinished),
    completed: done,
    creditsUsed: credits,
  }
}
