import { framingHeaders } from '../domain/fetching/caller-headers.ts'
import { ServiceError } from '../domain/errors.ts'
import { isLoopback } from './addresses.ts'
import type { HeaderList } from './headers.ts'
import { browserLanguages } from '../lib/browser-languages.ts'
import { withoutBrackets } from '../lib/endpoint-of.ts'
import { headerName, headerValue } from '../lib/header-syntax.ts'

/** The browser that both transports imitate; the https client must have a TLS profile of that name. */
export const browserProfile = 'chrome151'

/** The user agent of that browser. */
const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Safari/537.36'

const clientHints: HeaderList = [
  ['sec-ch-ua', '"Not=A?Brand";v="99", "Google Chrome";v="151", "Chromium";v="151"'],
  ['sec-ch-ua-mobile', '?0'],
  ['sec-ch-ua-platform', '"Windows"'],
]

const fetchMetadata: HeaderList = [
  ['Sec-Fetch-Site', 'none'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Sec-Fetch-User', '?1'],
  ['Sec-Fetch-Dest', 'document'],
]

const accept =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'

/**
 * The headers of a navigation by the user, in the browser's order. As in the browser, client hints and fetch metadata are
 * only sent to https and loopback, and br and zstd are only offered over https.
 */
function navigationHeaders(url: URL, languages: readonly string[]): HeaderList {
  const https = url.protocol === 'https:'
  const trustworthy = https || url.hostname === 'localhost' || isLoopback(withoutBrackets(url.hostname))
  return [
    ...(trustworthy ? clientHints : []),
    ['Upgrade-Insecure-Requests', '1'],
    ['User-Agent', userAgent],
    ['Accept', accept],
    ...(trustworthy ? fetchMetadata : []),
    ['Accept-Encoding', https ? 'gzip, deflate, br, zstd' : 'gzip, deflate'],
    ['Accept-Language', acceptLanguage(languages)],
    ...(https ? ([['Priority', 'u=0, i']] as const) : []),
  ]
}

/** Writes `de-DE, en` as `de-DE,de;q=0.9,en;q=0.8`. */
function acceptLanguage(languages: readonly string[]): string {
  return browserLanguages(languages)
    .map((tag, at) => (at === 0 ? tag : `${tag};q=${Math.max(0.1, 1 - at / 10).toFixed(1)}`))
    .join(',')
}

/**
 * The caller's headers that may be sent: without those of connection and framing. Throws `BAD_REQUEST` for names and values
 * that HTTP does not allow.
 */
export function callerHeaders(headers: Readonly<Record<string, string>>): HeaderList {
  const kept: [string, string][] = []
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name)) throw new ServiceError('BAD_REQUEST', 'A header name contains a character that HTTP does not allow.')
    if (!headerValue.test(value)) throw new ServiceError('BAD_REQUEST', `The value of the header ${name} contains a character that HTTP does not allow.`)
    // The interface refuses requests that name these, except for what all browsers send of them.
    if (!framingHeaders.has(name.toLowerCase())) kept.push([name, value.trim()])
  }
  return kept
}

/**
 * The headers to send: the browser's list, with the caller's values in the browser's positions, then the caller's other
 * headers, then the cookie. An empty value removes a header. When the caller sets the user agent, client hints are omitted,
 * because they would contradict it.
 */
export function requestHeaders(url: URL, languages: readonly string[], caller: HeaderList, cookie: string): HeaderList {
  const wanted = new Map(caller.map((entry) => [entry[0].toLowerCase(), entry]))
  if (cookie !== '') wanted.set('cookie', ['Cookie', cookie])
  const hintless = wanted.has('user-agent')
  const list: (readonly [string, string])[] = []
  for (const entry of navigationHeaders(url, languages)) {
    const key = entry[0].toLowerCase()
    const own = wanted.get(key)
    wanted.delete(key)
    if (own !== undefined) list.push(own)
    else if (!(hintless && key.startsWith('sec-ch-ua'))) list.push(entry)
  }
  return [...list, ...wanted.values()].filter(([, value]) => value !== '')
}
