import type { Page } from 'playwright-core'
import type { ContextTerms, Matcher } from '../browser/index.ts'
import type { Call } from '../domain/call.ts'
import type { Engine, Order } from '../domain/capture.ts'
import type { Clock } from '../domain/clock.ts'
import type { ProxyWish } from '../domain/proxies.ts'

/** What a page is opened with, and by which proxies and in which browser. */
export interface VisitTerms extends ContextTerms {
  readonly wish: ProxyWish
  /** Whether the page is to be kept from noticing that it is driven. */
  readonly quiet: boolean
  /** Pages under the same name may share a context. */
  readonly shared: string | undefined
  /** False: what is done on the page must not be done twice. */
  readonly repeatable: boolean
}

/** Lends fresh pages, each in a context of its own that ends with the work, unless it may be shared. */
export interface PageSource {
  use<T>(terms: VisitTerms, work: (page: Page) => Promise<T>, call: Call): Promise<T>
}

export interface BrowserEngineOptions {
  readonly clock: Clock
  /** Longest HTML that is kept. */
  readonly maxBytes: number
  /** Fetches what turns out to be a file: its bytes say more than the browser's view of them. */
  readonly files: Engine
  /** Filter lists beyond our own, once they are there. */
  readonly matcher?: () => Matcher | null
}

/** Brings pages home as a browser shows them, scripts run. Throws what the page source throws, and `SCRAPE_*` when the page cannot be had. */
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
      // A profile is a visitor of its own.
      const shared = order.visitor === undefined || order.profile !== undefined ? undefined : [call.team, order.visitor, new URL(order.url).host, tier].join(' ')
      const visited = await pages.use({ ...terms, wish, quiet: tier === 'enhanced', shared, repeatable: (order.actions ?? []).every(isHarmless) }, (page) => visit(page, { order, terms }, options, call), call)
      if (visited.kind === 'captured') return { kind: 'captured', capture: { ...visited.capture, proxy: tier } }
      const verdict = await files.fetch({ ...order, url: visited.url, headers: withCookies(order.headers, visited.cookies) }, call)
      return verdict.kind === 'captured' ? { kind: 'captured', capture: { ...verdict.capture, requestedUrl: order.url, ...(visited.remembered === undefined ? {} : { remembered: visited.remembered }) } } : verdict
    },
  }
}

/** The cookies that the browser got on its way, unless the caller gave his own. */
function withCookies(headers: Order['headers'], cookies: string): Order['headers'] {
  const given = Object.keys(headers).some((name) => name.toLowerCase() === 'cookie')
  return cookies === '' || given ? headers : { ...headers, Cookie: cookies }
}
