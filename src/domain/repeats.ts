/** How long a repeat of a request is one. */
export const repeatMs = 24 * 3_600_000

/** What a request with an idempotency key makes, by which what a repeat makes is known for the same. */
export interface Claimed {
  readonly id: string
  /** An earlier request of that id may have ended without anybody knowing how: what it made may be there. */
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
   * Claims `scope` (hash of team, method, path and key) for a request whose body has that hash. A claim not finished by `leaseUntil` is void;
   * whoever claims the same again within `repeatMs` of the first gets its id.
   */
  claim(scope: string, bodyHash: string, team: string, leaseUntil: number, now: number): Promise<Claim>
  finish(scope: string, bodyHash: string, status: number, blob: string, expiresAt: number): Promise<void>
  /**
   * Gives up the claim that was made until `leaseUntil`, whose request failed, or is not to be replayed; not one that another request has made since.
   * Its id is kept for a repeat where what it made is not known.
   */
  abandon(scope: string, bodyHash: string, leaseUntil: number, id: 'kept' | 'forgotten'): Promise<void>
}
