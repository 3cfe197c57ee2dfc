import type { Call } from './call.ts'

/** What a request may ask of the service beyond fetching; a plan needs some, engines and adapters offer some. */
export type Capability =
  | 'javascript'
  | 'actions'
  | 'screenshot'
  | 'mobile'
  | 'profile'
  | 'enhanced-proxy'
  | 'geo-proxy'
  | 'model'
  | 'pdf'
  | 'media'
  | 'change-tracking'
  | 'branding'
  | 'product'

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
}

/** What to fetch and how. */
export interface Order {
  readonly url: string
  /** The caller's own headers; they win over the client's. */
  readonly headers: Readonly<Record<string, string>>
  /** Language tags, most wanted first; never empty. */
  readonly languages: readonly string[]
  readonly skipTlsVerification: boolean
}

/** An engine's answer: the page, or what it would have taken to get it. */
export type Verdict =
  | { readonly kind: 'captured'; readonly capture: Capture }
  | { readonly kind: 'needs'; readonly needs: readonly Capability[]; readonly why: string }

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
