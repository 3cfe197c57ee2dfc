import type { NewPage, SkippedUrl, SkipReason } from '../jobs/pages.ts'
import { relation, urlKey, withoutTrackers } from '../urls/site-url.ts'
import { isRoute, maxUrlLength } from '../urls/url.ts'
import { isActionLink } from './action-link.ts'
import { childrenOf, type CrawlRules, isMedia } from './rules.ts'
import { addsTo, knownWithout, maxRank, unfollowed, variance } from './variants.ts'
import { isWeb, urlOf } from '../../lib/url-of.ts'

/**
 * Whether a URL belongs to the crawl: a page for the frontier, or the reason why not. Only the store can detect `duplicate`
 * and `limit`. A page is `lowered` if it ranks lower for the place where the link stands; another link may say better.
 */
export type Admission = ({ readonly ok: true; readonly lowered?: true } & NewPage) | ({ readonly ok: false } & SkippedUrl)

/** The page on which a link was found. */
export interface Source extends Pick<NewPage, 'depth' | 'external'> {
  /** Whether its links lead into the crawl; those of a page of another site never do. */
  readonly followed: boolean
  /** Its address, and its links that have `rel=nofollow`, as written; both only tell how likely a link is a variant. */
  readonly url?: URL
  readonly unfollowed?: ReadonlySet<string>
}

/**
 * Decides on a link found on `from`; null stands for the start URL and for sitemap entries, which have depth 0. Checks of
 * the URL itself come before that of its depth. `nofollow` excludes nothing: it advises search engines on ranking; what a
 * site does not want fetched is in robots.txt. Of the site's own pages it tells those that it finds least worth reading.
 */
export function admit(link: string, from: Source | null, rules: CrawlRules): Admission {
  const url = parsed(link)
  if (url === null) return { ok: false, url: link.slice(0, maxUrlLength), reason: 'invalid' }
  if (!isWeb(url)) return { ok: false, url: url.href, reason: 'scheme' }
  const key = urlKey(url, rules.keys)
  // The parameter was added by the linking site; the page's own site would name the page without it. Patterns may match the
  // parameter.
  const bare = from === null ? url.search : withoutTrackers(url.search)
  const found = bare === url.search ? url : new URL(url)
  if (from !== null) url.search = bare
  const depth = from === null ? 0 : from.depth + 1
  const external = isExternal(url, rules)
  // One hop and no further; a page of the site may contain the same link.
  if (from?.external === true) return { ok: false, url: url.href, reason: 'external', key }
  if (external && rules.allowExternalLinks && isHome(url)) return { ok: false, url: url.href, reason: 'external', code: 'EXTERNAL_LINK' }
  const lasting = refusal(url, { key, found }, rules)
  // A link that is not followed anyway is not kept out by robots.txt.
  const moot = lasting === 'robots' && from?.followed === false
  if (lasting !== null && !moot) return { ok: false, url: url.href, reason: lasting }
  // Following a link must not change anything; a sitemap names pages only.
  if (from !== null && key !== rules.startKey && isActionLink(url)) return { ok: false, url: url.href, reason: 'excluded', key }
  // A sitemap, or a page whose links are followed, may still name it.
  if (from?.followed === false) return { ok: false, url: url.href, reason: 'not-included', key }
  if (depth > rules.maxDepth) return { ok: false, url: url.href, reason: 'depth', key }
  // A sitemap or the caller named it: it needs no rank.
  const rank = from === null ? {} : ranked(url, { link, key }, rules)
  const lower = from === null ? 0 : (!external && from.unfollowed?.has(link) === true ? unfollowed : 0) + (from.url !== undefined && addsTo(url, from.url) ? knownWithout : 0)
  const page = { url: url.href, key, host: url.host, depth, external, ...rank }
  return lower === 0 ? { ok: true, ...page } : { ok: true, ...page, rank: Math.min(maxRank, (rank.rank ?? 0) + lower), lowered: true }
}

/** The rank of a link relative to the other waiting pages. */
function ranked(url: URL, { link, key }: { readonly link: string; readonly key: string }, { keys }: CrawlRules): Pick<NewPage, 'rank' | 'variantOf'> {
  const place = url.hash === '' && link.includes('#') ? link.slice(link.indexOf('#')) : ''
  const { rank, doubtful } = variance(url, place)
  if (rank === 0) return {}
  const { href, protocol, host, hostname, port, pathname, hash } = url
  const without = doubtful ? urlKey({ href, protocol, host, hostname, port, pathname, search: '', hash }, keys) : key
  return without === key ? { rank } : { rank, variantOf: without }
}

/**
 * Decides on the URL that answered for a page after redirects: `external` may have changed, its depth has not. The home
 * page of another site is accepted here, since the requested page was not one. For the start URL see `settledStart`.
 */
export function admitFinal(final: string, page: Pick<NewPage, 'depth' | 'external'>, rules: CrawlRules): Admission {
  const url = parsed(final)
  if (url === null) return { ok: false, url: final.slice(0, maxUrlLength), reason: 'invalid' }
  const key = urlKey(url, rules.keys)
  const reason = refusal(url, { key, found: url }, rules)
  if (reason !== null) return { ok: false, url: url.href, reason }
  return { ok: true, url: url.href, key, host: url.host, depth: page.depth, external: isExternal(url, rules) }
}

/**
 * Where a crawl starts when its first page answered from another address: people name `example.com` and mean the site that
 * `www.example.org/en/` turns out to be. The requested path stays the scope if the final path lies within it; otherwise the
 * final path is.
 */
export function settledStart(start: URL, final: URL): URL {
  const settled = new URL(final)
  settled.hash = ''
  if (!childrenOf(start.pathname)(final.pathname)) return settled
  settled.pathname = start.pathname
  settled.search = start.search
  return settled
}

/**
 * The URL without what does not identify a page: the fragment, and credentials, which a page must not make a crawl send or
 * show.
 */
function parsed(link: string): URL | null {
  const url = link.length > maxUrlLength ? null : urlOf(link)
  if (url === null) return null
  if (!isRoute(url.hash)) url.hash = ''
  if (url.username !== '' || url.password !== '') Object.assign(url, { username: '', password: '' })
  return url
}

/** One hop outside of the site: fetched if that is allowed, but its links are not followed. */
function isExternal(url: URL, rules: CrawlRules): boolean {
  const found = relation(url, rules.site)
  return found === 'external' || (found === 'subdomain' && !rules.allowSubdomains)
}

/** A link to a bare home page mentions a site rather than something on it. */
function isHome(url: URL): boolean {
  return url.pathname === '/' && url.search === '' && url.hash === ''
}

function refusal(url: URL, { key, found }: { readonly key: string; readonly found: URL }, rules: CrawlRules): SkipReason | null {
  const place = relation(url, rules.site)
  if (place === 'external' && !rules.allowExternalLinks) return 'external'
  if (place === 'subdomain' && !rules.allowSubdomains && !rules.allowExternalLinks) return 'subdomain'
  // Other hosts have their own paths.
  if (place === 'same' && !rules.inScope(url.pathname)) return 'path'
  if (rules.isExcluded(found) || (key !== rules.startKey && isMedia(url))) return 'excluded'
  if (!rules.isIncluded(found)) return 'not-included'
  return rules.allowedByRobots(url.href) ? null : 'robots'
}
