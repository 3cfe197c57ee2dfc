// oxlint-disable eslint/max-params -- the signatures are those of the ports
import type { Claim } from '../../domain/ports.ts'
import { type Op, all, first, run } from '../op.ts'
import { sql } from '../sql.ts'

/** The state of idempotency keys. */
export const idempotency = {
  *claim(scope: string, bodyHash: string, team: string, leaseUntil: number, now: number): Op<Claim> {
    for (;;) {
      // One statement decides who claims; a claim that is void or a reply that has expired gives way.
      const fresh = yield* all(sql`insert into idempotency (scope, team, body_hash, lease_until)
        values (${scope}, ${team}, ${bodyHash}, ${leaseUntil})
        on conflict (scope) do update set team = excluded.team, body_hash = excluded.body_hash, lease_until = excluded.lease_until,
          status = null, blob = null, expires_at = null
        where (idempotency.status is null and idempotency.lease_until <= ${now}) or idempotency.expires_at <= ${now}
        returning scope`)
      if (fresh.length > 0) return { kind: 'fresh' }
      const held = yield* first<{ bodyHash: string; status: number | null; blob: string | null }>(
        sql`select body_hash as "bodyHash", status, blob from idempotency where scope = ${scope}`,
      )
      // On Postgres the other holder may have given up between the two statements: then ask again.
      if (held) return stateOf(held, bodyHash)
    }
  },

  *finish(scope: string, bodyHash: string, status: number, blob: string, expiresAt: number): Op<void> {
    yield* run(sql`update idempotency set status = ${status}, blob = ${blob}, expires_at = ${expiresAt}
      where scope = ${scope} and body_hash = ${bodyHash} and status is null`)
  },

  *abandon(scope: string, bodyHash: string, leaseUntil: number): Op<void> {
    yield* run(sql`delete from idempotency where scope = ${scope} and body_hash = ${bodyHash} and lease_until = ${leaseUntil} and status is null`)
  },
}

function stateOf(held: { bodyHash: string; status: number | null; blob: string | null }, bodyHash: string): Claim {
  if (held.bodyHash !== bodyHash) return { kind: 'other-body' }
  if (held.status === null || held.blob === null) return { kind: 'running' }
  return { kind: 'done', status: held.status, blob: held.blob }
}
