import type { ApiKey, Team } from '../../domain/ports.ts'
import { greatest } from '../dialect.ts'
import { type Op, all, first, run } from '../op.ts'
import { sql } from '../sql.ts'

const teamColumns = sql`id, created_at as "createdAt", credits_granted as "creditsGranted"`
const keyColumns = sql`id, team, prefix, name, created_at as "createdAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`

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
    return yield* first<ApiKey>(sql`select ${keyColumns} from keys where hash = ${hash}`)
  },

  *keys(team?: string): Op<readonly ApiKey[]> {
    const where = team === undefined ? sql`` : sql`where team = ${team}`
    return yield* all<ApiKey>(sql`select ${keyColumns} from keys ${where} order by created_at desc, id desc`)
  },

  *revokeKey(id: string, now: number): Op<boolean> {
    const revoked = yield* all(sql`update keys set revoked_at = ${now} where id = ${id} and revoked_at is null returning id`)
    return revoked.length > 0
  },

  *touchKeys(uses: readonly { id: string; at: number }[]): Op<void> {
    // In the order of ids, so that two processes never wait for each other's rows crosswise.
    for (const use of [...uses].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      yield* run(sql`update keys set last_used_at = ${greatest}(coalesce(last_used_at, 0), ${use.at}) where id = ${use.id}`)
    }
  },
}
