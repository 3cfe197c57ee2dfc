import type { NewPage, SkippedUrl, SkipReason } from '../jobs/pages.ts'
import { relation, urlKey, withoutTrackers } from '../site-url.ts'
import { isRoute } from '../url.ts'
import { isAction } from './actions.ts'
import { childrenOf, type CrawlRules, isMedia } from './rules.ts'
import { variance } from './variants.ts'
import { urlOf } from '../../lib/url-of.ts'

/** Whether a URL belongs to the crawl: a page for the frontier, or why not. `duplicate` and `limit` are for the store to find. */
export type Admission = ({ readonly ok: true } & NewPage) | ({ readonly ok: false } & SkippedUrl)

/** The page on which a link was found. */
export interface Source extends Pick<NewPage, 'depth' | 'external'> {
  /** Whether its links lead into the crawl; those of a page of another site never do. */
  readonly followed: boolean
}

/** Longer ones are not asked for (R16). */
const maxLength = 8_192

/**
 * Decides on a link that was found on `from`; null is for the start and for what sitemaps name, which have depth 0. What is true of the
 * URL wherever it is found comes before its depth. `nofollow` plays no part: it is advice to search engines on ranking; what a site
 * does not want fetched it says in robots.txt.
 */
export function admit(link: string, from: Source | null, rules: CrawlRules): Admission {
  const url = parsed(link)
  if (url === null) return { ok: false, url: link.slice(0, maxLength), reason: 'invalid' }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { ok: false, url: url.href, reason: 'scheme' }
  const key = urlKey(url, rules.keys)
  // Whoever linked here marked the visit; the page without the mark is the one that the site itself would name. Patterns may ask for the mark.
  const bare = from === null ? url.search : withoutTrackers(url.search)
  const found = bare === url.search ? url : new URL(url)
  if (from !== null) url.search = bare
  const depth = from === null ? 0 : from.depth + 1
  const external = isExternal(url, rules)
  // One hop and no further; a page of the site may have the same link.
  if (from?.external === true) return { ok: false, url: url.href, reason: 'external', key }
  if (external && rules.allowExternalLinks && isHome(url)) return { ok: false, url: url.href, reason: 'external', code: 'EXTERNAL_LINK' }
  const lasting = refusal(url, { key, found }, rules)
  if (lasting !== null) return { ok: false, url: url.href, reason: lasting }
  // Who follows a link must not act by it; what a sitemap names is a page.
  if (from !== null && key !== rules.startKey && isAction(url)) return { ok: false, url: url.href, reason: 'excluded', key }
  // A sitemap, or a page whose links are followed, may name it yet.
  if (from?.followed === false) return { ok: false, url: url.href, reason: 'not-included', key }
  if (depth > rules.maxDepth) return { ok: false, url: url.href, reason: 'depth', key }
  // Whoever names it elsewhere wants it.
  const rank = from === null ? {} : ranked(url, { link, key }, rules)
  return { ok: true, url: url.href, key, host: url.host, depth, external, ...rank }
}

/** When a link has its turn, where others wait as well. */
function ranked(url: URL, { link, key }: { readonly link: string; readonly key: string }, { keys }: CrawlRules): Pick<NewPage, 'rank' | 'variantOf'> {
  const place = url.hash === '' && link.includes('#') ? link.slice(link.indexOf('#')) : ''
  const { rank, doubtful } = variance(url, place)
  if (rank === 0) return {}
  const { href, protocol, host, hostname, port, pathname, hash } = url
  const without = doubtful ? urlKey({ href, protocol, host, hostname, port, pathname, search: '', hash }, keys) : key
  return without === key ? { rank } : { rank, variantOf: without }
}

/**
 * Decides on the URL that answered for a page after redirects: `external` may have changed, its depth has not. The home page of another
 * site is fine here, since the page asked for was not one. For the start itself see `settledStart`.
 */
export function admitFinal(final: string, page: Pick<NewPage, 'depth' | 'external'>, rules: CrawlRules): Admission {
  const url = parsed(final)
  if (url === null) return { ok: false, url: final.slice(0, maxLength), reason: 'invalid' }
  const key = urlKey(url, rules.keys)
  const reason = refusal(url, { key, found: url }, rules)
  if (reason !== null) return { ok: false, url: url.href, reason }
  return { ok: true, url: url.href, key, host: url.host, depth: page.depth, external: isExternal(url, rules) }
}

/**
 * Where a crawl starts whose first page answered from elsewhere: people name `example.com` and mean the site that `www.example.org/en/`
 * turns out to be. The path asked for stays the scope where the answer lies in it, else the answer's own path is.
 */
export function settledStart(start: URL, final: URL): URL {
  const settled = new URL(final)
  settled.hash = ''
  if (!childrenOf(start.pathname)(final.pathname)) return settled
  settled.pathname = start.pathname
  settled.search = start.search
  return settled
}

/** Without what names no page: a fragment, and credentials, which a page may not make a crawl send or show. */
function parsed(link: string): URL | null {
  const url = link.length > maxLength ? null : urlOf(link)
  if (url === null) return null
  if (!isRoute(url.hash)) url.hash = ''
  if (url.username !== '' || url.password !== '') Object.assign(url, { username: '', password: '' })
  return url
}

/** One hop away: fetched where that is allowed, but not followed. */
function isExternal(url: URL, rules: CrawlRules): boolean {
  const found = relation(url, rules.site)
  return found === 'external' || (found === 'subdomain' && !rules.allowSubdomains)
}

/** A bare home page is a mention of a site, not of something on it. */
function isHome(url: URL): boolean {
  return url.pathname === '/' && url.search === '' && url.hash === ''
}

function refusal(url: URL, { key, found }: { readonly key: string; readonly found: URL }, rules: CrawlRules): SkipReason | null {
  const place = relation(url, rules.site)
  if (place === 'external' && !rules.allowExternalLinks) return 'external'
  if (place === 'subdomain' && !rules.allowSubdomains && !rules.allowExternalLinks) return 'subdomain'
  // Other hosts have paths of their own.
  if (place === 'same' && !rules.inScope(url.pathname)) return 'path'
  if (rules.isExcluded(found) || (key !== rules.startKey && isMedia(url))) return 'excluded'
  if (!rules.isIncluded(found)) return 'not-included'
  return rules.allowedByRobots(url.href) ? null : 'robots'
}
