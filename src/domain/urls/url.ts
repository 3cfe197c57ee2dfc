import { limits } from '../../spec/limits.ts'
import type { Capture } from '../pages/capture.ts'

/** URLs longer than this are not requested (R16). */
export const maxUrlLength = limits.urlLength

/** The normalised URL as used in cache keys, without its fragment unless that is a route of a single-page application. */
export function cacheUrl(of: string | URL): string {
  const url = typeof of === 'string' ? new URL(of) : of
  if (isRoute(url.hash) || !url.href.includes('#')) return url.href
  const without = new URL(url)
  without.hash = ''
  return without.href
}

/** Whether a fragment, including its `#`, is a route of a single-page application. */
export function isRoute(hash: string): boolean {
  return /^#[!/]/.test(hash)
}

/** The final URL without a fragment that may come from the caller: the same for every requester of the page. */
export function commonUrl({ requestedUrl, url, engine }: Pick<Capture, 'requestedUrl' | 'url' | 'engine'>): string {
  // The usual case: there is nothing to remove.
  if (!requestedUrl.includes('#') && !url.includes('#')) return url
  const asked = new URL(requestedUrl).hash
  const answered = new URL(url)
  // Different routes are different pages.
  if (isRoute(asked)) return url
  // A redirect may set a fragment of its own; scripts may derive one from the request.
  if (answered.hash !== '' && answered.hash !== asked && (asked === '' || engine === 'http')) return url
  answered.hash = ''
  return answered.href
}

/**
 * The common URL as returned for a request for `asked`: a redirect keeps the fragment unless it sets one (RFC 9110
 * §10.2.2).
 */
export function answeringUrl(common: string, asked: string): string {
  const url = new URL(common)
  if (url.hash === '') url.hash = new URL(asked).hash
  return url.href
}
