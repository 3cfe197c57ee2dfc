import type { Call } from './call.ts'
import type { ProxyTier } from './proxies.ts'
import type { Validators } from './validators.ts'

/** Fetches a page, following redirects hop by hop, every hop through the address guard. */
export interface Fetcher {
  /**
   * Throws `SCRAPE_DNS_RESOLUTION_ERROR`, `SCRAPE_SSL_ERROR`, `SCRAPE_SITE_ERROR` (refused, reset, too many redirects, not HTTP),
   * `SCRAPE_PROXY_SELECTION_ERROR` (no proxy that works), `FORBIDDEN` (address not allowed), `SCRAPE_TIMEOUT`.
   */
  fetch(request: FetchRequest, call: Call): Promise<FetchAnswer>
  close(): Promise<void>
}

/** Which of the operator's proxies to use. */
export interface ProxyChoice {
  /** `basic` when absent. */
  readonly tier?: ProxyTier | undefined
  /** The country that the caller named, where a proxy of it is to be used. */
  readonly country?: string | undefined
}

/** What to fetch, and how. */
export interface FetchRequest extends ProxyChoice {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly languages: readonly string[]
  readonly skipTlsVerification: boolean
  /** Decoded bytes kept; what is beyond is cut and reported. */
  readonly maxBytes: number
  /** By what to ask, at the address that it belongs to, for the page only if it was modified. */
  readonly unless?: Validators | undefined
  /** Told where each redirect leads before it is followed; what it throws ends the fetch. */
  readonly onRedirect?: ((url: string) => void | Promise<void>) | undefined
}

/** What the last hop answered. */
export interface FetchAnswer {
  readonly url: string
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
  readonly truncated: boolean
  readonly tlsVerified: boolean
}
