// oxlint-disable eslint/max-params -- the signatures are those of the ports
import type { Balance, Charge } from '../../domain/ports.ts'
import { forUpdate } from '../dialect.ts'
import { type Op, all, first, run } from '../op.ts'
import { sql } from '../sql.ts'

/** Credits: a ledger of charges, sums per month, and holds. */
export const ledger = {
  *balance(team: string, now: number): Op<Balance> {
    const row = yield* first<Balance>(sql`select
      (select credits_granted from teams where id = ${team}) as granted,
      coalesce((select sum(credits) from ledger_months where team = ${team}), 0) as used,
      coalesce((select sum(credits) from holds where team = ${team} and until > ${now}), 0) as held`)
    return row ?? { granted: null, used: 0, held: 0 }
  },

  *hold(team: string, ref: string, credits: number, until: number, now: number): Op<boolean> {
    // The lock makes holds of one team wait for each other: each sees what the one before it has set aside.
    const known = yield* first<{ granted: number | null }>(sql`select credits_granted as granted from teams where id = ${team} ${forUpdate}`)
    if (!known) throw new Error('Credits were to be held for a team that does not exist.')
    if (known.granted === null) return true
    const { used, held } = yield* ledger.balance(team, now)
    const own = yield* first<{ credits: number }>(sql`select credits from holds where team = ${team} and ref = ${ref} and until > ${now}`)
    if (known.granted - used - (held - (own?.credits ?? 0)) < credits) return false
    yield* run(sql`insert into holds (team, ref, credits, until) values (${team}, ${ref}, ${credits}, ${until})
      on conflict (team, ref) do update set credits = excluded.credits, until = excluded.until`)
    return true
  },

  *release(team: string, ref: string): Op<void> {
    yield* run(sql`delete from holds where team = ${team} and ref = ${ref}`)
  },

  *charge(team: string, charge: Charge): Op<boolean> {
    yield* ledger.release(team, charge.ref)
    const written = yield* all(sql`insert into ledger (team, ref, kind, credits, at)
      values (${team}, ${charge.ref}, ${charge.kind}, ${charge.credits}, ${charge.at})
      on conflict (team, ref) do nothing returning ref`)
    if (written.length === 0) return false
    yield* run(sql`insert into ledger_months (team, start, credits) values (${team}, ${monthStart(charge.at)}, ${charge.credits})
      on conflict (team, start) do update set credits = ledger_months.credits + excluded.credits`)
    return true
  },

  *find(team: string, ref: string): Op<Charge | null> {
    return yield* first<Charge>(sql`select ref, kind, credits, at from ledger where team = ${team} and ref = ${ref}`)
  },

  *months(team: string): Op<readonly { start: number; credits: number }[]> {
    return yield* all<{ start: number; credits: number }>(sql`select start, credits from ledger_months where team = ${team} order by start desc`)
  },
}

/** The first millisecond of the calendar month (UTC) that a time lies in. */
function monthStart(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}
