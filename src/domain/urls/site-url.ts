import type { UrlParts } from '../../lib/plain-url.ts'
import { isRoute } from './url.ts'

/** Which URLs count as the same within a job. */
export interface UrlRules {
  /** A path is one page, whatever its query. */
  readonly ignoreQueryParameters: boolean
  /** So are URLs that differ only in scheme, `www.`, a trailing slash, an index file or percent encoding. */
  readonly deduplicateSimilarURLs: boolean
}

/** Parameters that track where a visitor came from and do not change the page. */
const trackers: ReadonlySet<string> = new Set([
  'gclid', 'gclsrc', 'gbraid', 'wbraid', 'dclid', 'fbclid', 'msclkid', 'yclid', 'ysclid', 'twclid', 'ttclid', 'li_fat_id', 'igshid', 'igsh',
  'mc_cid', 'mc_eid', '_ga', '_gl', '_hsenc', '_hsmi', 'hsctatracking', 'mkt_tok', 'vero_id', 'oly_anon_id', 'oly_enc_id', 'wickedid', '_openstat', 'srsltid',
  // Of Shopify's recommendations, and of the comment form that WordPress shows for a reply.
  'pr_prod_strat', 'pr_rec_id', 'pr_rec_pid', 'pr_ref_pid', 'pr_seq', 'replytocom',
])

/**
 * Parameters that hold the session of a visitor without cookies in PHP, ASP, ColdFusion, osCommerce and forums (only with
 * 32 hexadecimal digits there, as `sid` and `s` have other meanings, too).
 */
const session = /^(?:(?:phpsessid|jsessionid|aspsessionid[a-z]*|cfid|cftoken|oscsid|zenid)=|(?:sid|s)=[\da-f]{32}$)/i

/** The sort order of an Apache directory listing. */
const listingOrder = /^C=[NMSD];O=[AD]$/

/** Files that a folder shows when none is named. */
export const indexFile = /^index\.(?:html?|php|aspx?|jsp)$/i

/**
 * The key that identifies a URL within a job: normalised by the WHATWG URL standard, without credentials, fragment (unless
 * it is a route of a single-page application), tracking parameters and sessions, and simplified by the rules. Pages are
 * fetched by the URL as found, not by the key. Idempotent. Throws for an invalid URL.
 */
export function urlKey(url: string | UrlParts, rules: UrlRules): string {
  const { protocol, hostname, port, pathname: written, search, hash } = typeof url === 'string' ? new URL(url) : url
  const pathname = written.includes(';') ? written.replace(/;jsessionid=[\w.!~-]*/gi, '') : written
  const query = rules.ignoreQueryParameters ? '' : withoutTrackers(search)
  const route = isRoute(hash) ? hash : ''
  const host = withoutDot(hostname)
  if (!rules.deduplicateSimilarURLs) return joined(protocol, host, port, `${pathname}${query}${route}`)
  // Only on its default port: on another, the scheme identifies another service.
  return joined(port === '' ? 'http:' : protocol, bareHost(host), port, `${barePath(pathname)}${samePercents(query)}${route}`)
}

function joined(protocol: string, host: string, port: string, rest: string): string {
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}${rest}`
}

/** Without the dot that makes a host name absolute (RFC 3986 §3.2.2). */
function withoutDot(hostname: string): string {
  return hostname.length > 1 && hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

/**
 * The query without trackers, sessions and listing orders, otherwise as written: the order and encoding of the rest may matter to
 * the server.
 */
export function withoutTrackers(search: string): string {
  if (search === '') return ''
  const parts = search.slice(1).split('&').filter((part) => !session.test(part) && !listingOrder.test(part) && !isTracker(part.split('=', 1)[0]?.toLowerCase() ?? ''))
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function isTracker(name: string): boolean {
  return name.startsWith('utm_') || trackers.has(name)
}

/** The path without an index file and trailing slashes; never empty. */
function barePath(pathname: string): string {
  let path = samePercents(pathname)
  for (let slash = path.lastIndexOf('/'); slash >= 0; slash = path.lastIndexOf('/')) {
    const last = path.slice(slash + 1)
    if (last !== '' && !indexFile.test(last)) break
    path = path.slice(0, slash)
  }
  return path || '/'
}

/**
 * Characters that may be percent-encoded or not without a difference to servers: unreserved ones, and those that in
 * practice separate nothing.
 */
const eitherWay = /[\w.~!$'()*,:@[\]{|}^`-]/

/** Normalises percent encoding (RFC 3986 §6.2.2): capital digits, and none for characters that need no encoding. */
export function samePercents(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%([\da-f]{2})/gi, (found, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16))
    return eitherWay.test(character) ? character : found.toUpperCase()
  })
}

/** The host name without `www.`, unless that is part of the registered name, as in `www.example`. */
function bareHost(hostname: string): string {
  let bare = hostname
  while (bare.startsWith('www.') && bare.includes('.', 4)) bare = bare.slice(4)
  return bare
}

/** How a URL relates to the site where a job began. */
export type Relation = 'same' | 'subdomain' | 'external'

/** The site where a job began. */
export interface Site {
  readonly url: URL
  /** Its registered domain; see `mainDomain`. */
  readonly domain: string
}

/**
 * `same` is the host itself, with or without `www.`, by http or https; `subdomain` any other host of the main domain,
 * including its parents and siblings. Another port is another site.
 */
export function relation(url: UrlParts, site: Site): Relation {
  if (url.port !== site.url.port) return 'external'
  const host = withoutDot(url.hostname)
  if (bareHost(host) === bareHost(withoutDot(site.url.hostname))) return 'same'
  return isWithin(host, site.domain) ? 'subdomain' : 'external'
}

/**
 * Whether a URL may get what the caller sends to the site of a start URL, such as headers with secrets: never another host,
 * wherever the start redirects to, nor in plain text what was meant to be encrypted (R2).
 */
export function isMeantFor(start: URL, url: UrlParts): boolean {
  return relation(url, { url: start, domain: start.hostname }) === 'same' && (url.protocol === 'https:' || start.protocol === 'http:')
}

/** Whether a host name is a domain or below it; IP addresses are below nothing. */
function isWithin(hostname: string, domain: string): boolean {
  return hostname === domain || (hostname.endsWith(`.${domain}`) && !/^[\d.]+$/.test(hostname))
}

/**
 * The main domain of a host by the Public Suffix List, including its private part: the names below `github.io` have
 * different owners. The host itself if the list has no answer: IP addresses, local names, suffixes.
 */
export async function mainDomain(hostname: string): Promise<string> {
  // Takes 15 ms to load, once per process.
  const { getDomain } = await import('tldts')
  const host = withoutDot(hostname)
  return getDomain(host, { allowPrivateDomains: true }) ?? host
}
