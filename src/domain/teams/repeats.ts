/** How long a request with the same idempotency key counts as a repeat. */
export const repeatMs = 24 * 3_600_000

/** The id for what a request with an idempotency key creates: a repeat finds it by this. */
export interface Claimed {
  readonly id: string
  /** An earlier request with this id may have ended with an unknown outcome: what it created may exist. */
  readonly again: boolean
}

/** The state of an idempotency key (contract §1.6). */
export type Claim =
  | ({ readonly kind: 'fresh' } & Claimed)
  | { readonly kind: 'running' }
  | { readonly kind: 'other-body' }
  | { readonly kind: 'done'; readonly status: number; readonly blob: string; readonly id: string }

/** Idempotency keys, each claimed by one request at a time. */
export interface Idempotency {
  /**
   * Claims `scope` (hash of team, method, path and key) for a request whose body has that hash. A claim not finished by
   * `leaseUntil` is void; whoever claims the same within `repeatMs` of the first claim gets its id.
   */
  claim(scope: string, bodyHash: string, team: string, leaseUntil: number, now: number): Promise<Claim>
  finish(scope: string, bodyHash: string, status: number, blob: string, expiresAt: number): Promise<void>
  /**
   * Gives up the claim made until `leaseUntil`, because its request failed or must not be replayed; a later claim of
   * another request stays. The id is kept for a repeat when it is unknown what the request created.
   */
  abandon(scope: string, bodyHash: string, leaseUntil: number, id: 'kept' | 'forgotten'): Promise<void>
}
