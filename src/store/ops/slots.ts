// oxlint-disable eslint/max-params -- the signatures are those of the ports
import { type Op, exclusively, first, run } from '../op.ts'
import { sql } from '../sql.ts'

/** Places of a team in use. */
export const slots = {
  *acquire(team: string, holder: string, limit: number, until: number, now: number): Op<boolean> {
    yield* exclusively(`slots of ${team}`)
    const others = yield* first<{ count: number }>(sql`select count(*) as count from slots where team = ${team} and until > ${now} and holder <> ${holder}`)
    if ((others?.count ?? 0) >= limit) return false
    yield* run(sql`insert into slots (holder, team, until) values (${holder}, ${team}, ${until})
      on conflict (holder) do update set team = excluded.team, until = excluded.until`)
    return true
  },

  *renew(holder: string, until: number): Op<void> {
    yield* run(sql`update slots set until = ${until} where holder = ${holder}`)
  },

  *release(holder: string): Op<void> {
    yield* run(sql`delete from slots where holder = ${holder}`)
  },

  *inUse(team: string, now: number): Op<number> {
    const row = yield* first<{ count: number }>(sql`select count(*) as count from slots where team = ${team} and until > ${now}`)
    return row?.count ?? 0
  },
}
