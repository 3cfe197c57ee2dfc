import type { Call } from '../call.ts'

/** A document converted to the HTML of a page that is all content, or the web page that it is a copy of. */
export interface ConvertedDocument {
  readonly html: string
  /** By the names of contract §3.8: `title`, `author`, `description`, `keywords`, `language`, times. */
  readonly metadata: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
  /** The address of that web page, which is read as any other. */
  readonly page?: string
}

/**
 * Reads word-processor documents, spreadsheets, presentations, e-books and mails in a process of its own, which may crash (R20).
 */
export interface DocumentParser {
  /**
   * Detects the format by the bytes. Throws `SCRAPE_UNSUPPORTED_FILE_ERROR` (unknown format, broken, too large,
   * password-protected, or it crashed its reader), `SCRAPE_TIMEOUT`, or the signal's reason when aborted.
   */
  convert(bytes: Uint8Array, call: Call): Promise<ConvertedDocument>
  /**
   * The text in an image; empty, with a warning, without an OCR program (contract §3). Throws
   * `SCRAPE_UNSUPPORTED_FILE_ERROR`, or the signal's reason when aborted.
   */
  recognise(bytes: Uint8Array, call: Call): Promise<ConvertedDocument>
}
