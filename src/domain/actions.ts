import type { Shot } from './shot.ts'

export type { Action } from '../spec/actions.ts'

/** What the actions of one page brought, each list in their order. */
export interface ActionResults {
  readonly screenshots: readonly Shot[]
  readonly scrapes: readonly { readonly url: string; readonly html: string }[]
  /** `type` as `typeof` names it, with `array` and `null`; what JSON has no word for is null. */
  readonly javascriptReturns: readonly { readonly type: string; readonly value: unknown }[]
  readonly pdfs: readonly Uint8Array[]
  /** Addresses of windows that opened meanwhile: nobody looks at them. */
  readonly windows?: readonly string[]
  /** Addresses of files that were downloaded meanwhile: nobody reads them. */
  readonly downloads?: readonly string[]
  /** Address of the file at which they ended, as which a browser shows it. */
  readonly file?: string
}

/** What an action that failed met: the `details` of `SCRAPE_ACTION_ERROR`. */
export interface ActionFailure {
  readonly index: number
  readonly type: string
  readonly message: string
  /** The page as it was then; text cut short. */
  readonly seen: { readonly url: string; readonly title: string; readonly text: string }
}

/** How much the results of a page's actions take. */
export function bytesOfActions({ screenshots, scrapes, pdfs }: ActionResults): number {
  return [...screenshots.map(({ bytes }) => bytes.length), ...scrapes.map(({ html }) => html.length), ...pdfs.map((bytes) => bytes.length)].reduce((sum, length) => sum + length, 0)
}
