import type { Clock } from '../../domain/clock.ts'
import type { Engine } from '../../domain/pages/capture.ts'
import type { Fetcher } from '../../domain/fetching/fetcher.ts'
import { httpEngine } from '../../engines/index.ts'
import type { Log } from '../../http/ports.ts'
import { endpointOf } from '../../lib/endpoint-of.ts'
import { steadyNow } from '../../lib/steady-now.ts'
import { allowList, egress, nameResolver, type OwnEndpoints, ownEndpoints, type Pools, type Routes, routes } from '../../net/index.ts'
import { blobEndpoints } from './blobs.ts'
import { type Browser, browser } from './browser.ts'
import { type Config, ConfigError } from '../settings/config.ts'
import { modelEndpoints } from './model.ts'
import { searchEndpoints } from './search-providers.ts'
import { databaseEndpoints } from './store.ts'

/** Decoded bytes of a page that are kept (R19). */
export const pageMaxBytes = 50 * 1024 * 1024

/** The ways to fetch pages. */
export interface Outbound {
  readonly engines: readonly Engine[]
  readonly browser: Browser
  /** Fetches robots.txt, sitemaps and feeds, which are not pages. */
  readonly fetcher: Fetcher
  /** The same routes for everything that does not use the fetcher. */
  readonly ways: Pick<Routes, 'egressFor'>
  /** The proxies for pages. */
  readonly pools: Pools
  /** Where the service listens; pages cannot reach it. */
  readonly own: OwnEndpoints
  close(): Promise<void>
}

/** Hosts and ports that only the operator's own clients may use, neither pages nor webhooks. Throws `ConfigError`. */
export function operatorEndpoints(config: Config): readonly { readonly host: string; readonly port: number }[] {
  return [...config.TRAWL_PROXY_BASIC, ...config.TRAWL_PROXY_ENHANCED, ...blobEndpoints(config), ...databaseEndpoints(config), ...modelEndpoints(config), ...searchEndpoints(config), ...(config.TRAWL_CDP_URL === null ? [] : [endpointOf(new URL(config.TRAWL_CDP_URL))])]
}

/** The engines over one egress guard, as configured. Throws `ConfigError` for an invalid allow-list. */
export function outbound(config: Config, clock: Clock, log: Log): Outbound {
  const own = ownEndpoints()
  const resolver = nameResolver({ servers: config.TRAWL_EGRESS_DNS_SERVERS })
  const pools: Pools = { basic: config.TRAWL_PROXY_BASIC, enhanced: config.TRAWL_PROXY_ENHANCED }
  const allow = allowed('TRAWL_ALLOW_PRIVATE_ADDRESSES', config.TRAWL_ALLOW_PRIVATE_ADDRESSES, log)
  const pages = egress({ resolver, allow, own, closed: operatorEndpoints(config), asBrowsers: true })
  const ways = routes({ pages, resolver, own, clock, pauses: { now: steadyNow }, pools, say: (event, fields) => log('warn', event, fields) })
  const http = httpEngine(ways.fetcher, { maxBytes: pageMaxBytes, clock, enhanced: pools.enhanced.length > 0 })
  const rendering = browser({ config, egress: pages, ways, own, clock, log, files: http, maxBytes: pageMaxBytes })
  return {
    engines: [http, rendering.engine],
    browser: rendering,
    fetcher: ways.fetcher,
    ways,
    pools,
    own,
    async close() {
      await rendering.close()
      await ways.fetcher.close()
      resolver.close()
    },
  }
}

/** The allow-list of a setting; the log says so when an entry allows every address (R3). Throws `ConfigError` when it is invalid. */
export function allowed(name: string, entries: readonly string[], log?: Log): ReturnType<typeof allowList> {
  try {
    const list = allowList(entries)
    if (entries.some((entry) => /\/0+(?!\d)/.test(entry))) log?.('warn', 'every-address-allowed', { setting: name, what: 'the networks and the machine of the service are open to whoever may use it' })
    return list
  } catch (error) {
    throw new ConfigError(`${name}: ${error instanceof Error ? error.message : String(error)}.`)
  }
}
