import type { Capture } from '../domain/capture.ts'
import type { DeriveOrder, PageIndex } from '../domain/derivation.ts'
import type { AnalysisName } from '../formats/analysis/index.ts'

/** To the worker: one page to read. */
export interface Order {
  readonly capture: Capture
  readonly order: DeriveOrder
}

/** To the worker: a piece of a large body, each after the one before it, ahead of the order for that page. */
export interface Piece {
  readonly piece: Uint8Array
  /** The length of the whole. */
  readonly of: number
}

/** To the worker, after the pieces of its body: one page to read. */
export interface OrderInPieces {
  readonly capture: Omit<Capture, 'body'> & { readonly body: null }
  readonly order: DeriveOrder
}

/** To the worker: a piece of work on a page and answers about it. */
export interface Analysis {
  readonly analysis: AnalysisName
  readonly input: unknown
}

/** From the worker: what was made of it (pages packed), or why nothing could be. */
export type Outcome = { readonly packed: Uint8Array; readonly index: PageIndex | undefined } | { readonly value: unknown } | { readonly fault: string }

/** From the worker, once and first: it has loaded all that it works with. */
export interface Ready {
  readonly ready: true
}
