import { type Op, exclusively, first, run } from '../op.ts'
import { sql } from '../sql.ts'

/** How long a request that found no place counts as waiting; it asks again far sooner. */
const waitingMs = 1_000

/**
 * A team's places in use across the fleet: by requests that a client waits for (rows of `slots`) and by leased pages of jobs, together never
 * more than the team has. Pages take at most nine tenths, so that a request usually finds a place at once. One that finds none leaves a mark,
 * and the next free place is kept for it (see `placesOf` in `jobs/take.ts`), so no request waits longer than one page takes.
 */
export const slots = {
  *acquire(team: string, holder: string, limit: number, until: number, now: number): Op<boolean> {
    yield* exclusively(`slots of ${team}`)
    const others = yield* first<{ count: number }>(sql`select (select count(*) from slots where team = ${team} and until > ${now} and holder <> ${holder} and waiting = 0)
      + (select coalesce(sum(leased), 0) from jobs where open = 1 and team = ${team}) as count`)
    const free = (others?.count ?? 0) < limit
    yield* run(sql`insert into slots (holder, team, until, waiting) values (${holder}, ${team}, ${free ? until : now + waitingMs}, ${free ? 0 : 1})
      on conflict (holder) do update set team = excluded.team, until = excluded.until, waiting = excluded.waiting`)
    return free
  },

  *renew(holder: string, until: number): Op<void> {
    yield* run(sql`update slots set until = ${until} where holder = ${holder} and waiting = 0`)
  },

  *release(holder: string): Op<void> {
    yield* run(sql`delete from slots where holder = ${holder}`)
  },

  *inUse(team: string, now: number): Op<number> {
    const row = yield* first<{ count: number }>(sql`select count(*) as count from slots where team = ${team} and until > ${now} and waiting = 0`)
    return row?.count ?? 0
  },
}
