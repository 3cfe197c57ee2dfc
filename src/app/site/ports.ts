import type { Fetcher, ProxyChoice } from '../../domain/fetching/fetcher.ts'

/** What is needed to read a site's robots.txt and sitemaps. */
export interface SitePorts {
  readonly fetcher: Fetcher
  readonly now: () => number
  /** By which answers are kept: a clock that nobody sets; `now` when absent. */
  readonly steady?: () => number
  /** Yields the thread to others. */
  readonly breathe: () => Promise<void>
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** How a site's files are asked for: as its pages are, since it may answer differently otherwise. */
export interface Way extends ProxyChoice {
  /** The caller's; absent without any for the URL. */
  readonly headers?: Readonly<Record<string, string>>
  /** True when absent. */
  readonly skipTlsVerification?: boolean
}

/** The same ports, asking for each URL as its page would be. */
export function byWay(site: SitePorts, wayTo: (url: string) => Way): SitePorts {
  return { ...site, fetcher: { fetch: (request, call) => site.fetcher.fetch({ ...request, ...wayTo(request.url) }, call), close: () => site.fetcher.close() } }
}
