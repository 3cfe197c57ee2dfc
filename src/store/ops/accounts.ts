import { featureGates } from '../../domain/teams/feature-gates.ts'
import type { ApiKey, KeyTerms, Team, TeamTerms, TermedTeam } from '../../domain/teams/accounts.ts'
import { greatest } from '../dialect.ts'
import { type Op, all, first, run } from '../op.ts'
import { sql } from '../sql.ts'

const teamColumns = sql`id, created_at as "createdAt", credits_granted as "creditsGranted"`
const keyColumns = sql`id, team, prefix, name, created_at as "createdAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt", budget, rates`

/** A key as stored in its row. */
type KeyRow = Omit<ApiKey, 'terms'> & KeyTerms

const keyOf = ({ budget, rates, ...key }: KeyRow): ApiKey => ({ ...key, terms: { budget, rates } })

const gatesIn = (text: string | null): TeamTerms['gates'] => featureGates.filter((name) => text?.split(',').includes(name) === true)

/** Teams and keys. */
export const accounts = {
  *ensureTeam(id: string, creditsGranted: number | null, now: number): Op<Team> {
    yield* run(sql`insert into teams (id, created_at, credits_granted) values (${id}, ${now}, ${creditsGranted}) on conflict (id) do nothing`)
    const team = yield* accounts.team(id)
    if (!team) throw new Error('A team vanished while it was being created.')
    return team
  },

  *team(id: string): Op<Team | null> {
    return yield* first<Team>(sql`select ${teamColumns} from teams where id = ${id}`)
  },

  *teams(): Op<readonly Team[]> {
    return yield* all<Team>(sql`select ${teamColumns} from teams order by created_at, id`)
  },

  *addKey(key: { id: string; hash: string; team: string; prefix: string; name: string; createdAt: number }): Op<boolean> {
    const added = yield* all(sql`insert into keys (id, hash, team, prefix, name, created_at)
      values (${key.id}, ${key.hash}, ${key.team}, ${key.prefix}, ${key.name}, ${key.createdAt})
      on conflict (hash) do nothing returning id`)
    return added.length > 0
  },

  *keyByHash(hash: string): Op<ApiKey | null> {
    const row = yield* first<KeyRow>(sql`select ${keyColumns} from keys where hash = ${hash}`)
    return row === null ? null : keyOf(row)
  },

  *keys(team?: string): Op<readonly ApiKey[]> {
    const where = team === undefined ? sql`` : sql`where team = ${team}`
    return (yield* all<KeyRow>(sql`select ${keyColumns} from keys ${where} order by created_at desc, id desc`)).map(keyOf)
  },

  *revokeKey(id: string, now: number): Op<boolean> {
    const revoked = yield* all(sql`update keys set revoked_at = ${now} where id = ${id} and revoked_at is null returning id`)
    return revoked.length > 0
  },

  *touchKeys(uses: readonly { id: string; at: number }[]): Op<void> {
    // In order of ids, so that two processes never deadlock.
    for (const use of [...uses].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      yield* run(sql`update keys set last_used_at = ${greatest}(coalesce(last_used_at, 0), ${use.at}) where id = ${use.id}`)
    }
  },
  *setTeam(id: string, { budget, rates, gates, webhookSecret }: Partial<TeamTerms>): Op<boolean> {
    const known = yield* accounts.team(id)
    if (known === null) return false
    if (budget !== undefined) yield* run(sql`update teams set budget = ${budget} where id = ${id}`)
    if (rates !== undefined) yield* run(sql`update teams set rates = ${rates} where id = ${id}`)
    if (gates !== undefined) yield* run(sql`update teams set gates = ${gates.length === 0 ? null : gates.join(',')} where id = ${id}`)
    if (webhookSecret !== undefined) yield* run(sql`update teams set webhook_secret = ${webhookSecret} where id = ${id}`)
    return true
  },

  *setKey(id: string, { budget, rates }: Partial<KeyTerms>): Op<boolean> {
    const known = yield* first(sql`select id from keys where id = ${id}`)
    if (known === null) return false
    if (budget !== undefined) yield* run(sql`update keys set budget = ${budget} where id = ${id}`)
    if (rates !== undefined) yield* run(sql`update keys set rates = ${rates} where id = ${id}`)
    return true
  },

  *terms(): Op<readonly TermedTeam[]> {
    const limited = sql`credits_granted is not null or budget is not null or exists (select 1 from keys k where k.team = teams.id and k.budget is not null)`
    const rows = yield* all<Omit<TermedTeam, 'gates' | 'limited'> & { readonly gates: string | null; readonly limited: number }>(sql`select id as team, budget, rates, gates,
        webhook_secret as "webhookSecret", case when ${limited} then 1 else 0 end as limited
      from teams where rates is not null or gates is not null or webhook_secret is not null or ${limited} order by id`)
    return rows.map((row) => ({ ...row, gates: gatesIn(row.gates), limited: row.limited === 1 }))
  },

  *grant(id: string, credits: number | null): Op<boolean> {
    const used = sql`coalesce((select sum(credits) from usage_months where team = ${id}), 0)`
    const granted = credits === null ? sql`null` : sql`coalesce(credits_granted, ${used}) + ${credits}`
    return (yield* all(sql`update teams set credits_granted = ${granted} where id = ${id} returning id`)).length > 0
  },
}
