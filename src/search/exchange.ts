import type { Call } from '../domain/call.ts'
import { retryAfter } from '../domain/fetching/politeness.ts'
import { ProviderFault } from '../domain/search/search.ts'
import { isObject, type JsonObject } from '../lib/is-object.ts'
import type { OperatorHttp } from '../net/index.ts'

/** A provider's server. */
export interface Line {
  readonly base: URL
  readonly http: OperatorHttp
  readonly now: () => number
}

/** A request to it; with a body it is a POST. */
export interface Question {
  readonly path: string
  readonly params?: Readonly<Record<string, string | number | null | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

const maxBytes = 5 * 1024 * 1024
/** How long a provider is left alone when it does not say for how long. */
const limitedMs = 60_000
const longestMs = 24 * 3_600_000

/** A JSON object in an answer. */
export type Json = JsonObject

/** A body parsed as a JSON object; undefined when it is none. */
function jsonOf(body: Uint8Array): Json | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString())
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

type Headers = readonly (readonly [string, string])[]

const retryAfterIn = (headers: Headers): string | undefined => headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]

/** How long to leave a provider alone that gives this `Retry-After`. */
const restMs = (header: string | undefined, now: number): number => Math.min(retryAfter(header, now) || limitedMs, longestMs)

/** The fault that an answer's status means; null for a usable answer. */
export function faultOf(status: number, headers: Headers, now: number): ProviderFault | null {
  if (status === 200) return null
  const header = retryAfterIn(headers)
  if (status === 429 || status === 432 || status === 433 || status === 402) return new ProviderFault('limited', restMs(header, now))
  if (status === 401 || status === 403) return new ProviderFault('refused')
  // An unknown word or option of one caller is no fault of the provider.
  if (status === 400 || status === 422) return new ProviderFault('unfit')
  return new ProviderFault(status === 408 || status === 504 ? 'late' : 'broken', header === undefined ? null : restMs(header, now))
}

/** Providers' messages about an invalid or exhausted key: their statuses mean other things elsewhere. */
const noKey = /^(?:SUBSCRIPTION_TOKEN_INVALID|API_KEY_INVALID|API key not valid)/
const usedUp = /^(?:(?:daily|rate|userRate)LimitExceeded|quotaExceeded|QUOTA_LIMITED|Not enough credits)/

/**
 * The fault of the key that an error reports; null for others. Reads only the provider's own fields, because the caller's
 * words may be in the message.
 */
function keyFault({ status, headers, body }: Awaited<ReturnType<OperatorHttp['send']>>, now: number): ProviderFault | null {
  if (status !== 400 && status !== 403 && status !== 422) return null
  const answer = jsonOf(body)
  const error = objectIn(answer, 'error')
  const said = [answer, error, ...listIn(answer, 'errors'), ...listIn(error, 'errors'), ...listIn(error, 'details')].flatMap((one) => ['code', 'reason', 'message'].flatMap((name) => textIn(one, name) ?? []))
  if (said.some((text) => noKey.test(text))) return new ProviderFault('refused')
  return said.some((text) => usedUp.test(text)) ? new ProviderFault('limited', restMs(retryAfterIn(headers), now)) : null
}

/** Sends a request and parses the answer as a JSON object. Throws `ProviderFault`, and the signal's reason. */
export async function asked({ base, http, now }: Line, { path, params = {}, headers = {}, body }: Question, call: Call): Promise<Json> {
  const url = new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base)
  for (const [name, value] of Object.entries(params)) if (value !== null && value !== undefined && value !== '') url.searchParams.set(name, String(value))
  const sent = body === undefined ? null : Buffer.from(JSON.stringify(body))
  const own: [string, string][] = [...Object.entries({ accept: 'application/json', ...headers }), ...(sent === null ? [] : [['content-type', 'application/json'] as [string, string]])] // a pair
  const answer = await http.send({ method: sent === null ? 'GET' : 'POST', url, headers: own, body: sent, maxBytes, signal: call.signal }).catch((error: unknown) => {
    call.signal.throwIfAborted()
    call.log('search-provider-unreachable', { reason: error instanceof Error ? error.message : 'unknown' })
    throw new ProviderFault('broken')
  })
  const fault = keyFault(answer, now()) ?? faultOf(answer.status, answer.headers, now())
  if (fault !== null) throw fault
  const value = jsonOf(answer.body)
  if (value === undefined) throw new ProviderFault('broken')
  return value
}

/** The objects in a list of an answer; empty when the list is missing. */
export const listIn = (answer: Json | undefined, name: string): readonly Json[] => {
  const list = answer?.[name]
  return Array.isArray(list) ? list.filter(isObject) : []
}

export const objectIn = (answer: Json | undefined, name: string): Json | undefined => {
  const value = answer?.[name]
  return isObject(value) ? value : undefined
}

/** The first of these members that is a non-empty string; null for none. */
export function textIn(value: Json | undefined, ...names: readonly string[]): string | null {
  for (const name of names) {
    const found = value?.[name]
    if (typeof found === 'string' && found !== '') return found
  }
  return null
}

export const numberIn = (value: Json | undefined, name: string): number | null => {
  const found = value?.[name]
  return typeof found === 'number' && Number.isFinite(found) ? found : null
}

/** A text without the markup by which providers emphasise words, and without entities. */
export function plain(text: string | null): string {
  return (text ?? '')
    .replace(/<\/?(?:b|strong|em|mark|i|span|br)\b[^>]{0,100}>/gi, '')
    .replace(/&(amp|lt|gt|quot|#39|#x27|nbsp|apos);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' })[name] ?? "'")
    .replace(/\s+/g, ' ')
    .trim()
}
