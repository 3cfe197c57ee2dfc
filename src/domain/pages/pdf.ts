import type { Call } from '../call.ts'

/** How to read a PDF. */
export interface PdfOrder {
  /** `fast`: a file without text is an error; `auto`: it causes a warning; `ocr`: text in images is recognised. */
  readonly mode: 'fast' | 'auto' | 'ocr'
  /** Read only this many pages from the start; all when absent. */
  readonly maxPages?: number | undefined
  /** Also return the pages one by one. */
  readonly pages: boolean
  /** Precede each page in the whole text by a rule and a comment with the page number. */
  readonly pageMarkers: boolean
  /** Also return the blocks of each page. */
  readonly blocks?: boolean
  /** Also return the text as HTML. */
  readonly html: boolean
  /** The URL of the file, to resolve relative links; they are omitted without it. */
  readonly base?: string
  /** Recognised text in page images, by page number; absent when OCR was not attempted. */
  readonly recognised?: ReadonlyMap<number, string>
}

/** A part of a page: a heading, a paragraph, a list, a table, code. */
export interface PdfBlock {
  readonly id: string
  readonly type: 'heading' | 'text' | 'list' | 'table' | 'code'
  /** Its markdown. */
  readonly content: string
  /** Its start and end in the markdown of the whole; null when it was joined with another block. */
  readonly markdownSpan: readonly [number, number] | null
  /** Its position on the page, from 0. */
  readonly readingOrder: number
  /** Whether its text comes from the file or from OCR. */
  readonly source: 'native' | 'ocr'
}

/** A PDF as text. */
export interface PdfDocument {
  readonly markdown: string
  /** Null when not requested. */
  readonly html: string | null
  /** Empty when not requested; page numbers start at 1. */
  readonly pages: readonly { readonly pageNumber: number; readonly markdown: string }[]
  /** Empty when not requested. */
  readonly blocks: readonly { readonly pageNumber: number; readonly items: readonly PdfBlock[] }[]
  /** The number of pages read, and of all pages. */
  readonly numPages: number
  readonly totalPages: number
  /** By the names of contract §3.8: `title`, `author`, `description`, `keywords`, `language`, times as ISO 8601. */
  readonly metadata: Readonly<Record<string, string>>
  /** The link targets in the pages read, without duplicates, in document order. */
  readonly links: readonly string[]
  /** Numbers of the pages whose text is an image or unreliable. */
  readonly pagesNeedingOcr: readonly number[]
  /** There was not the time to read all of it: it may give more when it is read again. */
  readonly late?: true
  readonly warnings: readonly string[]
}

/** Reads PDF files in a process of its own, which may crash (R20). */
export interface PdfParser {
  /**
   * Throws `SCRAPE_PDF_OCR_REQUIRED` (mode `fast`, no text), `SCRAPE_UNSUPPORTED_FILE_ERROR` (broken, password-protected,
   * or it crashed its reader), `SCRAPE_TIMEOUT`, `FEATURE_NOT_CONFIGURED` (mode `ocr` without an OCR program), or the
   * signal's reason when aborted.
   */
  parse(bytes: Uint8Array, order: PdfOrder, call: Call): Promise<PdfDocument>
  close(): Promise<void>
}
