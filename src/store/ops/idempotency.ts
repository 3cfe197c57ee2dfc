import { randomUUID } from 'node:crypto'
import { type Claim, repeatMs } from '../../domain/teams/repeats.ts'
import { type Op, first, run } from '../op.ts'
import { sql } from '../sql.ts'

/** The state of idempotency keys. */
export const idempotency = {
  *claim(scope: string, bodyHash: string, team: string, leaseUntil: number, now: number): Op<Claim> {
    const own = randomUUID()
    const isSame = sql`idempotency.status is null and idempotency.body_hash = excluded.body_hash and idempotency.since > ${now - repeatMs}`
    for (;;) {
      // A single statement decides who claims; a void claim or an expired reply gives way.
      const fresh = yield* first<{ id: string }>(sql`insert into idempotency (scope, team, body_hash, lease_until, id, since)
        values (${scope}, ${team}, ${bodyHash}, ${leaseUntil}, ${own}, ${now})
        on conflict (scope) do update set team = excluded.team, body_hash = excluded.body_hash, lease_until = excluded.lease_until,
          id = case when ${isSame} then idempotency.id else excluded.id end, since = case when ${isSame} then idempotency.since else excluded.since end,
          status = null, blob = null, expires_at = null
        where (idempotency.status is null and idempotency.lease_until <= ${now}) or idempotency.expires_at <= ${now}
        returning id`)
      if (fresh) return { kind: 'fresh', id: fresh.id, again: fresh.id !== own }
      const held = yield* first<Held>(sql`select body_hash as "bodyHash", status, blob, id from idempotency where scope = ${scope}`)
      // On Postgres the other holder may have given up between the two statements: ask again.
      if (held) return stateOf(held, bodyHash)
    }
  },

  *finish(scope: string, bodyHash: string, status: number, blob: string, expiresAt: number): Op<void> {
    yield* run(sql`update idempotency set status = ${status}, blob = ${blob}, expires_at = ${expiresAt}
      where scope = ${scope} and body_hash = ${bodyHash} and status is null`)
  },

  *abandon(scope: string, bodyHash: string, leaseUntil: number, id: 'kept' | 'forgotten'): Op<void> {
    const claim = sql`scope = ${scope} and body_hash = ${bodyHash} and lease_until = ${leaseUntil} and status is null`
    yield* run(id === 'kept' ? sql`update idempotency set lease_until = 0 where ${claim}` : sql`delete from idempotency where ${claim}`)
  },
}

interface Held {
  readonly bodyHash: string
  readonly status: number | null
  readonly blob: string | null
  readonly id: string
}

function stateOf(held: Held, bodyHash: string): Claim {
  if (held.bodyHash !== bodyHash) return { kind: 'other-body' }
  if (held.status === null || held.blob === null) return { kind: 'running' }
  return { kind: 'done', status: held.status, blob: held.blob, id: held.id }
}
