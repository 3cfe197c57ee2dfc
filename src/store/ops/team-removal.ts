import { recallTask, seedTask } from '../../domain/queue.ts'
import type { TeamWork } from '../../domain/teams/removal.ts'
import { type Op, all, run } from '../op.ts'
import { type Sql, sql } from '../sql.ts'
import { lockJob } from './jobs/row.ts'
import { dropSome } from './jobs/watch.ts'

/** Rows deleted per transaction, as by a sweep: nobody waits long behind one. */
const batch = 500

/** The end of a team. */
export const removal = {
  *work(team: string, now: number): Op<TeamWork> {
    const ids = function* (statement: Sql): Op<readonly string[]> {
      return (yield* all<{ id: string }>(statement)).map(({ id }) => id)
    }
    const [requests] = yield* all<{ count: number }>(sql`select (select count(*) from tasks where team = ${team} and finished_at is null and kind not in (${seedTask}, ${recallTask}))
      + (select count(*) from slots where team = ${team} and until > ${now}) + (select count(*) from idempotency where team = ${team} and status is null and lease_until > ${now}) as count`)
    const [webhooks] = yield* all<{ count: number }>(sql`select count(*) as count from outbox where team = ${team} and state = 'waiting'`)
    return {
      jobs: yield* ids(sql`select id from jobs where team = ${team} and state = 'scraping' order by id`),
      sessions: yield* ids(sql`select id from sessions where team = ${team} and ended_at is null order by id`),
      requests: Number(requests?.count),
      webhooks: Number(webhooks?.count),
    }
  },

  *close(team: string): Op<void> {
    yield* run(sql`delete from keys where team = ${team}`)
  },

  /** Deletes some of what a team has, and the team itself when nothing else is left; returns whether it did. */
  *removeSome(team: string): Op<boolean> {
    const [job] = yield* all<{ id: string }>(sql`select id from jobs where team = ${team} order by id limit 1`)
    if (job !== undefined) {
      // Whoever still works on the job writes before this or finds it gone.
      yield* lockJob(job.id)
      yield* dropSome(job.id)
      return false
    }
    let more = false
    for (const statement of rowsOf(team)) more = (yield* all(statement)).length === batch || more
    if (more) return false
    yield* run(sql`delete from teams where id = ${team}`)
    return true
  },
}

/** Deletes a batch of the rows of each table with a team, other than `jobs`; those of memos and of the index go with the entry of the cache that they belong to. */
function rowsOf(team: string): readonly Sql[] {
  const some = sql`limit ${batch}`
  return [
    sql`delete from keys where id in (select id from keys where team = ${team} ${some}) returning id`,
    sql`delete from tasks where seq in (select seq from tasks where team = ${team} ${some}) returning id`,
    sql`delete from outbox where n in (select n from outbox where team = ${team} ${some}) returning n`,
    sql`delete from results where id in (select id from results where team = ${team} ${some}) returning id`,
    sql`delete from sessions where id in (select id from sessions where team = ${team} ${some}) returning id`,
    sql`delete from profiles where team = ${team} and name in (select name from profiles where team = ${team} ${some}) returning name`,
    sql`delete from artifacts where token in (select token from artifacts where team = ${team} ${some}) returning token`,
    sql`delete from versions where id in (select id from versions where team = ${team} ${some}) returning id`,
    sql`delete from cache_entries where team = ${team} and key in (select key from cache_entries where team = ${team} ${some}) returning key`,
    sql`delete from lessons where team = ${team} and (host, shape) in (select host, shape from lessons where team = ${team} ${some}) returning host`,
    sql`delete from templates where team = ${team} and (host, shape, ask) in (select host, shape, ask from templates where team = ${team} ${some}) returning host`,
    sql`delete from idempotency where scope in (select scope from idempotency where team = ${team} ${some}) returning scope`,
    sql`delete from slots where holder in (select holder from slots where team = ${team} ${some}) returning holder`,
    sql`delete from former_jobs where id in (select id from former_jobs where team = ${team} ${some}) returning id`,
    sql`delete from feedback where id in (select id from feedback where team = ${team} ${some}) returning id`,
    sql`delete from holds where team = ${team} and ref in (select ref from holds where team = ${team} ${some}) returning ref`,
    sql`delete from ledger where team = ${team} and ref in (select ref from ledger where team = ${team} ${some}) returning ref`,
    sql`delete from usage_months where team = ${team} and (start, key) in (select start, key from usage_months where team = ${team} ${some}) returning start`,
  ]
}
