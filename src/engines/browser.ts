import type { Page } from 'playwright-core'
import type { ContextTerms, Matcher } from '../browser/index.ts'
import type { Call } from '../domain/call.ts'
import { describesClient, staysHome } from '../domain/fetching/caller-headers.ts'
import type { Engine, Order } from '../domain/pages/capture.ts'
import type { Clock } from '../domain/clock.ts'
import type { ProxyWish } from '../domain/fetching/proxies.ts'

/** How a page is visited: the context's terms, the proxies, and the browser. */
export interface VisitTerms extends ContextTerms {
  readonly wish: ProxyWish
  /** Whether the page must not notice that the browser is automated. */
  readonly quiet: boolean
  /** Visits with the same key may share a context; undefined for a context of its own. */
  readonly shared: string | undefined
  /** False when the actions on the page must not be done twice. */
  readonly repeatable: boolean
}

/** Lends fresh pages, each in a context of its own that ends with the work, unless the context is shared. */
export interface PageSource {
  use<T>(terms: VisitTerms, work: (page: Page) => Promise<T>, call: Call): Promise<T>
}

export interface BrowserEngineOptions {
  readonly clock: Clock
  /** Longest HTML that is kept, in bytes. */
  readonly maxBytes: number
  /** Fetches addresses that turn out to be files: the file's bytes say more than the browser's view of it. */
  readonly files: Engine
  /** Filter lists beyond the built-in one; null until they are loaded. */
  readonly matcher?: () => Matcher | null
}

/**
 * Fetches pages as a browser shows them, with their scripts run. Throws what the page source throws, and `SCRAPE_*` when
 * the page cannot be fetched.
 */
export function browserEngine(pages: PageSource, { files, ...options }: BrowserEngineOptions): Engine {
  return {
    name: 'browser',
    can: new Set(['javascript', 'screenshot', 'mobile', 'enhanced-proxy', 'actions', 'profile', 'branding']),
    cost: 100,
    async fetch(order, call) {
      // Loaded with the first page that needs it: a service that renders nothing should not pay for it.
      const { contextTerms, isHarmless, visit } = await import('../browser/index.ts')
      const terms = contextTerms(order)
      const tier = order.tier ?? 'basic'
      const wish: ProxyWish = { tier, country: order.country, team: call.team, host: new URL(order.url).hostname }
      // Each use of a profile is a visitor of its own.
      const shared = order.visitor === undefined || order.profile !== undefined ? undefined : [call.team, order.visitor, new URL(order.url).host, tier].join(' ')
      const visited = await pages.use({ ...terms, wish, quiet: tier === 'enhanced', shared, repeatable: (order.actions ?? []).every(isHarmless) }, (page) => visit(page, { order, terms }, options, call), call)
      if (visited.kind === 'captured') return { kind: 'captured', capture: { ...visited.capture, proxy: tier } }
      const fetched = await files.fetch({ ...order, url: visited.url, headers: headersFor(visited.url, visited.cookies, order) }, call)
      return fetched.kind === 'captured' ? { kind: 'captured', capture: { ...fetched.capture, requestedUrl: order.url, tlsVerified: visited.tlsVerified && fetched.capture.tlsVerified, ...(visited.remembered === undefined ? {} : { remembered: visited.remembered }) } } : fetched
    },
  }
}

/**
 * The caller's headers for a file that the browser was led to: elsewhere only those that describe the client, and in place
 * of the caller's cookies those that the browser would send, which include them.
 */
function headersFor(file: string, cookies: string, { headers, url }: Order): Order['headers'] {
  const home = staysHome(new URL(url), new URL(file))
  const kept = Object.entries(headers).filter(([name]) => (home ? cookies === '' || name.toLowerCase() !== 'cookie' : describesClient(name)))
  return Object.fromEntries([...kept, ...(cookies === '' ? [] : [['Cookie', cookies] as const])])
}
