import { longestHoldMs } from '../../domain/fetching/politeness.ts'
import type { Backlog } from '../../domain/store.ts'
import { repeatMs } from '../../domain/teams/repeats.ts'
import { currentTime } from '../dialect.ts'
import { type Op, all, first, run } from '../op.ts'
import { type Sql, sql } from '../sql.ts'
import { sweepJobs, type Swept } from './jobs/watch.ts'
import { lapse } from './queue.ts'

/** How long a finished task waits for its reader, who is then taken to be gone. */
const finishedTaskMs = 3_600_000

/** How long a silent worker is remembered; its pages went to others long before. */
const workerMs = 3_600_000

/** Lessons about a site lose all weight after this long. */
const lessonMs = 60 * 86_400_000

/** Rows deleted per transaction: few enough that a scrape's commit never waits long behind a sweep. */
const sweepBatch = 500

/** The store's own upkeep. */
export const upkeep = {
  /** Deletes one batch of expired rows. */
  *sweep(now: number): Op<Swept> {
    yield* lapse(now)
    let more = false
    for (const statement of expired(now)) {
      const gone = yield* all(statement)
      more ||= gone.length === sweepBatch
    }
    const jobs = yield* sweepJobs(now)
    return { ...jobs, more: jobs.more || more }
  },

  *shortenLeases(latest: number): Op<void> {
    yield* run(sql`update workers set until = ${latest} where until > ${latest}`)
    yield* run(sql`update session_owners set until = ${latest} where until > ${latest}`)
    yield* run(sql`update slots set until = ${latest} where until > ${latest}`)
    yield* run(sql`update profiles set until = ${latest} where token is not null and until > ${latest}`)
    yield* run(sql`update tasks set lease_until = ${latest} where state = 'leased' and lease_until > ${latest}`)
    yield* run(sql`update outbox set run_at = ${latest} where state = 'waiting' and token is not null and run_at > ${latest}`)
  },

  /** Whether something may become due without a write. */
  *outstanding(): Op<boolean> {
    const found = yield* first(sql`select 1 as one where exists (select 1 from tasks where finished_at is null)
      or exists (select 1 from jobs where open = 1 and waiting + leased > 0) or exists (select 1 from outbox where state = 'waiting')`)
    return found !== null
  },

  *time(): Op<number> {
    return (yield* first<{ at: number }>(sql`select ${currentTime} as at`))?.at ?? Number.NaN
  },

  *backlog(): Op<Backlog> {
    // Webhooks by two counts, each from an index alone: to count those without a token, every row would be read. SQLite takes the index of those with one if asked for receivers.
    const row = yield* first<{ pages: number; webhooks: number }>(sql`select (select coalesce(sum(waiting), 0) from jobs where open = 1) as pages,
      (select count(*) from outbox where state = 'waiting') - (select count(*) from outbox where state = 'waiting' and token is not null and receiver >= '') as webhooks`)
    return { pages: Number(row?.pages), webhooks: Number(row?.webhooks) }
  },

  /** Voids the leases, holds and sessions of a former process. Only valid if one process owns the store. */
  *forgetFormerProcess(now: number): Op<void> {
    yield* run(sql`update tasks set lease_until = 0 where state = 'leased'`)
    yield* lapse(now)
    // Expired but kept, so that a repeated request finds what the former one made.
    yield* run(sql`update idempotency set lease_until = 0 where status is null`)
    yield* run(sql`delete from holds`)
    yield* run(sql`delete from slots`)
    yield* run(sql`update profiles set token = null, until = 0 where token is not null`)
    // Their cost is charged when they are reaped, up to the last heartbeat of their process.
    yield* run(sql`update session_owners set until = 0`)
    // Attempts stay counted: a page that kills the process each time must not do so for ever. A worker of that name is a new one from now on.
    yield* run(sql`update job_pages set worker = 'former ' || worker where state = 'leased'`)
    yield* run(sql`delete from workers`)
    // A token that nobody holds still tells a lost lease from a failed try.
    yield* run(sql`update outbox set run_at = ${now}, token = 'former' where state = 'waiting' and token is not null`)
    yield* callIn(now)
  },

  /** Writes, so that a full or read-only disk is noticed. */
  *ping(): Op<void> {
    const row = yield* first(sql`update pings set count = count + 1 where id = 1 returning count`)
    if (!row) throw new Error('The store has lost its contents.')
  },
}

/** Makes due what was scheduled by a clock that has since been set back. */
function* callIn(now: number): Op<void> {
  // Nothing waits longer than a site may ask for.
  const latest = now + longestHoldMs
  yield* run(sql`update tasks set run_at = ${now} where state = 'waiting' and run_at > ${latest}`)
  yield* run(sql`update job_pages set run_at = ${now} where state = 'waiting' and run_at > ${latest}`)
  yield* run(sql`update jobs set next_at = ${now} where open = 1 and next_at > ${latest}`)
  // A delivery that was tried may rightly wait for a month.
  yield* run(sql`update outbox set run_at = ${now} where state = 'waiting' and attempts = 0 and run_at > ${latest}`)
}

function expired(now: number): readonly Sql[] {
  const limit = sql`limit ${sweepBatch}`
  return [
    sql`delete from results where id in (select id from results where expires_at <= ${now} ${limit}) returning id`,
    sql`delete from idempotency where scope in (select scope from idempotency where expires_at <= ${now} ${limit}) and expires_at <= ${now} returning scope`,
    sql`delete from idempotency where scope in (select scope from idempotency where status is null and lease_until <= ${now} and since <= ${now - repeatMs} ${limit})
      and status is null and lease_until <= ${now} and since <= ${now - repeatMs} returning scope`,
    sql`delete from holds where (team, ref) in (select team, ref from holds where until <= ${now} ${limit}) and until <= ${now} returning ref`,
    sql`delete from slots where holder in (select holder from slots where until <= ${now} ${limit}) and until <= ${now} returning holder`,
    sql`delete from receiver_pauses where receiver in (select receiver from receiver_pauses where until <= ${now} ${limit}) and until <= ${now} returning receiver`,
    sql`delete from workers where id in (select id from workers where until <= ${now - workerMs} ${limit}) and until <= ${now - workerMs} returning id`,
    sql`delete from artifacts where token in (select token from artifacts where expires_at <= ${now} ${limit}) returning token`,
    sql`delete from lessons where (team, host, shape) in (select team, host, shape from lessons where at <= ${now - lessonMs} ${limit}) and at <= ${now - lessonMs} returning host`,
    sql`delete from templates where (team, host, shape, ask) in (select team, host, shape, ask from templates where at <= ${now - lessonMs} ${limit}) and at <= ${now - lessonMs} returning host`,
    sql`delete from profiles where (team, name) in (select team, name from profiles where blob is null and until <= ${now} ${limit}) and blob is null and until <= ${now} returning name`,
    sql`delete from former_jobs where id in (select id from former_jobs where until <= ${now} ${limit}) and until <= ${now} returning id`,
    sql`delete from sessions where id in (select id from sessions where keep_until <= ${now} ${limit}) and keep_until <= ${now} returning id`,
    sql`delete from tasks where seq in (select seq from tasks where finished_at <= ${now - finishedTaskMs} ${limit}) returning id`,
  ]
}
