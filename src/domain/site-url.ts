import type { UrlParts } from '../lib/plain-url.ts'
import { isRoute } from './url.ts'

/** What counts as the same URL within a job. */
export interface UrlRules {
  /** A path is one page, whatever its query. */
  readonly ignoreQueryParameters: boolean
  /** So are URLs that differ in scheme, `www.`, a slash at the end, an index file or the way of writing percent signs. */
  readonly deduplicateSimilarURLs: boolean
}

/** Parameters that say where a visitor came from and change nothing on the page. */
const trackers: ReadonlySet<string> = new Set([
  'gclid', 'gclsrc', 'gbraid', 'wbraid', 'dclid', 'fbclid', 'msclkid', 'yclid', 'ysclid', 'twclid', 'ttclid', 'li_fat_id', 'igshid', 'igsh',
  'mc_cid', 'mc_eid', '_ga', '_gl', '_hsenc', '_hsmi', 'hsctatracking', 'mkt_tok', 'vero_id', 'oly_anon_id', 'oly_enc_id', 'wickedid', '_openstat', 'srsltid',
  // Of the shop's own recommendations (Shopify), and of a comment that its page is to offer a reply to (WordPress).
  'pr_prod_strat', 'pr_rec_id', 'pr_rec_pid', 'pr_ref_pid', 'pr_seq', 'replytocom',
]) // prettier-ignore

/** Names under which PHP, ASP, ColdFusion, osCommerce and forums (there with 32 hexadecimal digits alone: `sid` and `s` mean other things too) carry the session of a visitor without cookies. */
const session = /^(?:(?:phpsessid|jsessionid|aspsessionid[a-z]*|cfid|cftoken|oscsid|zenid)=|(?:sid|s)=[\da-f]{32}$)/i

/** How the listing of a folder (Apache) is to be sorted. */
const listingOrder = /^C=[NMSD];O=[AD]$/

/** Files that a folder shows when none is named. */
export const indexFile = /^index\.(?:html?|php|aspx?|jsp)$/i

/**
 * The key under which a job knows a URL: normalised by the WHATWG URL standard, without credentials, fragment (unless it is a route of
 * a single-page application), tracking parameters and sessions, folded as the rules say. A key, not an address: the page is fetched by the URL as
 * found. Applying it twice changes nothing. Throws for what is no URL.
 */
export function urlKey(url: string | UrlParts, rules: UrlRules): string {
  const { protocol, hostname, port, pathname: written, search, hash } = typeof url === 'string' ? new URL(url) : url
  const pathname = written.includes(';') ? written.replace(/;jsessionid=[\w.!~-]*/gi, '') : written
  const query = rules.ignoreQueryParameters ? '' : withoutTrackers(search)
  const route = isRoute(hash) ? hash : ''
  const host = withoutDot(hostname)
  if (!rules.deduplicateSimilarURLs) return joined(protocol, host, port, `${pathname}${query}${route}`)
  // Only with its default port: elsewhere the scheme is another service.
  return joined(port === '' ? 'http:' : protocol, bareHost(host), port, `${barePath(pathname)}${samePercents(query)}${route}`)
}

function joined(protocol: string, host: string, port: string, rest: string): string {
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}${rest}`
}

/** The dot of an absolute host name (RFC 3986 §3.2.2). */
function withoutDot(hostname: string): string {
  return hostname.length > 1 && hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

/** The query as written, but for some of its parts: order and notation of the others may matter to the server. */
export function withoutTrackers(search: string): string {
  if (search === '') return ''
  const parts = search.slice(1).split('&').filter((part) => !session.test(part) && !listingOrder.test(part) && !isTracker(part.split('=', 1)[0]?.toLowerCase() ?? ''))
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function isTracker(name: string): boolean {
  return name.startsWith('utm_') || trackers.has(name)
}

/** The path without an index file and without slashes at its end; never empty. */
function barePath(pathname: string): string {
  let path = samePercents(pathname)
  for (let slash = path.lastIndexOf('/'); slash >= 0; slash = path.lastIndexOf('/')) {
    const last = path.slice(slash + 1)
    if (last !== '' && !indexFile.test(last)) break
    path = path.slice(0, slash)
  }
  return path || '/'
}

/** Characters that some write in percent notation and others as they are, and that servers take for the same: unreserved ones, and those that part nothing in practice. */
const eitherWay = /[\w.~!$'()*,:@[\]{|}^`-]/

/** Percent notation by RFC 3986 §6.2.2: capital digits, and none for characters that may be written either way. */
export function samePercents(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%([\da-f]{2})/gi, (found, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16))
    return eitherWay.test(character) ? character : found.toUpperCase()
  })
}

/** The host name without `www.`, unless that is the name itself, as in `www.example`. */
function bareHost(hostname: string): string {
  let bare = hostname
  while (bare.startsWith('www.') && bare.includes('.', 4)) bare = bare.slice(4)
  return bare
}

/** How a URL stands to the site where a job began. */
export type Relation = 'same' | 'subdomain' | 'external'

/** The site where a job began. */
export interface Site {
  readonly url: URL
  /** The domain that somebody registered; see `mainDomain`. */
  readonly domain: string
}

/**
 * `same` is the host itself, with or without `www.`, by http or https; `subdomain` any other host of the main domain, above or beside
 * the host included. Another port is another site.
 */
export function relation(url: UrlParts, site: Site): Relation {
  if (url.port !== site.url.port) return 'external'
  const host = withoutDot(url.hostname)
  if (bareHost(host) === bareHost(withoutDot(site.url.hostname))) return 'same'
  return isWithin(host, site.domain) ? 'subdomain' : 'external'
}

/** Whether a host name is a domain or below it; addresses are below nothing. */
function isWithin(hostname: string, domain: string): boolean {
  return hostname === domain || (hostname.endsWith(`.${domain}`) && !/^[\d.]+$/.test(hostname))
}

/**
 * The main domain of a host by the Public Suffix List, its private part included: unrelated people own the names below `github.io`.
 * The host itself where the list knows none: addresses, local names, suffixes.
 */
export async function mainDomain(hostname: string): Promise<string> {
  // Takes 15 ms to load, once in a process.
  const { getDomain } = await import('tldts')
  const host = withoutDot(hostname)
  return getDomain(host, { allowPrivateDomains: true }) ?? host
}
