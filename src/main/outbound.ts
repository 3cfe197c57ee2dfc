import type { Clock } from '../domain/clock.ts'
import type { Engine } from '../domain/capture.ts'
import { httpEngine } from '../engines/index.ts'
import type { Log } from '../http/ports.ts'
import { allowList, gate, httpFetcher, nameResolver, type OwnEndpoints, ownEndpoints } from '../net/index.ts'
import { type Browser, browser } from './browser.ts'
import { type Config, ConfigError } from './config.ts'

/** Decoded bytes of a page that are kept (R19). */
const pageMaxBytes = 50 * 1024 * 1024

/** Everything through which pages come in. */
export interface Outbound {
  readonly engines: readonly Engine[]
  readonly browser: Browser
  /** Where the service listens; never a page target. */
  readonly own: OwnEndpoints
  close(): Promise<void>
}

/** The engines over one gate, as the settings open it. Throws `ConfigError` for an allow-list that cannot be read. */
export function outbound(config: Config, clock: Clock, log: Log): Outbound {
  const own = ownEndpoints()
  const resolver = nameResolver({ servers: config.TRAWL_EGRESS_DNS_SERVERS, clock })
  const pages = gate({ resolver, allow: allowed('TRAWL_ALLOW_PRIVATE_ADDRESSES', config.TRAWL_ALLOW_PRIVATE_ADDRESSES), own })
  const fetcher = httpFetcher({ gate: pages, own, clock })
  const http = httpEngine(fetcher, { maxBytes: pageMaxBytes, clock })
  const rendering = browser({ config, gate: pages, own, clock, log, files: http, maxBytes: pageMaxBytes })
  return {
    engines: [http, rendering.engine],
    browser: rendering,
    own,
    async close() {
      await rendering.close()
      await fetcher.close()
      resolver.close()
    },
  }
}

function allowed(name: string, entries: readonly string[]): ReturnType<typeof allowList> {
  try {
    return allowList(entries)
  } catch (error) {
    throw new ConfigError(`${name}: ${error instanceof Error ? error.message : String(error)}.`)
  }
}
