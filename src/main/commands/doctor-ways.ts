import type { Upstream } from '../../domain/fetching/proxies.ts'
import { parseQuery } from '../../domain/search/search-query.ts'
import { type ProviderRequest, type SearchProvider } from '../../domain/search/search.ts'
import { allowList, egress, nameResolver, ownEndpoints, upstreamEgress } from '../../net/index.ts'
import type { Config } from '../settings/config.ts'
import { absent, broken, callOf, type Finding, ok, reason } from './findings.ts'
import { noLog } from '../log.ts'
import { outbound } from '../parts/outbound.ts'
import { openSearchProviders } from '../parts/search-providers.ts'

const clock = { now: Date.now }
const limitMs = 15_000

/** A host that exists for such purposes (RFC 2606). */
const target = { host: 'example.com', port: 443 } as const

/** Whether each configured proxy opens a connection; named by its position, as in the log. */
export async function proxies(config: Config): Promise<readonly Finding[]> {
  const pools = { TRAWL_PROXY_BASIC: config.TRAWL_PROXY_BASIC, TRAWL_PROXY_ENHANCED: config.TRAWL_PROXY_ENHANCED }
  const all = Object.entries(pools).flatMap(([name, upstreams]) => upstreams.map((upstream, i) => proxy(`proxy ${i + 1} of ${name}`, upstream, config)))
  return Promise.all(all)
}

async function proxy(name: string, upstream: Upstream, config: Config): Promise<Finding> {
  const resolver = nameResolver({ servers: config.TRAWL_EGRESS_DNS_SERVERS })
  const own = ownEndpoints()
  let fault: string | null = null
  const pages = egress({ resolver, allow: allowList([]), own })
  const way = upstreamEgress(upstream, { pages, resolver, own, report: (found) => void (fault = found) })
  try {
    const socket = await way.dial(target.host, target.port, { signal: AbortSignal.timeout(limitMs) })
    socket.destroy()
    return ok(`${name}: opens connections`)
  } catch {
    return fault === null ? absent(`${name}: answers, but opened no connection to ${target.host}`) : broken(`${name}: ${String(fault)}`)
  } finally {
    resolver.close()
  }
}

const question: ProviderRequest = {
  source: 'web', query: parseQuery('example'), limit: 1, hosts: [], notHosts: [], files: [], country: null, location: null, language: null, safe: null, from: null, to: null, span: null, byDate: false,
}

async function provider(one: SearchProvider): Promise<Finding> {
  let why = ''
  const call = callOf(limitMs, (_event, fields) => void (why = fields?.['reason'] === undefined ? why : ` (${String(fields['reason'])})`))
  try {
    await one.search(question, call)
    return ok(`search provider: ${one.name} answers`)
  } catch (error) {
    return broken(`search provider: ${one.name}: ${call.signal.aborted ? 'it did not answer in time' : `${reason(error)}${why}`}`)
  }
}

/** Whether each configured search provider answers a search. */
export async function searchProviders(config: Config): Promise<readonly Finding[]> {
  const out = outbound(config, clock, noLog)
  try {
    const { list, close } = openSearchProviders(config, { own: out.own, fetcher: out.fetcher, now: clock.now })
    try {
      if (list.length === 0) return [absent('search providers: none (TRAWL_SEARCH_PROVIDERS); what the team has read is searched')]
      return await Promise.all(list.map(provider))
    } finally {
      close()
    }
  } finally {
    await out.close()
  }
}
