import type { Capture } from '../domain/pages/capture.ts'
import type { DeriveOrder, PageIndex } from '../domain/pages/derivation.ts'
import type { AnalysisName } from '../formats/analysis/index.ts'

/** To the worker: a page to read. */
export interface Order {
  readonly capture: Capture
  readonly order: DeriveOrder
}

/** To the worker: one piece of a large body, in order, before the order for that page. */
export interface Piece {
  readonly piece: Uint8Array
  /** Length of the whole body. */
  readonly of: number
}

/** To the worker, after the pieces of its body: a page to read. */
export interface OrderInPieces {
  readonly capture: Omit<Capture, 'body'> & { readonly body: null }
  readonly order: DeriveOrder
}

/** To the worker: an analysis of a page that was read. */
export interface Analysis {
  readonly analysis: AnalysisName
  readonly input: unknown
}

/** From the worker: the outcome (pages packed), or why there is none. */
export type Outcome = { readonly packed: Uint8Array; readonly index: PageIndex | undefined } | { readonly value: unknown } | { readonly fault: string }

/** From the worker, once and first: it is loaded and ready. */
export interface Ready {
  readonly ready: true
}
