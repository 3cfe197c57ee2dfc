import type { ConvertedDocument } from '../domain/pages/document.ts'
import type { PdfDocument, PdfOrder } from '../domain/pages/pdf.ts'
import type { DocumentProblem } from './documents/unreadable.ts'

/** A file to read; without an order it is not a PDF. */
export interface Work {
  readonly bytes: Uint8Array
  readonly order: PdfOrder | null
  /** Reads only the plain text of a PDF, in a few seconds. */
  readonly hurried?: boolean
}

/** Why a file could not be read. After `memory` and `fault` the process ends. */
export type Problem = DocumentProblem | 'no-text' | 'memory' | 'fault'

/** A document that was read in a hurry `ends` its process, too: a thread of it is busy with the same file. */
export type Reply = { readonly document: PdfDocument; readonly ends?: boolean } | { readonly converted: ConvertedDocument } | { readonly problem: Problem; readonly detail?: string }
