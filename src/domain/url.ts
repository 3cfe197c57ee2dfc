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
