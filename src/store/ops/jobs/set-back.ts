/** "Due now" is stored as a time of the clock. When that is set back, it would not come for as long as it was set back: what waits for such a time is made due. */
import { longestHoldMs } from '../../../domain/fetching/politeness.ts'
import { type Op, all, run } from '../../op.ts'
import { sql } from '../../sql.ts'
import { recallId } from './end.ts'
import type { JobRow } from './row.ts'

/** Makes pages and tasks of a locked job due whose time can only be one of a clock that was ahead. */
export function* catchUp(job: JobRow, now: number): Op<void> {
  job.nextAt = Math.min(job.nextAt, now + job.delayMs)
  // When even its last progress is yet to come, every pause of its pages was reckoned from there.
  const latest = job.progressAt > now ? now : now + longestHoldMs
  yield* run(sql`update job_pages set run_at = ${now} where job = ${job.id} and state = 'waiting' and run_at > ${latest}`)
  // The sitemaps wait for the start page.
  yield* run(sql`update tasks set run_at = ${now} where id in (${job.id}, ${recallId(job.id)}) and state = 'waiting' and run_at > ${now}
    and exists (select 1 from job_details where job = ${job.id} and start is not null)`)
}

/** The same for deliveries of events that are yet to come, by a clock that is `ahead` at most; returns whether there were any. */
export function* catchUpDeliveries(ahead: number, now: number): Op<boolean> {
  const due = yield* all(sql`update outbox set run_at = ${now} where state = 'waiting' and token is null and run_at > ${ahead}
    and exists (select 1 from job_events e where e.job = outbox.job and e.seq = outbox.seq and e.at > ${ahead}) returning n`)
  return due.length > 0
}
