import { canonicalAddress } from './addresses.ts'

/** The cookies that sites set during a chain of redirects; they end with the chain. */
export interface ChainCookies {
  /** Stores the `Set-Cookie` values of an answer from `url`. */
  store(url: URL, setCookies: readonly string[], now: number): Promise<void>
  /**
   * The `Cookie` value for `url`. `base` is the caller's own cookie header; stored cookies replace its pairs of the same
   * name.
   */
  header(url: URL, base: string, now: number): string
}

interface Cookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly hostOnly: boolean
  readonly path: string
  readonly secure: boolean
  readonly expires: number
}

const maxCookies = 100
const maxCookieLength = 4_096

/** An empty jar by the rules of RFC 6265 §5, with the public-suffix check of §5.3.5. */
export function chainCookies(): ChainCookies {
  const jar = new Map<string, Cookie>()
  return {
    async store(url, setCookies, now) {
      for (const text of setCookies) {
        const parsed = text.length > maxCookieLength ? null : parseCookie(url, text, now)
        const cookie = parsed === null ? null : await withoutSharedSuffix(parsed, url.hostname)
        if (cookie === null) continue
        const key = `${cookie.domain};${cookie.path};${cookie.name}`
        jar.delete(key)
        if (cookie.expires > now && jar.size < maxCookies) jar.set(key, cookie)
      }
    },
    header(url, base, now) {
      const due = [...jar.values()].filter((cookie) => cookie.expires > now && applies(cookie, url))
      // Longer paths first (RFC 6265 §5.4.2); the stable sort keeps the order of creation otherwise.
      due.sort((a, b) => b.path.length - a.path.length)
      const names = new Set(due.map((cookie) => cookie.name))
      const kept = base.split(';').map((pair) => pair.trim()).filter((pair) => pair !== '' && !names.has(pair.split('=', 1)[0] ?? ''))
      return [...kept, ...due.map((cookie) => `${cookie.name}=${cookie.value}`)].join('; ')
    },
  }
}

function applies(cookie: Cookie, url: URL): boolean {
  if (cookie.secure && url.protocol !== 'https:') return false
  const host = url.hostname
  if (host !== cookie.domain && (cookie.hostOnly || !host.endsWith(`.${cookie.domain}`))) return false
  const path = url.pathname
  return path === cookie.path || (path.startsWith(cookie.path) && (cookie.path.endsWith('/') || path[cookie.path.length] === '/'))
}

function parseCookie(url: URL, text: string, now: number): Cookie | null {
  const [pair = '', ...rest] = text.split(';')
  const equals = pair.indexOf('=')
  const name = pair.slice(0, equals).trim()
  const value = pair.slice(equals + 1).trim()
  // Control characters and non-ASCII bytes cannot be sent back unchanged.
  if (equals < 1 || name === '' || !/^[\t\x20-\x7e]*$/.test(pair)) return null
  const attributes = new Map(rest.map(attribute))
  const secure = attributes.has('secure')
  if (secure && url.protocol !== 'https:') return null
  const scope = domainScope(url.hostname, attributes.get('domain') ?? '')
  if (scope === null) return null
  const path = attributes.get('path') ?? ''
  return { name, value, ...scope, path: path.startsWith('/') ? path : defaultPath(url), secure, expires: expiry(attributes, now) }
}

function attribute(text: string): [string, string] {
  const equals = text.indexOf('=')
  return equals < 0 ? [text.trim().toLowerCase(), ''] : [text.slice(0, equals).trim().toLowerCase(), text.slice(equals + 1).trim()]
}

/** Restricts a cookie for a public suffix to the host itself; null when it comes from a subdomain. */
async function withoutSharedSuffix(cookie: Cookie, host: string): Promise<Cookie | null> {
  if (cookie.hostOnly) return cookie
  // The list is long and rarely needed: load it on first use.
  const { getPublicSuffix } = await import('tldts')
  if (getPublicSuffix(cookie.domain, { allowPrivateDomains: true }) !== cookie.domain) return cookie
  return cookie.domain === host ? { ...cookie, hostOnly: true } : null
}

/** The domain of a cookie; null when the host may not set it. */
function domainScope(host: string, attribute: string): { domain: string; hostOnly: boolean } | null {
  const domain = attribute.replace(/^\./, '').toLowerCase()
  const isAddress = canonicalAddress(host) !== null
  if (domain === '' || (domain === host && isAddress)) return { domain: host, hostOnly: true }
  return !isAddress && (host === domain || host.endsWith(`.${domain}`)) ? { domain, hostOnly: false } : null
}

function defaultPath(url: URL): string {
  const last = url.pathname.lastIndexOf('/')
  return last <= 0 ? '/' : url.pathname.slice(0, last)
}

function expiry(attributes: ReadonlyMap<string, string>, now: number): number {
  const maxAge = attributes.get('max-age')
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return now + Number(maxAge) * 1_000
  const expires = Date.parse(attributes.get('expires') ?? '')
  return Number.isNaN(expires) ? Infinity : expires
}
