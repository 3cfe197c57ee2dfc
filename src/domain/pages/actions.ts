import type { Shot } from './shot.ts'

export type { Action } from '../../spec/actions.ts'

/** The HTML of a page as an action found it. */
export interface ActionScrape {
  readonly url: string
  readonly html: string
  /** The page was larger than what is read, or could not be read completely. */
  readonly cut?: true
}

/** The results of a page's actions, each list in the order of the actions. */
export interface ActionResults {
  readonly screenshots: readonly Shot[]
  readonly scrapes: readonly ActionScrape[]
  /** `type` as `typeof` names it, plus `array` and `null`; values that JSON cannot express are null. */
  readonly javascriptReturns: readonly { readonly type: string; readonly value: unknown }[]
  readonly pdfs: readonly Uint8Array[]
  /** URLs of windows that opened meanwhile; they are not scraped. */
  readonly windows?: readonly string[]
  /** URLs of files that were downloaded meanwhile; they are not read. */
  readonly downloads?: readonly string[]
  /** URL of the file that the actions ended at, as the browser shows it. */
  readonly file?: string
}

/** What a failed action found: the `details` of `SCRAPE_ACTION_ERROR`. */
export interface ActionFailure {
  readonly index: number
  readonly type: string
  readonly message: string
  /** The page at that moment; the text is truncated. */
  readonly seen: { readonly url: string; readonly title: string; readonly text: string }
}

/** The size of the results of a page's actions, in bytes. */
export function bytesOfActions({ screenshots, scrapes, pdfs }: ActionResults): number {
  return [...screenshots.map(({ bytes }) => bytes.length), ...scrapes.map(({ html }) => html.length), ...pdfs.map((bytes) => bytes.length)].reduce((sum, length) => sum + length, 0)
}
