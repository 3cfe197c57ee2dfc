import type { Idempotency } from '../domain/teams/repeats.ts'

/** Claims that are abandoned later when that was not possible at once. */
export interface LateClaims extends Idempotency {
  /** Abandons the claims whose turn was missed. */
  abandonLate(): Promise<void>
}

type Abandoned = Parameters<Idempotency['abandon']>

/** Most claims that are remembered; others lapse by themselves. */
const mostClaims = 10_000

/**
 * Abandons claims later when the store is away: otherwise a repeated request would be told that the first one is still
 * running, for as long as that might have taken. A claim whose answer was lost may have been made, so it is abandoned too.
 */
export function lateClaims(idempotency: Idempotency, now: () => number): LateClaims {
  const late = new Set<Abandoned>()
  const later = (claim: Abandoned): void => void (late.size < mostClaims && late.add(claim))
  return {
    ...idempotency,
    async claim(...asked) {
      const [scope, bodyHash, , leaseUntil] = asked
      try {
        return await idempotency.claim(...asked)
      } catch (error) {
        later([scope, bodyHash, leaseUntil, 'kept'])
        throw error
      }
    },
    async abandon(...claim) {
      // The caller gets the error of the request, not this one.
      await idempotency.abandon(...claim).catch(() => later(claim))
    },
    async abandonLate() {
      for (const claim of late) {
        const [, , leaseUntil] = claim
        if (leaseUntil > now()) await idempotency.abandon(...claim)
        late.delete(claim)
      }
    },
  }
}
