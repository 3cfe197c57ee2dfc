/**
 * Parses a URL, relative to a base if one is given; null when it is none. Use this instead of `URL.canParse`: once Node 20 has compiled a call
 * of that, it rejects every address with a Latin-1 letter (`http://bücher.example/`) until the process ends.
 */
export function urlOf(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

/** Whether an address is one of the web: of http or https. */
export const isWeb = ({ protocol }: Pick<URL, 'protocol'>): boolean => protocol === 'http:' || protocol === 'https:'

/** The same as `urlOf` for addresses of the web; null for all others. */
export function webUrlOf(text: string, base?: string | URL): URL | null {
  const url = urlOf(text, base)
  return url !== null && isWeb(url) ? url : null
}

/** The user name and password in an address. */
const credentials = /^\s*https?:[\\/]*[^\\/?#]*@/i

/** An http or https address without user name and password: those found on pages are neither sent nor shown. Any other text is unchanged. */
export function withoutCredentials(address: string): string {
  const url = credentials.test(address) ? urlOf(address) : null
  if (url === null) return address
  url.username = ''
  url.password = ''
  return url.href
}
