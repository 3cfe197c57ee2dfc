import { randomUUID } from 'node:crypto'
import { type Allowance, type Balance, type Charge, extraOf, type Hold, type Payer, type UsedMonth } from '../../domain/teams/ledger.ts'
import { forNoKeyUpdate, storable } from '../dialect.ts'
import { type Op, all, first, run } from '../op.ts'
import { sql } from '../sql.ts'

/** The limits of a payer, and the charges and holds that count against them. */
interface Limits {
  readonly granted: number | null
  readonly budget: number | null
  readonly keyBudget: number | null
  readonly used: number
  readonly month: number
  readonly keyMonth: number
  readonly held: number
  readonly keyHeld: number
}

/** Drops the hold under a reference, and what is held beyond it, whoever made them. Only for callers who are sure that nobody else works there. */
export function* dropHold(team: string, ref: string): Op<void> {
  yield* run(sql`delete from holds where team = ${team} and ref in (${ref}, ${extraOf(ref)})`)
}

/** Credits: a ledger of charges, sums per month and key, and holds. */
export const ledger = {
  *balance(team: string, now: number): Op<Balance> {
    const row = yield* first<Balance>(sql`select
      (select credits_granted from teams where id = ${team}) as granted,
      coalesce((select sum(credits) from usage_months where team = ${team}), 0) as used,
      coalesce((select sum(credits) from holds where team = ${team} and until > ${now}), 0) as held`)
    return row ?? { granted: null, used: 0, held: 0 }
  },

  *allowance(payer: Payer, now: number): Op<Allowance | null> {
    const limits = yield* limitsOf(payer, now)
    return limits === null ? null : tightest(limits, now)
  },

  *hold(payer: Payer, ref: string, credits: number, until: number, now: number): Op<Hold | null> {
    const { team } = payer
    const hold: Hold = { ref, fence: randomUUID() }
    // The lock serialises the holds of one team, so that each sees the one before. Charges also refer to the team, but need not wait.
    const known = yield* first(sql`select id from teams where id = ${team} ${forNoKeyUpdate}`)
    if (!known) throw new Error('Credits were to be held for a team that does not exist.')
    const limit = yield* ledger.allowance(payer, now)
    if (limit === null) return hold
    const own = yield* first<{ credits: number }>(sql`select credits from holds where team = ${team} and ref = ${ref} and until > ${now}`)
    if (limit.left + (own?.credits ?? 0) < credits) return null
    yield* run(sql`insert into holds (team, ref, credits, until, key, fence) values (${team}, ${ref}, ${credits}, ${until}, ${payer.key ?? ''}, ${hold.fence})
      on conflict (team, ref) do update set credits = excluded.credits, until = excluded.until, fence = excluded.fence`)
    return hold
  },

  *release(team: string, { ref, fence }: Hold): Op<void> {
    yield* run(sql`delete from holds where team = ${team} and ref = ${ref} and fence = ${fence}`)
  },

  *charge(team: string, charge: Charge): Op<boolean> {
    yield* dropHold(team, charge.heldAs ?? charge.ref)
    const written = yield* all(sql`insert into ledger (team, ref, kind, credits, at, target)
      values (${team}, ${charge.ref}, ${charge.kind}, ${charge.credits}, ${charge.at}, ${charge.target === undefined ? null : storable(charge.target)})
      on conflict (team, ref) do nothing returning ref`)
    if (written.length === 0) return false
    yield* run(sql`insert into usage_months (team, start, key, credits) values (${team}, ${monthStart(charge.at)}, ${charge.key ?? ''}, ${charge.credits})
      on conflict (team, start, key) do update set credits = usage_months.credits + excluded.credits`)
    return true
  },

  *find(team: string, ref: string): Op<Charge | null> {
    return yield* first<Charge>(sql`select ref, kind, credits, at from ledger where team = ${team} and ref = ${ref}`)
  },

  *addTokens({ team, key }: Payer, tokens: number, at: number): Op<void> {
    yield* run(sql`insert into usage_months (team, start, key, tokens) values (${team}, ${monthStart(at)}, ${key ?? ''}, ${tokens})
      on conflict (team, start, key) do update set tokens = usage_months.tokens + excluded.tokens`)
  },

  *months(team: string): Op<readonly UsedMonth[]> {
    const rows = yield* all<{ start: number; key: string; name: string | null; credits: number; tokens: number }>(sql`select u.start, u.key, k.name, u.credits, u.tokens
      from usage_months u left join keys k on k.id = u.key where u.team = ${team} order by u.start desc, k.created_at, u.key`)
    return rows.map(({ key, name, ...row }) => ({ ...row, key: key === '' ? null : { id: key, name: name ?? '' } }))
  },
}

function* limitsOf({ team, key }: Payer, now: number): Op<Limits | null> {
  const month = monthStart(now)
  const own = key ?? ''
  return yield* first<Limits>(sql`select t.credits_granted as granted, t.budget, k.budget as "keyBudget",
      coalesce((select sum(credits) from usage_months where team = ${team}), 0) as used,
      coalesce((select sum(credits) from usage_months where team = ${team} and start = ${month}), 0) as month,
      coalesce((select sum(credits) from usage_months where team = ${team} and start = ${month} and key = ${own}), 0) as "keyMonth",
      coalesce((select sum(credits) from holds where team = ${team} and until > ${now}), 0) as held,
      coalesce((select sum(credits) from holds where team = ${team} and until > ${now} and key = ${own}), 0) as "keyHeld"
    from teams t left join keys k on k.id = ${own} where t.id = ${team}`)
}

function tightest({ granted, budget, keyBudget, used, month, keyMonth, held, keyHeld }: Limits, now: number): Allowance | null {
  const start = monthStart(now)
  const limits: readonly Allowance[] = [
    ...(granted === null ? [] : [{ plan: granted, left: granted - used - held, month: null }]),
    ...(budget === null ? [] : [{ plan: budget, left: budget - month - held, month: start }]),
    ...(keyBudget === null ? [] : [{ plan: keyBudget, left: keyBudget - keyMonth - keyHeld, month: start, byKey: true as const }]),
  ]
  return limits.reduce<Allowance | null>((least, one) => (least === null || one.left < least.left ? one : least), null)
}

/** The first millisecond of a time's calendar month (UTC). */
function monthStart(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}
