import type { PdfDocument, PdfOrder } from '../domain/pdf.ts'

/** One file to read. */
export interface Work {
  readonly bytes: Uint8Array
  readonly order: PdfOrder
}

/** Why a file could not be read. `memory` and `fault` end the process that says so. */
export type Problem = 'encrypted' | 'broken' | 'no-text' | 'memory' | 'fault'

export type Reply = { readonly document: PdfDocument } | { readonly problem: Problem; readonly detail?: string }
