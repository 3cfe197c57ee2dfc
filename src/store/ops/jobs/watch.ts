import type { Watched } from '../../../domain/jobs/jobs.ts'
import { recallTask, seedTask } from '../../../domain/queue.ts'
import { byBytes, notifyQueue, skipLocked } from '../../dialect.ts'
import { type Op, all, first, run } from '../../op.ts'
import { type Sql, list, sql } from '../../sql.ts'
import { endSeeding } from './create.ts'
import { endIfOver, newEventId, recallId } from './end.ts'
import { crowdsOf, recoverJob } from './leases.ts'
import { type JobRow, lockFreeJob, saveJob, seeding } from './row.ts'
import { catchUp, catchUpDeliveries } from './set-back.ts'

/** Jobs examined per transaction. */
const maxJobs = 20

const unseededWarning = 'The sitemaps of the site were not read to their end.'
const unrecalledWarning = 'Pages that were tracked before were not all visited again.'

/** Watches jobs without progress: whatever went wrong with one, it continues or ends (R10). */
export function* watchJobs(before: number, now: number): Op<Watched> {
  // The clocks of a fleet differ somewhat.
  const ahead = now + (now - before)
  const still = yield* all<{ id: string }>(sql`select id from jobs where open = 1 and (progress_at <= ${before} or progress_at > ${ahead}) order by progress_at, id limit ${maxJobs}`)
  const repaired: string[] = []
  const unseeded: string[] = []
  const ended: string[] = []
  let seen = 0
  const inOrder = yield* all<{ id: string }>(sql`select id from jobs where id in ${list(still.map(({ id }) => id))} order by team ${byBytes}, id ${byBytes}`)
  for (const { id } of inOrder) {
    // A row that another transaction holds is left for next time: waiting would hold the rows before it.
    const job = yield* lockFreeJob(id)
    if (!job) continue
    seen += 1
    if (job.progressAt > before && job.progressAt <= ahead) continue
    yield* catchUp(job, now)
    yield* recoverJob(job, yield* crowdsOf(now), now)
    if (yield* recount(job)) repaired.push(id)
    if (job.state === 'scraping' && job.seeding !== seeding.none && !(yield* hasSeedTask(id))) {
      unseeded.push(id)
      yield* endSeeding(job, [job.seeding === seeding.recall ? unrecalledWarning : unseededWarning], newEventId(), now)
    }
    yield* endIfOver(job, newEventId(), now)
    if (job.endedAt === now) ended.push(id)
    // Examined again only after another such interval, not on every call.
    job.progressAt = now
    yield* saveJob(job)
  }
  const dueAgain = yield* catchUpDeliveries(ahead, now)
  if (seen > 0 || dueAgain) yield* run(sql`${notifyQueue}`)
  return { seen, repaired, unseeded, ended }
}

/** Sets the counters of a locked job to what its rows say; returns whether they differed. */
function* recount(job: JobRow): Op<boolean> {
  const row = yield* first<{ waiting: number; leased: number; done: number; failed: number }>(sql`select
      coalesce(sum(case when state = 'waiting' then 1 else 0 end), 0) as waiting, coalesce(sum(case when state = 'leased' then 1 else 0 end), 0) as leased,
      coalesce(sum(case when state = 'done' and alias is null then 1 else 0 end), 0) as done, coalesce(sum(case when state = 'failed' then 1 else 0 end), 0) as failed
    from job_pages where job = ${job.id}`)
  if (!row || job.state !== 'scraping') return false
  const same = row.waiting === job.waiting && row.leased === job.leased && row.done === job.done && row.failed === job.failed
  Object.assign(job, row)
  return !same
}

function* hasSeedTask(id: string): Op<boolean> {
  return (yield* first(sql`select id from tasks where ((id = ${id} and kind = ${seedTask}) or (id = ${recallId(id)} and kind = ${recallTask})) and state in ('waiting', 'leased')`)) !== null
}

/** How long it is remembered that an expired job existed. */
const formerMs = 30 * 86_400_000

/** Rows of one table deleted per transaction. */
const sweepRows = 500

/** The result of a sweep: whether more may be left, whether it deleted what must not remain in any file, and blobs of results that must not outlive their rows. */
export interface Swept {
  readonly more: boolean
  readonly erased: boolean
  readonly blobs: readonly string[]
}

/** Deletes a batch of the oldest expired job. Of two sweeps of one job, each would take what the other deletes for the rest. */
export function* sweepJobs(now: number): Op<Swept> {
  const job = yield* first<{ id: string; retention: string }>(sql`select id, retention from jobs where expires_at <= ${now} order by expires_at, id limit 1 ${skipLocked}`)
  if (!job) return { more: false, erased: false, blobs: [] }
  const blobs = yield* dropSome(job.id)
  const erased = job.retention === 'zero'
  return { more: true, erased, blobs: erased ? blobs : [] }
}

/** Deletes some rows of a locked job, and its own when no other is left; returns the blobs of results among them. */
export function* dropSome(job: string): Op<readonly string[]> {
  // All events first: whoever reads one must find what it reports.
  const deliveries = yield* all(sql`delete from outbox where n in (select n from outbox where job = ${job} limit ${sweepRows}) returning n`)
  if (deliveries.length === sweepRows) return []
  const results = yield* all<{ blob: string }>(sql`delete from results where id in (select id from results where job = ${job} limit ${sweepRows}) returning blob`)
  const blobs = results.map(({ blob }) => blob)
  let rest = results.length === sweepRows
  for (const statement of rowsOfJob(job)) {
    const gone = yield* all(statement)
    rest ||= gone.length === sweepRows
  }
  if (rest) return blobs
  yield* run(sql`delete from job_details where job = ${job}`)
  yield* run(sql`insert into former_jobs (id, team, kind, until) select id, team, kind, expires_at + ${formerMs} from jobs where id = ${job} and expires_at is not null on conflict (id) do nothing`)
  yield* run(sql`delete from jobs where id = ${job}`)
  return blobs
}

function rowsOfJob(id: string): readonly Sql[] {
  const some = sql`limit ${sweepRows}`
  return [
    sql`delete from job_events where job = ${id} and seq in (select seq from job_events where job = ${id} ${some}) returning seq`,
    sql`delete from job_errors where job = ${id} and seq in (select seq from job_errors where job = ${id} ${some}) returning seq`,
    sql`delete from job_skipped where job = ${id} and seq in (select seq from job_skipped where job = ${id} ${some}) returning seq`,
    sql`delete from job_pages where job = ${id} and seq in (select seq from job_pages where job = ${id} ${some}) returning seq`,
  ]
}
