import type { BrowserContext, CDPSession } from 'playwright-core'
import { answerProxy } from '../proxy-auth.ts'
import { isAhead, withoutSpeculation } from './ahead.ts'
import { adHosts } from './hosts.ts'
import { urlOf } from '../../lib/url-of.ts'

/** One request of a page, as filter lists look at it. */
export interface Asked {
  readonly url: string
  /** Kind in the words of the protocol: `Script`, `Image`, `XHR` … */
  readonly kind: string
  readonly pageUrl: string
}

/** Says whether a request is for an advertisement or a tracker. */
export type Matcher = (asked: Asked) => boolean

export interface RequestRules {
  readonly pageUrl: string
  readonly blockAds: boolean
  /** False: pictures, fonts and media are answered with next to nothing, for nobody will see them. */
  readonly visible: boolean
  /** Filter lists beyond our own; null where there are none. */
  readonly matcher: Matcher | null
  /** The caller's own headers, for the origin of the page alone: they may be credentials (R2). */
  readonly headers: Readonly<Record<string, string>>
  /** Asked before each document of the main frame but the first, which is what the page was opened for, and none is fetched ahead; null: any may be fetched. */
  readonly mayGo: ((url: string) => Promise<boolean>) | null
}

// A picture of one clear pixel: the page's `load` events come as if it had the real one.
const pixel = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

interface Paused {
  readonly requestId: string
  readonly resourceType: string
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
}

/**
 * Keeps a page from fetching what is not wanted. Hosts of our own list are refused inside the browser; only the kinds that a rule is about
 * come by here, each of them a round trip.
 */
export async function limitRequests(cdp: CDPSession, rules: RequestRules, context: BrowserContext): Promise<void> {
  const patterns = patternsFor(rules)
  const mainFrame = (await cdp.send('Page.getFrameTree')).frameTree.frame.id
  let opened = false
  cdp.on('Fetch.requestPaused', (paused) => {
    // What the caller asked for is fetched, whatever a list says.
    const asked = paused.resourceType === 'Document' && paused.frameId === mainFrame
    const mayGo = asked && opened ? rules.mayGo : null
    opened ||= asked
    // The page may be gone before the answer reaches it.
    const done = rules.mayGo !== null && isAhead(paused.request) ? cdp.send('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Aborted' }) : answer(cdp, paused, { ...rules, mayGo, ...(asked ? { matcher: null } : {}) })
    done.catch(() => {})
  })
  await Promise.all([
    rules.mayGo === null ? null : withoutSpeculation(cdp),
    rules.blockAds ? blockHosts(cdp, rules.pageUrl) : null,
    patterns.length === 0 ? null : cdp.send('Fetch.enable', { patterns, ...answerProxy(cdp, context) }),
  ])
}

async function blockHosts(cdp: CDPSession, pageUrl: string): Promise<void> {
  await cdp.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 })
  // Not the newer `urlPatterns`: compiling those costs 7 ms for each page, these cost 2. Other ports than the usual pass; nobody advertises there.
  await cdp.send('Network.setBlockedURLs', { urls: adHosts(pageUrl).flatMap((host) => [`*://${host}/*`, `*://*.${host}/*`]) })
}

type Pattern = { readonly urlPattern: string; readonly resourceType?: 'Image' | 'Font' | 'Media' | 'Script' | 'XHR' | 'Fetch' | 'Document' | 'Stylesheet' | 'Ping' }

function patternsFor({ blockAds, visible, matcher, headers, mayGo }: RequestRules): Pattern[] {
  if (Object.keys(headers).length > 0) return [{ urlPattern: 'http*' }]
  const kinds = [
    ...(visible ? [] : (['Image', 'Font', 'Media'] as const)),
    // Pages fetched ahead by `<link rel="prefetch">` come as `Fetch`.
    ...(mayGo === null ? [] : (['Fetch'] as const)),
    ...(blockAds && matcher !== null ? (['Script', 'XHR', 'Fetch', 'Document', 'Ping', 'Image'] as const) : []),
  ]
  // Documents too, whatever is limited: a session that does not hold them up is not asked when the proxy wants to know who we are.
  return [...new Set(kinds.length === 0 && mayGo === null ? [] : [...kinds, 'Document' as const])].map((resourceType) => ({ urlPattern: 'http*', resourceType }))
}

async function answer(cdp: CDPSession, { requestId, resourceType: kind, request }: Paused, rules: RequestRules): Promise<void> {
  const unseen = !rules.visible && (kind === 'Image' || kind === 'Font' || kind === 'Media')
  if (rules.blockAds && rules.matcher?.({ url: request.url, kind, pageUrl: rules.pageUrl }) === true) await cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
  else if (rules.mayGo !== null && !(await rules.mayGo(request.url))) await cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
  else if (unseen && kind !== 'Image') await cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
  else if (unseen) await cdp.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders: [{ name: 'Content-Type', value: 'image/gif' }, { name: 'Access-Control-Allow-Origin', value: '*' }], body: pixel })
  else await cdp.send('Fetch.continueRequest', { requestId, ...ownHeaders(request, rules) })
}

/** The headers of a request with those of the caller: added to what goes to the page's origin, taken away from what a redirect sent elsewhere. */
function ownHeaders(request: Paused['request'], { headers, pageUrl }: RequestRules): { headers?: { name: string; value: string }[] } {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  if (names.size === 0) return {}
  const others = Object.entries(request.headers).filter(([name]) => !names.has(name.toLowerCase()))
  const home = urlOf(request.url)?.origin === new URL(pageUrl).origin
  return { headers: [...others, ...(home ? Object.entries(headers).filter(([, value]) => value !== '') : [])].map(([name, value]) => ({ name, value })) }
}
