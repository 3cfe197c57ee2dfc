type Headers = readonly (readonly [name: string, value: string])[]

/** A response with its URL. */
interface Told {
  readonly url: string
  readonly headers: Headers
}

/** What a conditional request sends to ask whether a page has changed (RFC 9110 §13). At least one of the two is set. */
export interface Validators {
  /**
   * The URL that gave the page, without fragment: at any other one, including redirect targets, the validators mean
   * nothing.
   */
  readonly url: string
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

// A single quoted tag: sending back `*` or a list would ask something else. Longer tags are not worth storing.
const entityTag = /^(?:W\/)?"[\x21\x23-\x7e]{0,1024}"$/
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/

/** The value of a header that occurs exactly once; otherwise undefined. */
function only(headers: Headers, name: string): string | undefined {
  const values = headers.filter(([key]) => key === name)
  return values.length === 1 ? values[0]?.[1].trim() : undefined
}

/** The URL as it is requested. */
function withoutFragment(url: string): string {
  const target = new URL(url)
  target.hash = ''
  return target.href
}

/** The validators of a capture; null when its site sent none that can be used. */
export function validatorsOf(capture: Told & { readonly at: number }): Validators | null {
  const tag = only(capture.headers, 'etag')
  const date = only(capture.headers, 'last-modified')
  const etag = tag !== undefined && entityTag.test(tag) ? tag : undefined
  // A date in the future would make every later change look older.
  const lastModified = date !== undefined && httpDate.test(date) && Date.parse(date) <= capture.at ? date : undefined
  return etag === undefined && lastModified === undefined ? null : { url: withoutFragment(capture.url), etag, lastModified }
}

/** The conditional headers for a request to this URL; none for another URL than that of the validators. */
export function conditions(validators: Validators | undefined, url: string): Headers {
  if (validators === undefined || withoutFragment(url) !== validators.url) return []
  const { etag, lastModified } = validators
  return [
    ...(etag === undefined ? [] : ([['If-None-Match', etag]] as const)),
    ...(lastModified === undefined ? [] : ([['If-Modified-Since', lastModified]] as const)),
  ]
}

/**
 * Whether a response with status 304 is about the page in question: it comes from its URL, and has no other tag. Tags are
 * compared weakly, because servers that compress pages weaken the tag of the page but not that of the 304.
 */
export function confirms(answer: Told, validators: Validators): boolean {
  const tag = answer.headers.find(([name]) => name === 'etag')?.[1]
  const opaque = (text: string): string => text.trim().replace(/^W\//, '')
  return withoutFragment(answer.url) === validators.url && (tag === undefined || (validators.etag !== undefined && opaque(tag) === opaque(validators.etag)))
}

// Headers of the connection or the framing of one message (RFC 9111 §3.1), or by which the stored bytes were already
// decoded (§3.2).
const ofTheMessage: ReadonlySet<string> = new Set([
  'connection', 'keep-alive', 'proxy-authenticate', 'proxy-authentication-info', 'proxy-authorization', 'proxy-connection', 'te', 'trailer',
  'transfer-encoding', 'upgrade', 'content-length', 'content-encoding', 'content-range', 'content-type',
])

// The limit for one response (R19), which repeated updates must not exceed.
const mostHeaderBytes = 64 * 1024

/**
 * The headers of a stored page after a 304 confirmed it: headers of the 304 replace stored ones (RFC 9111 §3.2). Null when
 * they exceed the limit for one response.
 */
export function freshened(stored: Headers, given: Headers): Headers | null {
  const named = given.filter(([name]) => name === 'connection').flatMap(([, value]) => value.toLowerCase().split(',').map((word) => word.trim()))
  const taken = given.filter(([name]) => !ofTheMessage.has(name) && !named.includes(name))
  const replaced = new Set(taken.map(([name]) => name))
  const headers = [...stored.filter(([name]) => !replaced.has(name)), ...taken]
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0) > mostHeaderBytes ? null : headers
}
