import { mostAttempts, type PageTask } from '../../../domain/jobs/pages.ts'
import { byBytes, impatiently, notifyQueue } from '../../dialect.ts'
import { type Op, all, first, run } from '../../op.ts'
import { list, type Sql, sql } from '../../sql.ts'
import { endIfOver, newEventId } from './end.ts'
import { addDropped } from './frontier.ts'
import { type JobRow, lockFreeJob, lockJob, saveJob } from './row.ts'
import { failPage, settleStart } from './settle.ts'

/** A page fails after this many of its workers died while they ran it alone; `mostAttempts` counts all of them. */
const mostAlone = 3

/** A page whose worker is dead. */
const orphaned = (now: number) => sql`state = 'leased' and not exists (select 1 from workers w where w.id = job_pages.worker and w.until > ${now})`

/** The leases of pages by workers. */
export const leases = {
  *beat(worker: string, until: number): Op<void> {
    yield* run(sql`insert into workers (id, until) values (${worker}, ${until}) on conflict (id) do update set until = excluded.until`)
  },

  *leasedTo(worker: string): Op<readonly Pick<PageTask, 'job' | 'seq' | 'token'>[]> {
    return yield* all<Pick<PageTask, 'job' | 'seq' | 'token'>>(sql`select job, seq, token from job_pages where state = 'leased' and worker = ${worker} order by job, seq`)
  },

  /** Gives the worker's pages back, and removes the worker once it has none. Jobs whose row another transaction holds are skipped and named: waiting for them would hold up those already locked. */
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

  /** The same for one skipped job, after waiting for its row. */
  *leavePassed(id: string, worker: string, now: number): Op<void> {
    const job = yield* lockJob(id)
    if (job) yield* leaveJob(job, worker, now)
    yield* run(sql`${notifyQueue}`)
  },

  *giveBack(task: Pick<PageTask, 'job' | 'seq' | 'token'>, terms: { readonly runAt: number; readonly postponed: boolean; readonly counted?: boolean }, now: number): Op<boolean> {
    const job = yield* lockJob(task.job)
    if (!job) return false
    const given = yield* all<GivenBack>(sql`update job_pages set state = ${givenBack(job)}, run_at = ${terms.runAt}, attempt = attempt - ${terms.counted ? 0 : 1}, postponed = postponed + ${terms.postponed ? 1 : 0},
        worker = null, token = null
      where job = ${job.id} and seq = ${task.seq} and token = ${task.token} and state = 'leased' returning seq, url, state`)
    if (given.length === 0) return false
    yield* countBack(job, given, now)
    // The site was asked only if it was the one to postpone the page.
    if (terms.postponed && job.delayMs > 0) job.nextAt = now + job.delayMs
    job.progressAt = now
    yield* endIfOver(job, newEventId(), now)
    yield* saveJob(job)
    yield* run(sql`${notifyQueue}`)
    return given[0]?.state === 'waiting'
  },

  /** Whether a dead worker has pages; a plain read, so that checking costs no commit. */
  *orphaned(now: number): Op<boolean> {
    return (yield* first(sql`select seq from job_pages where ${orphaned(now)} limit 1`)) !== null
  },

  /** Makes the pages of dead workers due again; pages that have killed too many workers fail (R10). Jobs whose row another transaction holds are skipped and named. */
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

  /** The same for one skipped job, after a short wait for its row. */
  *recoverPassed(id: string, now: number): Op<true | null> {
    yield* run(sql`${impatiently}`)
    const job = yield* lockJob(id)
    if (job) yield* recoverJob(job, yield* crowdsOf(now), now)
    yield* run(sql`${notifyQueue}`)
    return true
  },
}

/** The heartbeat that marks a worker as dead with several pages: pages recovered later than others count as among several, too. */
const crowded = 0

function* keepCrowds(workers: readonly string[], now: number): Op<void> {
  for (const worker of workers) yield* run(sql`insert into workers (id, until) values (${worker}, ${crowded}) on conflict (id) do update set until = excluded.until where workers.until <= ${now}`)
}

function* leaveJob(job: JobRow, worker: string, now: number): Op<void> {
  const given = yield* all<GivenBack>(sql`update job_pages set state = ${givenBack(job)}, attempt = attempt - 1, worker = null, token = null
    where job = ${job.id} and state = 'leased' and worker = ${worker} returning seq, url, state`)
  yield* countBack(job, given, now)
  job.progressAt = now
  yield* endIfOver(job, newEventId(), now)
  yield* saveJob(job)
}

/** A page that its worker no longer has, and what became of it. */
interface GivenBack {
  readonly seq: number
  readonly url: string
  readonly state: string
}

/** What becomes of a page that is given back. Nothing is left to do when another has delivered it through a redirect. */
const givenBack = (job: JobRow): Sql => sql`case when alias is not null then 'done' when ${job.state} <> 'scraping' then 'dropped' else 'waiting' end`

/** Counts pages of a locked job that its workers no longer have. */
function* countBack(job: JobRow, given: readonly GivenBack[], now: number): Op<void> {
  job.leased -= given.length
  job.waiting += given.filter((page) => page.state === 'waiting').length
  yield* addDropped(job, given.filter((page) => page.state === 'dropped'), now)
}

/** Workers that died with several pages under way. */
export function* crowdsOf(now: number): Op<readonly string[]> {
  const rows = yield* all<{ worker: string }>(sql`select worker from job_pages where ${orphaned(now)}
    group by worker having count(*) > 1 or exists (select 1 from workers w where w.id = job_pages.worker and w.until = ${crowded})`)
  return rows.map(({ worker }) => worker)
}

/** The same for one locked job; ends the job if nothing else is left. */
export function* recoverJob(job: JobRow, crowds: readonly string[], now: number): Op<void> {
  const alone = sql`alone + case when worker in ${list(crowds)} then 0 else 1 end`
  const lost = yield* all<GivenBack & { readonly attempt: number }>(sql`update job_pages
    set state = case when ${job.state} = 'scraping' and alias is null and (attempt >= ${mostAttempts} or ${alone} >= ${mostAlone}) then 'failed' else ${givenBack(job)} end,
      alone = ${alone}, worker = null, token = null
    where job = ${job.id} and ${orphaned(now)} returning seq, url, state, attempt`)
  if (lost.length === 0) return
  yield* countBack(job, lost, now)
  const failed = lost.filter((page) => page.state === 'failed').sort((a, b) => a.seq - b.seq)
  for (const { seq, url, attempt } of failed) {
    const message = `The page ended the worker that fetched it ${attempt} times.`
    yield* failPage(job, { id: newEventId(), page: seq, url, code: 'SCRAPE_RETRY_LIMIT', message, eventId: newEventId(), at: now })
    if (seq === 1) job.recalls = 0
    if (seq === 1 && job.kind === 'crawl') yield* settleStart(job, url, now)
  }
  if (job.delayMs > 0) job.nextAt = now + job.delayMs
  yield* endIfOver(job, newEventId(), now)
  yield* saveJob(job)
}
