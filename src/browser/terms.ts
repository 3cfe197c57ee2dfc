import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { Call } from '../domain/call.ts'
import type { Egress } from '../net/index.ts'

/** What a use may ask of its context; the rest (proxy, downloads, service workers, files) is the pool's. */
export type ContextOptions = Omit<BrowserContextOptions, 'proxy' | 'acceptDownloads' | 'serviceWorkers' | 'recordHar' | 'recordVideo' | 'clientCertificates'>

/** On what terms a page is opened. */
export interface UseTerms {
  readonly context: ContextOptions
  /** The egress guard through which its traffic goes out; that of the tunnel when absent. */
  readonly through?: Egress
  /** Whether pages are kept from noticing that they are driven; what their scripts write to the console is then not heard of. */
  readonly quiet?: boolean
  /** Uses with the same key share one context (its cookies and cache), made with the options of the first: for one crawl of one host. */
  readonly shared?: string
  /** False when the work must not be begun again after its browser was lost through another page. */
  readonly repeatable?: boolean
}

/** What is done with the page. The call's signal aborts when the time is up; the page is gone moments later. */
export type Work<T> = (page: Page, context: BrowserContext, call: Call) => Promise<T>
