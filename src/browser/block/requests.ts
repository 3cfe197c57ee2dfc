import type { BrowserContext } from 'playwright-core'
import { describesClient, staysHome } from '../../domain/fetching/caller-headers.ts'
import { intercept, type Paused, type Pattern } from '../protocol/interception.ts'
import type { PageSession, Session } from '../protocol/page-session.ts'
import { isAhead, withoutSpeculation } from './ahead.ts'
import { adHosts } from './hosts.ts'
import { urlOf } from '../../lib/url-of.ts'

/** A request of a page, as filter lists see it. */
export interface Asked {
  readonly url: string
  /** The resource type in the protocol: `Script`, `Image`, `XHR` … */
  readonly kind: string
  readonly pageUrl: string
}

/** Whether a request is for an advertisement or a tracker. */
export type Matcher = (asked: Asked) => boolean

export interface RequestRules {
  readonly pageUrl: string
  readonly blockAds: boolean
  /** False when nobody will see the page: then requests for pictures, fonts and media get minimal answers. */
  readonly visible: boolean
  /** Filter lists beyond the built-in one; null without any. */
  readonly matcher: Matcher | null
  /** The caller's own headers, sent only to the page's origin (or where it went over to https), because they may be credentials (R2). */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Called before each document of the main frame except the first; also disables prefetching. Null when any document may
   * be loaded.
   */
  readonly mayGo: ((url: string) => Promise<boolean>) | null
}

// A transparent pixel: the page's `load` events fire as if it had the real picture.
const pixel = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/**
 * Blocks requests of a page. The browser itself blocks the hosts of the built-in list; only the resource types that a rule
 * needs are intercepted, because each costs a round trip.
 */
export async function limitRequests(cdp: PageSession, rules: RequestRules, context: BrowserContext): Promise<void> {
  const patterns = patternsFor(rules)
  let opened = false
  const decide = (paused: Paused): boolean => {
    if (!/^http/i.test(paused.request.url)) return false
    // The caller's document is loaded whatever a list says.
    const asked = paused.resourceType === 'Document' && paused.frameId === cdp.targetId
    const mayGo = asked && opened ? rules.mayGo : null
    opened ||= asked
    // The page may be closed before the answer arrives.
    const done = rules.mayGo !== null && isAhead(paused.request) ? cdp.send('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Aborted' }) : answer(cdp, paused, { ...rules, mayGo, ...(asked ? { matcher: null } : {}) })
    done.catch(() => {})
    return true
  }
  await Promise.all([
    rules.mayGo === null ? null : withoutSpeculation(cdp),
    rules.blockAds ? blockHosts(cdp, rules.pageUrl) : null,
    patterns.length === 0 ? null : intercept(cdp, context, { patterns, decide }),
  ])
}

async function blockHosts(cdp: Session, pageUrl: string): Promise<void> {
  // Not the newer `urlPatterns`: compiling those takes 7 ms per page, these take 2. Unusual ports are not blocked, but
  // nobody advertises there.
  await cdp.send('Network.setBlockedURLs', { urls: adHosts(pageUrl).flatMap((host) => [`*://${host}/*`, `*://*.${host}/*`]) })
}

function patternsFor({ blockAds, visible, matcher, headers, mayGo }: RequestRules): Pattern[] {
  if (Object.keys(headers).length > 0) return [{ urlPattern: 'http*' }]
  const kinds = [
    ...(visible ? [] : (['Image', 'Font', 'Media'] as const)),
    // Pages prefetched by `<link rel="prefetch">` have the type `Fetch`.
    ...(mayGo === null ? [] : (['Fetch'] as const)),
    ...(blockAds && matcher !== null ? (['Script', 'XHR', 'Fetch', 'Document', 'Ping', 'Image'] as const) : []),
  ]
  // Always with documents: Chromium does not ask a session for proxy credentials unless the session intercepts documents.
  return [...new Set(kinds.length === 0 && mayGo === null ? [] : [...kinds, 'Document' as const])].map((resourceType) => ({ urlPattern: 'http*', resourceType }))
}

async function answer(cdp: Session, paused: Paused, rules: RequestRules): Promise<void> {
  const { requestId, resourceType: kind, request } = paused
  const unseen = !rules.visible && (kind === 'Image' || kind === 'Font' || kind === 'Media')
  if (rules.blockAds && rules.matcher?.({ url: request.url, kind, pageUrl: rules.pageUrl }) === true) await cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
  else if (rules.mayGo !== null && !(await rules.mayGo(request.url))) await cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
  else if (unseen && kind !== 'Image') await cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
  else if (unseen) await cdp.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders: [{ name: 'Content-Type', value: 'image/gif' }, { name: 'Access-Control-Allow-Origin', value: '*' }], body: pixel })
  else await cdp.send('Fetch.continueRequest', { requestId, ...ownHeaders(paused, rules) })
}

/**
 * The headers of a request with the caller's: added at home; elsewhere only those that describe the client, and only for
 * documents.
 */
function ownHeaders({ resourceType, request }: Paused, { headers, pageUrl }: RequestRules): { headers?: { name: string; value: string }[] } {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  if (names.size === 0) return {}
  const to = urlOf(request.url)
  const home = to !== null && staysHome(new URL(pageUrl), to)
  const others = Object.entries(request.headers).filter(([name]) => !names.has(name.toLowerCase()))
  const own = Object.entries(headers).filter(([name, value]) => value !== '' && (home || (resourceType === 'Document' && describesClient(name))))
  return { headers: [...others, ...own].map(([name, value]) => ({ name, value })) }
}
