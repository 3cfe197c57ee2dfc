import type { Call } from '../call.ts'
import type { ProxyTier } from './proxies.ts'
import type { Validators } from '../pages/validators.ts'

/** Fetches a page, following redirects one by one, each checked by the address guard. */
export interface Fetcher {
  /**
   * Throws `SCRAPE_DNS_RESOLUTION_ERROR`, `SCRAPE_SSL_ERROR`, `SCRAPE_SITE_ERROR` (refused, reset, too many redirects, not
   * HTTP), `SCRAPE_PROXY_SELECTION_ERROR` (no working proxy), `FORBIDDEN` (address not allowed), `SCRAPE_TIMEOUT`.
   */
  fetch(request: FetchRequest, call: Call): Promise<FetchAnswer>
  close(): Promise<void>
}

/** Which of the operator's proxies to use. */
export interface ProxyChoice {
  /** `basic` when absent. */
  readonly tier?: ProxyTier | undefined
  /** The country that the caller named, if a proxy there is to be used. */
  readonly country?: string | undefined
}

/** What to fetch, and how. */
export interface FetchRequest extends ProxyChoice {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly languages: readonly string[]
  readonly skipTlsVerification: boolean
  /** The body is cut at this many decoded bytes, and the cut is reported. */
  readonly maxBytes: number
  /**
   * Asked once, with the first bytes of a body that has enough of them to show its kind (`sampleBytes`): false leaves the
   * rest unread, which is not reported as a cut.
   */
  readonly wants?: ((start: Pick<FetchAnswer, 'url' | 'headers' | 'body'>) => boolean) | undefined
  /** When it aborts, or the body breaks off once some of it came, the body is cut where it is, and the cut is reported. */
  readonly until?: AbortSignal | undefined
  /** Validators for a conditional request, sent only to the URL that they belong to. */
  readonly unless?: Validators | undefined
  /** Called with the target of each redirect before it is followed; throwing ends the fetch. */
  readonly onRedirect?: ((url: string) => void | Promise<void>) | undefined
}

/** The response of the last hop. */
export interface FetchAnswer {
  readonly url: string
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
  readonly truncated: boolean
  /** The body is cut because its time was up, or because it broke off. */
  readonly late?: true
  readonly tlsVerified: boolean
}
