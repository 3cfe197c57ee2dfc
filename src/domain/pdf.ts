import type { Call } from './call.ts'

/** How a PDF is to be read. */
export interface PdfOrder {
  /** `fast`: a file without text is an error; `auto`: it is a warning; `ocr`: pictures of text are to be read. */
  readonly mode: 'fast' | 'auto' | 'ocr'
  /** Only this many pages from the start; all when not given. */
  readonly maxPages?: number | undefined
  /** Also answer the pages one by one. */
  readonly pages: boolean
  /** Put a rule and a comment with the page number before each page of the whole text. */
  readonly pageMarkers: boolean
  /** Also answer what each page consists of. */
  readonly blocks?: boolean
  /** Also answer the text as HTML. */
  readonly html: boolean
  /** Where the file is from, for links that are relative to it; those are left out without it. */
  readonly base?: string
  /** What was recognised in pictures of pages, by page number; absent where nothing was tried. */
  readonly recognised?: ReadonlyMap<number, string>
}

/** A part of a page: a heading, a paragraph, a list, a table, code. */
export interface PdfBlock {
  readonly id: string
  readonly type: 'heading' | 'text' | 'list' | 'table' | 'code'
  /** Its markdown. */
  readonly content: string
  /** Where it stands in the markdown of the whole, from and to; null where it was joined with another. */
  readonly markdownSpan: readonly [number, number] | null
  /** From 0, on its page. */
  readonly readingOrder: number
  /** What read it. */
  readonly source: 'native' | 'ocr'
}

/** A PDF as text. */
export interface PdfDocument {
  readonly markdown: string
  /** Null when not asked for. */
  readonly html: string | null
  /** Empty when not asked for; numbers start at 1. */
  readonly pages: readonly { readonly pageNumber: number; readonly markdown: string }[]
  /** Empty when not asked for. */
  readonly blocks: readonly { readonly pageNumber: number; readonly items: readonly PdfBlock[] }[]
  /** Pages that were read, and pages of the file. */
  readonly numPages: number
  readonly totalPages: number
  /** By the names of contract §3.8: `title`, `author`, `description`, `keywords`, `language`, times as ISO 8601. */
  readonly metadata: Readonly<Record<string, string>>
  /** Addresses of the pages read, each once, in document order. */
  readonly links: readonly string[]
  /** Numbers of pages whose text is a picture or cannot be trusted. */
  readonly pagesNeedingOcr: readonly number[]
  readonly warnings: readonly string[]
}

/** Reads PDF files where reading may crash alone (R20). */
export interface PdfParser {
  /**
   * Throws `SCRAPE_PDF_OCR_REQUIRED` (mode `fast`, no text), `SCRAPE_UNSUPPORTED_FILE_ERROR` (broken, locked by a password, or it
   * broke its reader), `SCRAPE_TIMEOUT`, `FEATURE_NOT_CONFIGURED` (mode `ocr` where no program recognises text), the signal's reason when aborted.
   */
  parse(bytes: Uint8Array, order: PdfOrder, call: Call): Promise<PdfDocument>
  close(): Promise<void>
}
