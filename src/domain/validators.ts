type Headers = readonly (readonly [name: string, value: string])[]

/** A page, or what is said of one, with the address that it is said of. */
interface Told {
  readonly url: string
  readonly headers: Headers
}

/** What a site is asked by whether a page is still the one that it gave before (RFC 9110 §13). At least one of the two is there. */
export interface Validators {
  /** The address that gave the page, without fragment: at any other, redirects included, they mean nothing. */
  readonly url: string
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

// One tag in quotes: `*` or a list, sent back, would ask something else. What is longer is no tag but a burden.
const entityTag = /^(?:W\/)?"[\x21\x23-\x7e]{0,1024}"$/
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/

/** The one value of a header; undefined where there is none, or more than one. */
function only(headers: Headers, name: string): string | undefined {
  const values = headers.filter(([key]) => key === name)
  return values.length === 1 ? values[0]?.[1].trim() : undefined
}

/** The same address as it is asked for. */
function withoutFragment(url: string): string {
  const target = new URL(url)
  target.hash = ''
  return target.href
}

/** By what a capture can be asked for again; null where its site said nothing that can be used. */
export function validatorsOf(capture: Told & { readonly at: number }): Validators | null {
  const tag = only(capture.headers, 'etag')
  const date = only(capture.headers, 'last-modified')
  const etag = tag !== undefined && entityTag.test(tag) ? tag : undefined
  // A date to come would make every later change older than itself.
  const lastModified = date !== undefined && httpDate.test(date) && Date.parse(date) <= capture.at ? date : undefined
  return etag === undefined && lastModified === undefined ? null : { url: withoutFragment(capture.url), etag, lastModified }
}

/** The request headers that ask at this address; none where it is not the address that gave the page. */
export function conditions(validators: Validators | undefined, url: string): Headers {
  if (validators === undefined || withoutFragment(url) !== validators.url) return []
  const { etag, lastModified } = validators
  return [
    ...(etag === undefined ? [] : ([['If-None-Match', etag]] as const)),
    ...(lastModified === undefined ? [] : ([['If-Modified-Since', lastModified]] as const)),
  ]
}

/**
 * Whether an answer with status 304 speaks of the page asked about: it comes from there, and names no other tag. Tags are compared weakly,
 * because servers that compress pages weaken the tag of the page and not that of the 304.
 */
export function confirms(answer: Told, validators: Validators): boolean {
  const tag = answer.headers.find(([name]) => name === 'etag')?.[1]
  const opaque = (text: string): string => text.trim().replace(/^W\//, '')
  return withoutFragment(answer.url) === validators.url && (tag === undefined || (validators.etag !== undefined && opaque(tag) === opaque(validators.etag)))
}

// Of the connection or of the framing of one message (RFC 9111 §3.1), or what the stored bytes were already read by (§3.2).
const ofTheMessage: ReadonlySet<string> = new Set([
  'connection', 'keep-alive', 'proxy-authenticate', 'proxy-authentication-info', 'proxy-authorization', 'proxy-connection', 'te', 'trailer',
  'transfer-encoding', 'upgrade', 'content-length', 'content-encoding', 'content-range', 'content-type',
]) // prettier-ignore

// What one answer may have (R19); a site must not make them more with every answer.
const mostHeaderBytes = 64 * 1024

/**
 * The headers of a stored page after a 304 confirmed it: those that the 304 gives take the place of the stored ones (RFC 9111 §3.2).
 * Null where they become more than one answer may have.
 */
export function freshened(stored: Headers, given: Headers): Headers | null {
  const named = given.filter(([name]) => name === 'connection').flatMap(([, value]) => value.toLowerCase().split(',').map((word) => word.trim()))
  const taken = given.filter(([name]) => !ofTheMessage.has(name) && !named.includes(name))
  const replaced = new Set(taken.map(([name]) => name))
  const headers = [...stored.filter(([name]) => !replaced.has(name)), ...taken]
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0) > mostHeaderBytes ? null : headers
}
