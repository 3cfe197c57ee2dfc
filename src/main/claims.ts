import type { Idempotency } from '../domain/repeats.ts'

/** Claims that are given up, if not at once. */
export interface LateClaims extends Idempotency {
  /** Gives up those that could not be when they were to be. */
  abandonLate(): Promise<void>
}

type Abandoned = Parameters<Idempotency['abandon']>

/** Claims remembered at most; those beyond lapse by themselves. */
const mostClaims = 10_000

/**
 * Gives claims up later where the store is away: a repeat would be told that its first request is still running, for as long as that might have taken.
 * A claim whose answer was lost may have been made, so it is given up too.
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
      // What the request failed by is told, and not this.
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
