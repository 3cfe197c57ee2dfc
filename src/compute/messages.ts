import type { Capture } from '../domain/capture.ts'
import type { Derivation, DeriveOrder } from '../domain/derivation.ts'

/** To the worker: one page to read. */
export interface Order {
  readonly capture: Capture
  readonly order: DeriveOrder
}

/** From the worker: what was made of it, or why nothing could be. */
export type Outcome = { readonly derivation: Derivation } | { readonly fault: string }
