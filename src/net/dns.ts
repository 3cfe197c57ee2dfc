import { lookup, Resolver as DnsResolver } from 'node:dns/promises'
import type { Clock } from '../domain/clock.ts'
import type { Call } from '../domain/call.ts'
import { ServiceError, Unreachable } from '../domain/errors.ts'
import { untilAborted } from '../lib/deadline.ts'
import { steadyNow } from '../lib/steady-now.ts'
import { codeOf, nameless } from './failures.ts'

/** Resolves host names to addresses. */
export interface NameResolver {
  /** All addresses of a name, in the order to try; never empty. Throws `SCRAPE_DNS_RESOLUTION_ERROR`. */
  resolve(host: string, call: Pick<Call, 'signal'>): Promise<readonly string[]>
  close(): void
}

/** The name servers to use. */
export interface ResolverOptions {
  /** `ip:port` of the servers for all names; without any, the system's resolver with its hosts file. */
  readonly servers?: readonly string[]
  /** By which answers are kept; when absent one that nobody sets, or a name that failed would go on failing after the time was set back. */
  readonly clock?: Clock
}

// Long enough for the subresources of a page and a crawl's bursts, short enough to notice that a site moved. Caching does
// not allow DNS rebinding: the address that was vetted is the one that is dialled.
const keepMs = 30_000
const keepFailureMs = 2_000
const maxEntries = 4_096
// getaddrinfo blocks a thread of the pool that files and compression need too; names that hang must not take all of them.
const maxLookups = 3

type Find = (host: string, wanted: () => boolean) => Promise<readonly string[]>

interface Entry {
  readonly addresses: Promise<readonly string[]>
  until: number
  /** The number of calls that wait for the answer. */
  waiting: number
}

/** The name was not looked up, because nobody waited for it when its turn came. Never leaves this file. */
class Unwanted extends Error {}

/** A caching resolver; concurrent calls for the same name share a look-up. */
export function nameResolver({ servers = [], clock = { now: steadyNow } }: ResolverOptions): NameResolver {
  const own = servers.length === 0 ? null : serverResolver(servers)
  const find = own === null ? limited(systemLookup) : own.find
  const cache = new Map<string, Entry>()

  function remember(host: string): Entry {
    const wanted = (): boolean => {
      // Calls from here on start a new look-up.
      if (entry.waiting === 0) entry.until = 0
      return entry.waiting > 0
    }
    const entry: Entry = { addresses: find(host, wanted), until: Infinity, waiting: 0 }
    entry.addresses.then(
      () => (entry.until = clock.now() + keepMs),
      (error: unknown) => (entry.until = error instanceof Unwanted ? 0 : clock.now() + keepFailureMs),
    )
    cache.delete(host)
    cache.set(host, entry)
    const oldest = cache.size > maxEntries ? cache.keys().next().value : undefined
    if (oldest !== undefined) cache.delete(oldest)
    return entry
  }

  return {
    async resolve(host, call) {
      const known = cache.get(host)
      const entry = known !== undefined && known.until > clock.now() ? known : remember(host)
      entry.waiting++
      try {
        return await untilAborted(entry.addresses, call.signal)
      } finally {
        entry.waiting--
      }
    },
    close() {
      cache.clear()
      own?.cancel()
    },
  }
}

/** No name server answers. */
const serverAway: ReadonlySet<string> = new Set(['EAI_AGAIN', 'ECONNREFUSED', 'ETIMEOUT', 'ENETUNREACH'])

function failure(host: string, cause?: unknown): ServiceError {
  return new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR', undefined, { cause: new Unreachable(nameless(cause).message, { host, cutOff: serverAway.has(codeOf(cause)) }) })
}

async function systemLookup(host: string): Promise<readonly string[]> {
  try {
    const found = await lookup(host, { all: true, verbatim: true })
    if (found.length > 0) return found.map((entry) => entry.address)
  } catch (cause) {
    throw failure(host, cause)
  }
  throw failure(host)
}

function serverResolver(servers: readonly string[]): { find: Find; cancel(): void } {
  const resolver = new DnsResolver({ timeout: 2_000, tries: 2 })
  resolver.setServers(servers)
  return {
    async find(host) {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      if (addresses.length > 0) return addresses
      throw failure(host, v4.status === 'rejected' ? v4.reason : undefined)
    },
    cancel: () => resolver.cancel(),
  }
}

/** Limits look-ups to `maxLookups` at a time, in order of arrival; skips names that nobody waits for any more. */
function limited(find: Find): Find {
  const waiting: (() => void)[] = []
  let running = 0
  return async (host, wanted) => {
    const queued = running >= maxLookups
    if (queued) await new Promise<void>((go) => waiting.push(go))
    else running++
    try {
      if (queued && !wanted()) throw new Unwanted()
      return await find(host, wanted)
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
