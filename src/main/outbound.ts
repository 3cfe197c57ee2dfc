import type { Clock } from '../domain/clock.ts'
import type { Engine } from '../domain/capture.ts'
import { httpEngine } from '../engines/index.ts'
import { allowList, gate, httpFetcher, nameResolver, type OwnEndpoints, ownEndpoints } from '../net/index.ts'
import { type Config, ConfigError } from './config.ts'

/** Decoded bytes of a page that are kept (R19). */
const pageMaxBytes = 50 * 1024 * 1024

/** Everything through which pages come in. */
export interface Outbound {
  readonly engines: readonly Engine[]
  /** Where the service listens; never a page target. */
  readonly own: OwnEndpoints
  close(): Promise<void>
}

/** The engines over one gate, as the settings open it. Throws `ConfigError` for an allow-list that cannot be read. */
export function outbound(config: Pick<Config, 'TRAWL_ALLOW_PRIVATE_ADDRESSES' | 'TRAWL_EGRESS_DNS_SERVERS'>, clock: Clock): Outbound {
  const own = ownEndpoints()
  const resolver = nameResolver({ servers: config.TRAWL_EGRESS_DNS_SERVERS, clock })
  const fetcher = httpFetcher({ gate: gate({ resolver, allow: allowed('TRAWL_ALLOW_PRIVATE_ADDRESSES', config.TRAWL_ALLOW_PRIVATE_ADDRESSES), own }), own, clock })
  return {
    engines: [httpEngine(fetcher, { maxBytes: pageMaxBytes, clock })],
    own,
    async close() {
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
