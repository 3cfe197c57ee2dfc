import type { Call } from '../domain/call.ts'
import type { Clock } from '../domain/clock.ts'
import type { Fetcher, FetchRequest } from '../domain/fetching/fetcher.ts'
import { afterFailure, candidates, type Health, isProxyFault, type ProxyTier, type ProxyWish, type Upstream, untried } from '../domain/fetching/proxies.ts'
import { httpFetcher } from './fetcher.ts'
import type { Egress } from './egress.ts'
import type { NameResolver } from './dns.ts'
import type { OwnEndpoints } from './own-endpoints.ts'
import { upstreamEgress } from './upstream.ts'
import { urlOf } from '../lib/url-of.ts'

/** The operator's proxies by tier; an empty list means that there are none. */
export type Pools = Readonly<Record<ProxyTier, readonly Upstream[]>>

export interface RoutesOptions {
  /** The egress guard of page traffic, which is also the direct route. */
  readonly pages: Egress
  readonly resolver: NameResolver
  readonly own: OwnEndpoints
  readonly clock: Clock
  /** By which proxies that failed are paused; that of the calls when absent. */
  readonly pauses?: Clock
  readonly pools: Pools
  /** Logs proxies that are paused, by pool and index, because their addresses and credentials must not be logged. */
  readonly say: (event: string, fields: Readonly<Record<string, string | number>>) => void
  readonly connectTimeoutMs?: number
}

/** The routes out: direct, or through one of the operator's proxies. */
export interface Routes {
  /** Fetches each page by the route for its tier, country, team and host. */
  readonly fetcher: Fetcher
  /** The egress guard for a visit: all its connections use the visit's proxy, or the next one when that fails. */
  egressFor(wish: ProxyWish): Egress
}

/** How many proxies of a pool are tried before giving up. */
const maxTries = 3

/** A route, with what belongs to it. */
interface Line {
  readonly egress: Egress
  fetcher(): Fetcher
  close(): Promise<void>
}

interface ProxyLine extends Line {
  readonly upstream: Upstream
  health: Health
  /** The first host that it had no answer about since it last worked; null when there are several, undefined when there is none. */
  silent: string | null | undefined
}

/** A line that creates its fetcher on first use. */
function lineOver(egress: Egress, { own, clock }: RoutesOptions): Line {
  let fetcher: Fetcher | null = null
  return {
    egress,
    fetcher: () => (fetcher ??= httpFetcher({ egress, own, clock })),
    close: async () => fetcher?.close(),
  }
}

function proxyLines(tier: ProxyTier, options: RoutesOptions): readonly ProxyLine[] {
  const { pools, clock, pauses = clock, say } = options
  return pools[tier].map((upstream, at) => {
    /** Whether a second host has no answer, either: until then it may be the host, which anybody may name. */
    const isSilent = (host: string): boolean => {
      line.silent = line.silent === undefined || line.silent === host ? host : null
      return line.silent === null
    }
    const report = (fault: string | null, unanswered?: string): void => {
      if (fault === null) line.silent = undefined
      if (unanswered !== undefined && !isSilent(unanswered)) return
      const before = line.health
      line.health = fault === null ? untried : afterFailure(before, pauses.now())
      if (fault !== null && line.health.failures > before.failures) say('proxy-paused', { proxy: `${tier} ${at + 1}`, failures: line.health.failures, ms: line.health.until - pauses.now(), reason: fault })
      else if (fault === null && before.failures > 0) say('proxy-restored', { proxy: `${tier} ${at + 1}` })
    }
    const line: ProxyLine = { ...lineOver(upstreamEgress(upstream, { ...options, report }), options), upstream, health: untried, silent: undefined }
    return line
  })
}

/** Runs the work over one line after the other, until it succeeds or fails for another reason than the proxy. */
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

/** The routes of a service with these pools. Nothing is opened before it is used. */
export function routes(options: RoutesOptions): Routes {
  const direct = lineOver(options.pages, options)
  const basic = proxyLines('basic', options)
  const enhanced = proxyLines('enhanced', options)

  /** Most services have no proxies, so there is no choice. */
  const alone = [direct]
  const isAlone = basic.length === 0 && enhanced.length === 0

  function linesFor(wish: ProxyWish): readonly Line[] {
    // Without proxies of its own, the enhanced tier differs only in its browser.
    const pool = wish.tier === 'enhanced' && enhanced.length > 0 ? enhanced : basic
    const lines = candidates(pool, wish, (options.pauses ?? options.clock).now())
    // One that was silent about this host alone is not paused, but would keep each of its pages waiting.
    const isLast = ({ silent }: ProxyLine): number => Number(silent === wish.host)
    return lines.length === 0 ? [direct] : [...lines].sort((a, b) => isLast(a) - isLast(b)).slice(0, maxTries)
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
