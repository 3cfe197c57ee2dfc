import type { Call } from './call.ts'

/** A document as the HTML of a page that is all content. */
export interface ConvertedDocument {
  readonly html: string
  /** By the names of contract §3.8: `title`, `author`, `description`, `keywords`, `language`, times. */
  readonly metadata: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
}

/** Reads documents of word processors, spreadsheets, presentations and books where reading may crash alone (R20). */
export interface DocumentParser {
  /**
   * Says by the bytes what kind of document it is. Throws `SCRAPE_UNSUPPORTED_FILE_ERROR` (of no kind that is read, broken, too large,
   * locked by a password, or it broke its reader), `SCRAPE_TIMEOUT`, the signal's reason when aborted.
   */
  convert(bytes: Uint8Array, call: Call): Promise<ConvertedDocument>
  /** The text of a picture; none, with a warning, where no program recognises text (contract §3). Throws `SCRAPE_UNSUPPORTED_FILE_ERROR`, the signal's reason when aborted. */
  recognise(bytes: Uint8Array, call: Call): Promise<ConvertedDocument>
}
