import type { Call } from '../domain/call.ts'
import type { Clock } from '../domain/clock.ts'
import type { Fetcher, FetchRequest } from '../domain/fetcher.ts'
import { afterFailure, candidates, type Health, type ProxyTier, type ProxyWish, type Upstream, untried } from '../domain/proxies.ts'
import { httpFetcher } from './fetcher.ts'
import type { Egress } from './egress.ts'
import type { NameResolver } from './dns.ts'
import type { OwnEndpoints } from './own-endpoints.ts'
import { isProxyFault } from './proxy-fault.ts'
import { upstreamEgress } from './upstream.ts'
import { urlOf } from '../lib/url-of.ts'

/** The proxies of the operator's, by tier; an empty list is no pool. */
export type Pools = Readonly<Record<ProxyTier, readonly Upstream[]>>

export interface RoutesOptions {
  /** The egress guard of page traffic, which is also the direct way out. */
  readonly pages: Egress
  readonly resolver: NameResolver
  readonly own: OwnEndpoints
  readonly clock: Clock
  readonly pools: Pools
  /** Hears of proxies that are paused, by pool and place in it: their addresses and credentials are nobody's business. */
  readonly say: (event: string, fields: Readonly<Record<string, string | number>>) => void
  readonly connectTimeoutMs?: number
}

/** The ways out: directly, or through one of the operator's proxies. */
export interface Routes {
  /** Fetches each page by the way that its tier, country, team and host lead to. */
  readonly fetcher: Fetcher
  /** The egress guard for one visit: every connection goes through the proxy of the visit, or through the next one when that fails. */
  egressFor(wish: ProxyWish): Egress
}

/** How many proxies of a pool are tried before the page is given up. */
const maxTries = 3

/** One way out, with what it needs. */
interface Line {
  readonly egress: Egress
  fetcher(): Fetcher
  close(): Promise<void>
}

interface ProxyLine extends Line {
  readonly upstream: Upstream
  health: Health
}

/** A line whose fetcher is made when it is first used. */
function lineOver(egress: Egress, { own, clock }: RoutesOptions): Line {
  let fetcher: Fetcher | null = null
  return {
    egress,
    fetcher: () => (fetcher ??= httpFetcher({ egress, own, clock })),
    close: async () => fetcher?.close(),
  }
}

function proxyLines(tier: ProxyTier, options: RoutesOptions): readonly ProxyLine[] {
  const { pools, clock, say } = options
  return pools[tier].map((upstream, at) => {
    const report = (fault: string | null): void => {
      const before = line.health
      line.health = fault === null ? untried : afterFailure(before, clock.now())
      if (fault !== null && line.health.failures > before.failures) say('proxy-paused', { proxy: `${tier} ${at + 1}`, failures: line.health.failures, ms: line.health.until - clock.now(), reason: fault })
      else if (fault === null && before.failures > 0) say('proxy-restored', { proxy: `${tier} ${at + 1}` })
    }
    const line: ProxyLine = { ...lineOver(upstreamEgress(upstream, { ...options, report }), options), upstream, health: untried }
    return line
  })
}

/** Does the work over one line after the other, until one does not fail as a proxy fails. */
async function firstThatWorks<T>(lines: readonly Line[], work: (line: Line) => Promise<T>): Promise<T> {
  let failure: unknown
  for (const line of lines) {
    try {
      return await work(line)
    } catch (error) {
      if (!isProxyFault(error)) throw error
      failure = error
    }
  }
  throw failure
}

function wishOf({ url, tier = 'basic', country }: FetchRequest, { team }: Call): ProxyWish {
  return { tier, country, team, host: urlOf(url)?.hostname ?? '' }
}

/** The ways out of a service with these pools. Nothing is opened before it is used. */
export function routes(options: RoutesOptions): Routes {
  const direct = lineOver(options.pages, options)
  const basic = proxyLines('basic', options)
  const enhanced = proxyLines('enhanced', options)

  /** Most services have no proxies: there is nothing to choose then. */
  const alone = [direct]
  const isAlone = basic.length === 0 && enhanced.length === 0

  function linesFor(wish: ProxyWish): readonly Line[] {
    // Without a pool of its own the enhanced tier differs by its browser, not by its way out.
    const tier = wish.tier === 'enhanced' && enhanced.length > 0 ? 'enhanced' : 'basic'
    const lines = candidates(tier === 'enhanced' ? enhanced : basic, { ...wish, tier }, options.clock.now())
    return lines.length === 0 ? [direct] : lines.slice(0, maxTries)
  }

  return {
    fetcher: {
      fetch: (request, call) => firstThatWorks(isAlone ? alone : linesFor(wishOf(request, call)), (line) => line.fetcher().fetch(request, call)),
      close: async () => void (await Promise.all([direct, ...basic, ...enhanced].map((line) => line.close()))),
    },
    egressFor: (wish) => ({
      vet: (host, port, call) => firstThatWorks(linesFor(wish), (line) => line.egress.vet(host, port, call)),
      dial: (host, port, call) => firstThatWorks(linesFor(wish), (line) => line.egress.dial(host, port, call)),
    }),
  }
}
