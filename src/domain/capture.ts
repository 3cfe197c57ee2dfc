import type { Action, ActionResults } from './actions.ts'
import type { Call } from './call.ts'
import type { Look } from './look.ts'
import type { Shot, ShotOrder } from './shot.ts'
import type { Validators } from './validators.ts'

export type { Shot, ShotOrder }

/** What a request may ask of the service beyond fetching; a plan needs some, engines and adapters offer some. */
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

/** A page as it came home: raw, storable, never changed. */
export interface Capture {
  /** The URL asked for, and the one that answered after redirects. */
  readonly requestedUrl: string
  readonly url: string
  /** HTTP status of the final answer. */
  readonly status: number
  /** Header names in lower case, in the order received. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Content coding removed; character encoding as sent. */
  readonly body: Uint8Array
  readonly engine: 'http' | 'browser'
  readonly proxy: 'basic' | 'enhanced'
  /** False when the certificate did not verify and the caller had allowed that. */
  readonly tlsVerified: boolean
  /** True when the body is longer than what is kept. */
  readonly truncated: boolean
  /** When the answer was complete, milliseconds since 1970. */
  readonly at: number
  /** Where start tags are in the body's text of elements that nobody sees, as the browser drew the page; absent where it did not look. */
  readonly unseen?: readonly number[]
  /** Pictures of the page, when the order asked for one. */
  readonly shots?: readonly Shot[]
  /** What it looks like, when the order asked for that. */
  readonly look?: Look
  /** What its actions brought, when the order had any. */
  readonly actions?: ActionResults
  /** What the browser remembers after the visit, when the order asked for that. */
  readonly remembered?: Remembered
}

/** What a browser remembers of the sites that it visited, as a profile keeps it. */
export interface Remembered {
  /** Null: it could not be taken. */
  readonly state: Uint8Array | null
  /** What of it could not be taken, for the caller to read. */
  readonly warnings: readonly string[]
}

/** What to fetch and how. */
export interface Order {
  readonly url: string
  /** The caller's own headers; they win over the client's. */
  readonly headers: Readonly<Record<string, string>>
  /** Language tags, most wanted first; never empty. */
  readonly languages: readonly string[]
  readonly skipTlsVerification: boolean
  /** By which proxies, and in which browser; `basic` when absent. */
  readonly tier?: Capture['proxy']
  /** By what to ask for the page only if it was modified; for engines that fetch without running the page. */
  readonly unless?: Validators | undefined
  /** Told where a redirect, or a page that is run, leads before that is fetched; what it throws ends the fetch. */
  readonly onRedirect?: ((url: string) => void | Promise<void>) | undefined
  // What follows is for engines that run the page; the others need not look at it.
  /** Milliseconds to wait after the page has settled. */
  readonly waitFor?: number
  /** As a phone shows the page. */
  readonly mobile?: boolean
  /** ISO 3166-1 alpha-2: the country where the page should believe its visitor is; US when absent. Proxies are chosen by it, too. */
  readonly country?: string | undefined
  /** False: advertisements, trackers and cookie dialogs are left alone. */
  readonly blockAds?: boolean
  readonly screenshot?: ShotOrder | undefined
  /** Whether the page is to be measured. */
  readonly look?: true
  /** What is to be done on the page when it is there; an empty list is none. */
  readonly actions?: readonly Action[]
  /** What the browser is to remember from the start, and whether what it remembers at the end is wanted. */
  readonly profile?: { readonly state: Uint8Array | null; readonly save: boolean } | undefined
  /** Pages of one host under the same name share cookies and caches, as those of one visitor do: the pages of a crawl. */
  readonly visitor?: string | undefined
}

/** An engine's answer: the page, what it would have taken to get it, or that it is still the same. */
export type Verdict =
  | { readonly kind: 'captured'; readonly capture: Capture }
  | { readonly kind: 'needs'; readonly needs: readonly Capability[]; readonly why: string }
  /** The page is still what `unless` says: what is new about it. */
  | { readonly kind: 'unmodified'; readonly capture: Omit<Capture, 'status' | 'body' | 'truncated'> }

/** A way to bring pages home. */
export interface Engine {
  readonly name: Capture['engine']
  readonly can: ReadonlySet<Capability>
  /** Relative cost; cheaper engines are tried first. */
  readonly cost: number
  /** Throws `ServiceError` when the page cannot be had by this engine. */
  fetch(order: Order, call: Call): Promise<Verdict>
}

/** The first value of a header, or undefined. */
export function header(capture: Pick<Capture, 'headers'>, name: string): string | undefined {
  return capture.headers.find(([key]) => key === name)?.[1]
}

/** The media type of a capture in lower case without parameters; empty when not given. */
export function mediaType(capture: Pick<Capture, 'headers'>): string {
  return (header(capture, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
