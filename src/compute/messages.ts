import type { Capture } from '../domain/capture.ts'
import type { DeriveOrder, PageIndex } from '../domain/derivation.ts'
import type { AnalysisName } from '../formats/analysis/index.ts'

/** To the worker: one page to read. */
export interface Order {
  readonly capture: Capture
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
