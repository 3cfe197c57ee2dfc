import type { Capture } from './capture.ts'

/** The URL as a cache knows it: normalised, without a fragment unless the fragment is a route of a single-page application. */
export function cacheUrl(text: string): string {
  const url = new URL(text)
  if (!isRoute(url.hash)) url.hash = ''
  return url.href
}

/** Whether a fragment, with its `#`, is a route of a single-page application. */
export function isRoute(hash: string): boolean {
  return /^#[!/]/.test(hash)
}

/** The address that answered, without what of its fragment may be the caller's: the same for everybody who asks for the page. */
export function commonUrl({ requestedUrl, url, engine }: Pick<Capture, 'requestedUrl' | 'url' | 'engine'>): string {
  // As most are: there is nothing to be taken off.
  if (!requestedUrl.includes('#') && !url.includes('#')) return url
  const asked = new URL(requestedUrl).hash
  const answered = new URL(url)
  // Pages asked for by different routes are different pages.
  if (isRoute(asked)) return url
  // A redirect may name a fragment of its own; scripts may make one of what they were given.
  if (answered.hash !== '' && answered.hash !== asked && (asked === '' || engine === 'http')) return url
  answered.hash = ''
  return answered.href
}

/** A common address as it answers who asked for `asked`: a redirect keeps the fragment unless it names one (RFC 9110 §10.2.2). */
export function answeringUrl(common: string, asked: string): string {
  const url = new URL(common)
  if (url.hash === '') url.hash = new URL(asked).hash
  return url.href
}
