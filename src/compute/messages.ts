import type { Capture } from '../domain/capture.ts'
import type { DeriveOrder } from '../domain/derivation.ts'

/** To the worker: one page to read. */
export interface Order {
  readonly capture: Capture
  readonly order: DeriveOrder
  /** Nobody waits for an answer, and none is given. */
  readonly practice?: true
}

/** From the worker: what was made of it, packed, or why nothing could be. */
export type Outcome = { readonly packed: Uint8Array } | { readonly fault: string }
