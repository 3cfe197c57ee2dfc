import type { Capture } from '../pages/capture.ts'
import { ServiceError, Unreachable } from '../errors.ts'
import type { PageVerdict } from '../pages/reading.ts'
import { endpointOf } from '../../lib/endpoint-of.ts'
import { countryOf } from '../../spec/common.ts'
import { percentDecoded } from '../../lib/percent-decoded.ts'
import { urlOf } from '../../lib/url-of.ts'
import { sha256 } from '../../lib/sha256.ts'

/** The effort to get a page: the cheap way first, the elaborate one if it fails. */
export type ProxyTier = Capture['proxy']

/** A proxy of the operator through which pages may be fetched. */
export interface Upstream {
  readonly host: string
  readonly port: number
  /** Null when the proxy requires none. */
  readonly credentials: { readonly username: string; readonly password: string } | null
  /** ISO 3166-1 alpha-2; null when the operator named none. */
  readonly country: string | null
}

function countryIn(hash: string): string | null | undefined {
  if (hash === '') return null
  const code = /^#country=([a-z]{2})$/i.exec(hash)?.[1]
  return code === undefined ? undefined : (countryOf(code) ?? undefined)
}

/** Parses one `http://user:pass@host:port#country=DE`; null when it is anything else. */
export function parseUpstream(text: string): Upstream | null {
  const url = urlOf(text)
  if (url === null || url.protocol !== 'http:' || url.hostname === '' || url.port === '0' || url.pathname !== '/' || url.search !== '') return null
  const country = countryIn(url.hash)
  if (country === undefined) return null
  const named = url.username !== '' || url.password !== ''
  const credentials = named ? { username: percentDecoded(url.username), password: percentDecoded(url.password) } : null
  // A colon would end the user name, a control character the header (RFC 7617 §2).
  if (credentials !== null && (credentials.username.includes(':') || /[\0-\x1f\x7f]/.test(credentials.username + credentials.password))) return null
  return { ...endpointOf(url), credentials, country }
}

/**
 * Parses `http://user:pass@host:port#country=DE` entries. Throws a plain `Error` with the position of an invalid entry,
 * never its text, which may contain a password.
 */
export function parseUpstreams(entries: readonly string[]): readonly Upstream[] {
  return entries.map((entry, at) => {
    const upstream = parseUpstream(entry)
    if (upstream === null) throw new Error(`entry ${at + 1} is not of the form http://user:pass@host:port#country=DE`)
    return upstream
  })
}

/** The recent record of a proxy. */
export interface Health {
  /** Consecutive failures. */
  readonly failures: number
  /** Until then it is used only when no healthy proxy is left. */
  readonly until: number
}

/** The record of a proxy that has not failed. */
export const untried: Health = { failures: 0, until: 0 }

const firstPauseMs = 5_000
const longestPauseMs = 300_000

/**
 * The record after another failure: each one in a row doubles the pause, from five seconds to five minutes. Failures during
 * a pause are ignored: they belong to work that began before.
 */
export function afterFailure({ failures, until }: Health, now: number): Health {
  if (now < until) return { failures, until }
  return { failures: failures + 1, until: now + Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 10)) }
}

/** The page for which a proxy is chosen. */
export interface ProxyWish {
  readonly tier: ProxyTier
  /** The country that the caller asked for, if any. */
  readonly country: string | undefined
  readonly team: string
  readonly host: string
}

/** The country of a request that names none (specification, `location`). */
const defaultCountry = 'US'

/** A proxy and its record. */
export interface Candidate {
  readonly upstream: Upstream
  readonly health: Health
}

/**
 * The proxies for a country: those in it; otherwise those without a country; if there are none of these either, all of
 * them, since a caller must not get past the proxies by a country that none of them has.
 */
function eligible<T extends Candidate>(pool: readonly T[], { country }: ProxyWish): readonly T[] {
  const own = pool.filter(({ upstream }) => upstream.country === (country ?? defaultCountry))
  if (own.length > 0) return own
  const untagged = pool.filter(({ upstream }) => upstream.country === null)
  return untagged.length > 0 ? untagged : pool
}

/**
 * Whether the caller asked for a country other than the default in which the pool has no proxy; an empty pool promises
 * nothing.
 */
export function lacksCountry(pool: readonly Pick<Upstream, 'country'>[], country: string | undefined): boolean {
  return pool.length > 0 && country !== undefined && country !== defaultCountry && !pool.some((one) => one.country === country)
}

const rank = (one: Upstream, { team, host }: ProxyWish): string =>
  sha256(JSON.stringify([team, host, one.host, one.port, one.credentials?.username]))

/**
 * The proxies to try, in order; empty only when there are none. First the healthy ones by a hash of proxy, team and host
 * (rendezvous hashing): a team keeps its proxy for a host while it is healthy, and teams and hosts spread over the pool.
 * Then the paused ones, the earliest end of the pause first.
 */
export function candidates<T extends Candidate>(pool: readonly T[], wish: ProxyWish, now: number): readonly T[] {
  const pause = ({ health }: Candidate): number => (health.until > now ? health.until : 0)
  return eligible(pool, wish)
    .map((one) => ({ one, pause: pause(one), rank: rank(one.upstream, wish) }))
    .sort((a, b) => a.pause - b.pause || (a.rank < b.rank ? -1 : 1))
    .map(({ one }) => one)
}

const refusals: ReadonlySet<number> = new Set([403, 429, 503])

/** The response by which a protected page is recognised. */
export interface Reception {
  readonly verdict: PageVerdict
  readonly status: number
  readonly headers: Capture['headers']
}

// Header names and servers of bot-protection services.
const guardHeaders = /^(?:cf-mitigated|x-datadome.*|x-iinfo|x-sucuri-.*|x-px.*|x-kpsdk-.*|x-amzn-waf-action|x-akamai-.*)$/
const guardServers = /cloudflare|akamaighost|ddos-guard|sucuri|datadome|imperva|incapsula|qrator/i

/** Why to retry the page in the enhanced tier; null when a retry is pointless. */
export function refusalOf({ verdict, status, headers }: Reception): string | null {
  if (verdict === 'challenge') return 'the page is a challenge'
  if (!refusals.has(status)) return null
  const guarded = headers.some(([name, value]) => guardHeaders.test(name) || (name === 'server' && guardServers.test(value)))
  return guarded ? `the site refused with status ${status}` : null
}

/** Whether an error says that the proxy failed, not the site: another one might succeed, or the same one later. */
export function isProxyFault(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'SCRAPE_PROXY_SELECTION_ERROR'
}

/**
 * Why to retry after a failure in the enhanced tier; null when a retry is pointless. Without proxies of its own, that tier
 * differs only by its browser, which cannot open connections that others cannot.
 */
export function failureWorthAnother(error: unknown, ownProxies: boolean): string | null {
  if (!(error instanceof ServiceError)) return null
  if (isProxyFault(error)) return ownProxies ? 'no basic proxy works' : null
  // Without a cause, we judged the site's answer ourselves (too many redirects, for example): another tier would get the
  // same.
  if (error.code !== 'SCRAPE_SITE_ERROR' || error.cause === undefined || (error.cause instanceof Unreachable && !ownProxies)) return null
  return 'the site does not answer as a web server should'
}
