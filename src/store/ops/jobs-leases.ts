import type { PageTask } from '../../domain/jobs/pages.ts'
import { byBytes, impatiently, notifyQueue } from '../dialect.ts'
import { type Op, all, first, run } from '../op.ts'
import { list, sql } from '../sql.ts'
import { endIfOver, newEventId } from './jobs-end.ts'
import { addDropped } from './jobs-frontier.ts'
import { type JobRow, lockFreeJob, lockJob, saveJob } from './jobs-row.ts'
import { failPage } from './jobs-settle.ts'

/** Workers that a page may take with it: so many that had it alone, or more in all, since any of those under way may have been the cause. */
const maxAttempts = { alone: 3, among: 12 } as const

/** A page whose worker does not live. */
const orphaned = (now: number) => sql`state = 'leased' and not exists (select 1 from workers w where w.id = job_pages.worker and w.until > ${now})`

/** Who works on which pages. */
export const leases = {
  *beat(worker: string, until: number): Op<void> {
    yield* run(sql`insert into workers (id, until) values (${worker}, ${until}) on conflict (id) do update set until = excluded.until`)
  },

  *leasedTo(worker: string): Op<readonly Pick<PageTask, 'job' | 'seq' | 'token'>[]> {
    return yield* all<Pick<PageTask, 'job' | 'seq' | 'token'>>(sql`select job, seq, token from job_pages where state = 'leased' and worker = ${worker} order by job, seq`)
  },

  /**
   * Gives the worker's pages back, and strikes it off once it has none. Jobs whose row another transaction has are passed over, and named: who
   * waited for them would hold up those whose rows it has by then.
   */
  *leave(worker: string, now: number): Op<readonly string[]> {
    const held = yield* all<{ id: string }>(sql`select j.id from jobs j where j.id in (select job from job_pages where state = 'leased' and worker = ${worker}) order by j.team ${byBytes}, j.id ${byBytes}`)
    const passed: string[] = []
    for (const { id } of held) {
      const job = yield* lockFreeJob(id)
      if (job) yield* leaveJob(job, worker, now)
      else passed.push(id)
    }
    if (passed.length === 0) yield* run(sql`delete from workers where id = ${worker}`)
    if (held.length > passed.length) yield* run(sql`${notifyQueue}`)
    return passed
  },

  /** The same for one job that was passed over, after waiting for its row. */
  *leavePassed(id: string, worker: string, now: number): Op<void> {
    const job = yield* lockJob(id)
    if (job) yield* leaveJob(job, worker, now)
    yield* run(sql`${notifyQueue}`)
  },

  *giveBack(task: Pick<PageTask, 'job' | 'seq' | 'token'>, terms: { readonly runAt: number; readonly postponed: boolean; readonly counted?: boolean }, now: number): Op<boolean> {
    const job = yield* lockJob(task.job)
    if (!job) return false
    const state = job.state === 'scraping' ? 'waiting' : 'dropped'
    const given = yield* all<{ seq: number; url: string }>(sql`update job_pages set state = ${state}, run_at = ${terms.runAt}, attempt = attempt - ${terms.counted ? 0 : 1}, postponed = postponed + ${terms.postponed ? 1 : 0},
        worker = null, token = null
      where job = ${job.id} and seq = ${task.seq} and token = ${task.token} and state = 'leased' returning seq, url`)
    if (given.length === 0) return false
    job.leased -= 1
    if (state === 'waiting') job.waiting += 1
    else yield* addDropped(job, given, now)
    // The site was asked only when it was the site that put the page off.
    if (terms.postponed && job.delayMs > 0) job.nextAt = now + job.delayMs
    job.progressAt = now
    yield* saveJob(job)
    yield* run(sql`${notifyQueue}`)
    return state === 'waiting'
  },

  /** Whether some page's worker does not live; a plain read, so that looking costs no commit. */
  *orphaned(now: number): Op<boolean> {
    return (yield* first(sql`select seq from job_pages where ${orphaned(now)} limit 1`)) !== null
  },

  /**
   * Makes the pages of workers that do not live due again; those that have ended too many workers fail (R10). Jobs whose row another
   * transaction has are passed over, and named.
   */
  *recover(now: number): Op<{ readonly recovered: number; readonly passed: readonly string[] }> {
    const jobs = yield* all<{ id: string }>(sql`select j.id from jobs j where j.id in (select job from job_pages where ${orphaned(now)}) order by j.team ${byBytes}, j.id ${byBytes}`)
    const crowds = yield* crowdsOf(now)
    const passed: string[] = []
    for (const { id } of jobs) {
      const job = yield* lockFreeJob(id)
      if (job) yield* recoverJob(job, crowds, now)
      else passed.push(id)
    }
    if (passed.length > 0) yield* keepCrowds(crowds, now)
    const recovered = jobs.length - passed.length
    if (recovered > 0) yield* run(sql`${notifyQueue}`)
    return { recovered, passed }
  },

  /** The same for one job that was passed over, after waiting in line for its row, though not for long. */
  *recoverPassed(id: string, now: number): Op<true | null> {
    yield* run(sql`${impatiently}`)
    const job = yield* lockJob(id)
    if (job) yield* recoverJob(job, yield* crowdsOf(now), now)
    yield* run(sql`${notifyQueue}`)
    return true
  },
}

/** When a worker is said to have lived that ended with several pages under way, some of which were recovered before others: the others are no more to blame for that. */
const crowded = 0

function* keepCrowds(workers: readonly string[], now: number): Op<void> {
  for (const worker of workers) yield* run(sql`insert into workers (id, until) values (${worker}, ${crowded}) on conflict (id) do update set until = excluded.until where workers.until <= ${now}`)
}

function* leaveJob(job: JobRow, worker: string, now: number): Op<void> {
  const state = job.state === 'scraping' ? 'waiting' : 'dropped'
  const given = yield* all<{ seq: number; url: string }>(sql`update job_pages set state = ${state}, attempt = attempt - 1, worker = null, token = null
    where job = ${job.id} and state = 'leased' and worker = ${worker} returning seq, url`)
  job.leased -= given.length
  if (state === 'waiting') job.waiting += given.length
  else yield* addDropped(job, given, now)
  job.progressAt = now
  yield* saveJob(job)
}

/** Workers that ended with several pages under way. */
export function* crowdsOf(now: number): Op<readonly string[]> {
  const rows = yield* all<{ worker: string }>(sql`select worker from job_pages where ${orphaned(now)}
    group by worker having count(*) > 1 or exists (select 1 from workers w where w.id = job_pages.worker and w.until = ${crowded})`)
  return rows.map(({ worker }) => worker)
}

/** The same for one locked job; ends it when that was all that was left. */
export function* recoverJob(job: JobRow, crowds: readonly string[], now: number): Op<void> {
  const alone = sql`alone + case when worker in ${list(crowds)} then 0 else 1 end`
  const lost = yield* all<{ seq: number; url: string; state: string; attempt: number }>(sql`update job_pages
    set state = case when ${job.state} <> 'scraping' then 'dropped' when attempt >= ${maxAttempts.among} or ${alone} >= ${maxAttempts.alone} then 'failed' else 'waiting' end,
      alone = ${alone}, worker = null, token = null
    where job = ${job.id} and ${orphaned(now)} returning seq, url, state, attempt`)
  if (lost.length === 0) return
  job.leased -= lost.length
  job.waiting += lost.filter((page) => page.state === 'waiting').length
  const failed = lost.filter((page) => page.state === 'failed').sort((a, b) => a.seq - b.seq)
  for (const { seq, url, attempt } of failed) {
    const message = `The page ended the worker that fetched it ${attempt} times.`
    yield* failPage(job, { id: newEventId(), page: seq, url, code: 'SCRAPE_RETRY_LIMIT', message, eventId: newEventId(), at: now })
  }
  yield* addDropped(job, lost.filter((page) => page.state === 'dropped'), now)
  if (job.delayMs > 0) job.nextAt = now + job.delayMs
  yield* endIfOver(job, newEventId(), now)
  yield* saveJob(job)
}
