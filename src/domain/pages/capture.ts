import type { Action, ActionResults } from './actions.ts'
import type { Call } from '../call.ts'
import type { Look } from './look.ts'
import type { Shot, ShotOrder } from './shot.ts'
import type { Validators } from './validators.ts'

export type { Shot, ShotOrder }

/** Abilities beyond plain fetching: a plan needs some, engines and adapters offer some. */
export type Capability =
  | 'javascript'
  | 'actions'
  | 'screenshot'
  | 'mobile'
  | 'profile'
  | 'enhanced-proxy'
  | 'model'
  | 'pdf'
  | 'media'
  | 'change-tracking'
  | 'branding'

/** A fetched page: raw, storable, immutable. */
export interface Capture {
  /** The URL that was requested; `url` is the one that answered after redirects. */
  readonly requestedUrl: string
  readonly url: string
  /** HTTP status of the final response. */
  readonly status: number
  /** Header names in lower case, in the order received. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Content encoding removed; character encoding as sent. */
  readonly body: Uint8Array
  readonly engine: 'http' | 'browser'
  readonly proxy: 'basic' | 'enhanced'
  /** False when the certificate was invalid and the caller allowed that. */
  readonly tlsVerified: boolean
  /** True when the body was longer than the limit and was cut. */
  readonly truncated: boolean
  /** When the response was complete, milliseconds since 1970. */
  readonly at: number
  /**
   * Positions in the body's text of the start tags of elements that the browser did not show; absent when it did not look.
   */
  readonly unseen?: readonly number[]
  /** Milliseconds that were waited, when the time limit left less than the `waitFor` of the order. */
  readonly waitedMs?: number
  /** What had not come when the page was read, although it was waited for. */
  readonly missing?: readonly Missing[]
  /** Whether it was fetched without a proxy in the country asked for, although there were proxies; absent if none was asked for. */
  readonly elsewhere?: boolean
  /** Screenshots, when the order asks for them. */
  readonly shots?: readonly Shot[]
  /** What the page looks like, when the order asks for it. */
  readonly look?: Look
  /** The results of its actions, when the order has any. */
  readonly actions?: ActionResults
  /** The browser's storage after the visit, when the order asks for it. */
  readonly remembered?: Remembered
}

/**
 * What a page said that it was loading, the document of a frame, what a script that never ends would still have done, the
 * rows of a list that has only those in view, text in a drawing, or a picture of the document whose text was taken.
 */
export type Missing = 'content' | 'frame' | 'script' | 'rows' | 'drawing' | 'picture'

/** The storage of a browser (cookies and the like), as a profile keeps it. */
export interface Remembered {
  /** Null: it could not be read. */
  readonly state: Uint8Array | null
  /** What could not be read, in words for the caller. */
  readonly warnings: readonly string[]
}

/** What to fetch, and how. */
export interface Order {
  readonly url: string
  /** The caller's own headers; they override the client's. */
  readonly headers: Readonly<Record<string, string>>
  /** Language tags, most preferred first; never empty. */
  readonly languages: readonly string[]
  readonly skipTlsVerification: boolean
  /** Which proxies and which browser to use; `basic` when absent. */
  readonly tier?: Capture['proxy']
  /** Validators for a conditional request; for engines that fetch without running the page. */
  readonly unless?: Validators | undefined
  /** Called with the target of each redirect or navigation before it is fetched; throwing ends the fetch. */
  readonly onRedirect?: ((url: string) => void | Promise<void>) | undefined
  // The rest is for engines that run the page; others may ignore it.
  /** Milliseconds to wait after the page has settled. */
  readonly waitFor?: number
  /** Show the page as on a phone. */
  readonly mobile?: boolean
  /**
   * ISO 3166-1 alpha-2: the country that the page should believe its visitor is in; US when absent. Proxies are chosen by
   * it, too.
   */
  readonly country?: string | undefined
  /** False: advertisements, trackers and cookie dialogs are not blocked. */
  readonly blockAds?: boolean
  readonly screenshot?: ShotOrder | undefined
  /** Whether to measure the page's design. */
  readonly look?: true
  /** What to do in the loaded page; an empty list means nothing. */
  readonly actions?: readonly Action[]
  /** The browser storage to start with, and whether to save it at the end. */
  readonly profile?: { readonly state: Uint8Array | null; readonly save: boolean } | undefined
  /** Pages of one host with the same name share cookies and caches, like those of one visitor: the pages of a crawl. */
  readonly visitor?: string | undefined
}

/** An engine's result: the page, what would be needed to get it, or that it has not changed. */
export type Fetched =
  | { readonly kind: 'captured'; readonly capture: Capture }
  | { readonly kind: 'needs'; readonly needs: readonly Capability[]; readonly why: string }
  /** The page still matches `unless`; the capture holds only what is new. */
  | { readonly kind: 'unmodified'; readonly capture: Omit<Capture, 'status' | 'body' | 'truncated'> }

/** A way to fetch pages. */
export interface Engine {
  readonly name: Capture['engine']
  readonly can: ReadonlySet<Capability>
  /** Relative cost; cheaper engines are tried first. */
  readonly cost: number
  /** Throws a `ServiceError` when this engine cannot get the page. */
  fetch(order: Order, call: Call): Promise<Fetched>
}

/** The first value of a header, or undefined. */
export function header(capture: Pick<Capture, 'headers'>, name: string): string | undefined {
  return capture.headers.find(([key]) => key === name)?.[1]
}

/** The media type of a capture in lower case without parameters; empty when there is none. */
export function mediaType(capture: Pick<Capture, 'headers'>): string {
  return (header(capture, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
