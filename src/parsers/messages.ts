import type { ConvertedDocument } from '../domain/document.ts'
import type { PdfDocument, PdfOrder } from '../domain/pdf.ts'
import type { DocumentProblem } from './documents/unreadable.ts'

/** One file to read; without an order it is another document than a PDF. */
export interface Work {
  readonly bytes: Uint8Array
  readonly order: PdfOrder | null
}

/** Why a file could not be read. `memory` and `fault` end the process that says so. */
export type Problem = DocumentProblem | 'no-text' | 'memory' | 'fault'

export type Reply = { readonly document: PdfDocument } | { readonly converted: ConvertedDocument } | { readonly problem: Problem; readonly detail?: string }
