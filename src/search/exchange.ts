import type { Call } from '../domain/call.ts'
import { ProviderFault } from '../domain/search.ts'
import type { OperatorHttp } from '../net/index.ts'

/** A provider's server. */
export interface Line {
  readonly base: URL
  readonly http: OperatorHttp
  readonly now: () => number
}

/** One question to it; a body makes it a POST. */
export interface Question {
  readonly path: string
  readonly params?: Readonly<Record<string, string | number | null | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

const maxBytes = 5 * 1024 * 1024
/** A provider that says nothing about how long. */
const limitedMs = 60_000
const longestMs = 24 * 3_600_000

/** An object of an answer. */
export type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Seconds or a date, as `Retry-After` has them. */
function retryAfter(text: string | undefined, now: number): number {
  if (text === undefined || text === '') return limitedMs
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, longestMs) : limitedMs
}

/** What an answer with such a status says; null for one that can be used. */
export function faultOf(status: number, headers: readonly (readonly [string, string])[], now: number): ProviderFault | null {
  if (status === 200) return null
  const header = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
  if (status === 429 || status === 432 || status === 433 || status === 402) return new ProviderFault('limited', retryAfter(header, now))
  if (status === 401 || status === 403) return new ProviderFault('refused')
  // What one caller asks for in words or options that it does not know speaks against nobody.
  if (status === 400 || status === 422) return new ProviderFault('unfit')
  return new ProviderFault(status === 408 || status === 504 ? 'late' : 'broken', header === undefined ? null : retryAfter(header, now))
}

/** Asks and reads the answer as a JSON object. Throws `ProviderFault`, and the signal's reason. */
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
  const fault = faultOf(answer.status, answer.headers, now())
  if (fault !== null) throw fault
  try {
    const value: unknown = JSON.parse(Buffer.from(answer.body).toString())
    if (isObject(value)) return value
  } catch {
    // Said below: what is no JSON is no answer.
  }
  throw new ProviderFault('broken')
}

/** The objects of a list in an answer; an answer without that list has none. */
export const listIn = (answer: Json | undefined, name: string): readonly Json[] => {
  const list = answer?.[name]
  return Array.isArray(list) ? list.filter(isObject) : []
}

export const objectIn = (answer: Json | undefined, name: string): Json | undefined => {
  const value = answer?.[name]
  return isObject(value) ? value : undefined
}

/** The first of these members that is text; null for none. */
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

/** Text without the marks in which providers emphasise words, and without entities. */
export function plain(text: string | null): string {
  return (text ?? '')
    .replace(/<\/?(?:b|strong|em|mark|i|span|br)\b[^>]{0,100}>/gi, '')
    .replace(/&(amp|lt|gt|quot|#39|#x27|nbsp|apos);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' })[name] ?? "'")
    .replace(/\s+/g, ' ')
    .trim()
}
