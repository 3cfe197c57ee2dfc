import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { Call } from '../domain/call.ts'
import type { Egress } from '../net/index.ts'

/** The context options that a use may set; all others (proxy, downloads, service workers, files) are the pool's. */
export type ContextOptions = Omit<BrowserContextOptions, 'proxy' | 'acceptDownloads' | 'serviceWorkers' | 'recordHar' | 'recordVideo' | 'clientCertificates'>

/** The terms on which a page is opened. */
export interface UseTerms {
  readonly context: ContextOptions
  /** The egress guard for its traffic; by default that of the tunnel. */
  readonly through?: Egress
  /** Whether pages must not notice that the browser is automated; then console messages are not received. */
  readonly quiet?: boolean
  /**
   * Uses with the same key share a context (its cookies and cache), created with the options of the first: for one crawl of
   * one host.
   */
  readonly shared?: string
  /** False when the work must not be repeated after its browser was lost through another page. */
  readonly repeatable?: boolean
}

/** The work with a page. The call's signal aborts when the time is up; the page is closed moments later. */
export type Work<T> = (page: Page, context: BrowserContext, call: Call) => Promise<T>
