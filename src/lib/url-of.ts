/**
 * A text as a URL, by a base where it is relative; null when it is none. Nobody is to ask `URL.canParse`: once Node 20 has compiled a call
 * of it, it says no to every address with a letter of Latin-1 in it (`http://bücher.example/`) for as long as the process lives.
 */
export function urlOf(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

/** A name, with or without a password, in an address that a page has written. */
const credentials = /^\s*https?:[\\/]*[^\\/?#]*@/i

/** An http or https address without the name and password in it: those that stand on pages are neither sent nor shown. Any other text as it is. */
export function withoutCredentials(address: string): string {
  const url = credentials.test(address) ? urlOf(address) : null
  if (url === null) return address
  url.username = ''
  url.password = ''
  return url.href
}
