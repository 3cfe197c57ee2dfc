import type { Fetcher, ProxyChoice } from '../../domain/fetching/fetcher.ts'

/** What is needed to read a site's robots.txt and sitemaps. */
export interface SitePorts {
  readonly fetcher: Fetcher
  readonly now: () => number
  /** Yields the thread to others. */
  readonly breathe: () => Promise<void>
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** The same ports, fetching through the proxies of the pages. */
export function byWay(site: SitePorts, way: ProxyChoice): SitePorts {
  return { ...site, fetcher: { fetch: (request, call) => site.fetcher.fetch({ ...request, ...way }, call), close: () => site.fetcher.close() } }
}
