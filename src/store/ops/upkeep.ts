import { type Op, all, first, run } from '../op.ts'
import { type Sql, sql } from '../sql.ts'
import { lapse } from './queue.ts'

/** A finished task is kept this long for its reader; after that its reader is taken to be gone. */
const finishedTaskMs = 3_600_000

/** What was learned about a site this long ago has no weight any more. */
const lessonMs = 60 * 86_400_000

/** Rows deleted in one transaction: few enough that a scrape's commit never waits long behind a sweep. */
const sweepBatch = 500

/** What the store does for itself. */
export const upkeep = {
  /** Deletes a batch of what has expired; false when nothing was left over. */
  *sweep(now: number): Op<boolean> {
    yield* lapse(now)
    let more = false
    for (const statement of expired(now)) {
      const gone = yield* all(statement)
      more ||= gone.length === sweepBatch
    }
    return more
  },

  /** Voids what a former process left under way; right only where one process owns the store. */
  *forgetFormerProcess(now: number): Op<void> {
    yield* run(sql`update tasks set lease_until = 0 where state = 'leased'`)
    yield* lapse(now)
    yield* run(sql`delete from idempotency where status is null`)
    yield* run(sql`delete from holds`)
    yield* run(sql`delete from slots`)
  },

  /** Writes, so that a full or read-only disk shows. */
  *ping(): Op<void> {
    const row = yield* first(sql`update pings set count = count + 1 where id = 1 returning count`)
    if (!row) throw new Error('The store has lost its contents.')
  },
}

function expired(now: number): readonly Sql[] {
  const limit = sql`limit ${sweepBatch}`
  return [
    sql`delete from results where id in (select id from results where expires_at <= ${now} ${limit}) returning id`,
    sql`delete from idempotency where scope in (select scope from idempotency where expires_at <= ${now} ${limit}) and expires_at <= ${now} returning scope`,
    sql`delete from idempotency where scope in (select scope from idempotency where status is null and lease_until <= ${now} ${limit})
      and status is null and lease_until <= ${now} returning scope`,
    sql`delete from holds where (team, ref) in (select team, ref from holds where until <= ${now} ${limit}) and until <= ${now} returning ref`,
    sql`delete from slots where holder in (select holder from slots where until <= ${now} ${limit}) and until <= ${now} returning holder`,
    sql`delete from artifacts where token in (select token from artifacts where expires_at <= ${now} ${limit}) returning token`,
    sql`delete from lessons where (team, host, shape) in (select team, host, shape from lessons where at <= ${now - lessonMs} ${limit}) and at <= ${now - lessonMs} returning host`,
    sql`delete from tasks where seq in (select seq from tasks where finished_at <= ${now - finishedTaskMs} ${limit}) returning id`,
  ]
}
