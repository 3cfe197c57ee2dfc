import type { Fetcher, ProxyChoice } from '../../domain/fetcher.ts'

/** What is needed to read what a site says about itself. */
export interface SitePorts {
  readonly fetcher: Fetcher
  readonly now: () => number
  /** Lets others have the thread. */
  readonly breathe: () => Promise<void>
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** The same by the way of the pages. */
export function byWay(site: SitePorts, way: ProxyChoice): SitePorts {
  return { ...site, fetcher: { fetch: (request, call) => site.fetcher.fetch({ ...request, ...way }, call), close: () => site.fetcher.close() } }
}
