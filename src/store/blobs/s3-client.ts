import { AwsV4Signer } from 'aws4fetch'
import { type OperatorAnswer, type OperatorHttp, type OperatorRequest, Silence } from '../../net/index.ts'
import { StoreAway } from '../../domain/errors.ts'
import { deadline } from '../../lib/deadline.ts'
import { sleep } from '../../lib/sleep.ts'
import { contentKey } from './format.ts'
import type { S3Credentials, S3Place } from './s3-place.ts'
import { errorCodeIn, type Listed, type ListPage, readList } from './s3-xml.ts'

/** The metadata of an object. */
export interface S3Head {
  /** Without quotes; in most stores the MD5 of the bytes in hex. */
  readonly etag: string
  /** The time of the store's clock. */
  readonly ageMs: number
  /** When it was written, by the store's clock; null when the store does not say. */
  readonly at: number | null
}

/** One page of a listing, and the store's time when it was made. */
export interface S3Page {
  readonly objects: readonly Listed[]
  readonly now: number
}

/**
 * The operations of an object store, on names below the prefix of the place. Each is retried while that makes sense, and
 * throws a `StoreAway` without secrets and addresses.
 */
export interface S3Client {
  /** Resolves once the bytes are durable; the store has verified their checksum. */
  put(name: string, bytes: Uint8Array): Promise<void>
  head(name: string): Promise<S3Head | null>
  get(name: string): Promise<Uint8Array | null>
  /**
   * Copies inside the store; onto the same name, it renews the object. False when `from` is gone, or was written after
   * `unlessAfter`.
   */
  copy(from: string, to: string, unlessAfter?: number): Promise<boolean>
  remove(name: string): Promise<void>
  list(prefix: string): AsyncGenerator<S3Page>
}

interface Wish {
  readonly method: OperatorRequest['method']
  readonly name?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly maxBytes?: number
}

const maxTries = 5
/** Fewer if it is silent, because each of them takes long. */
const maxSilentTries = 2
const firstPauseMs = 50
/** For all attempts of one operation. */
const limitMs = 120_000
const maxBlobBytes = 1024 ** 3
const maxDocumentBytes = 16 * 1024 ** 2
const noBytes = new Uint8Array()
const later: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])
const laterCodes: ReadonlySet<string> = new Set(['RequestTimeout', 'InternalError', 'SlowDown', 'ServiceUnavailable', 'OperationAborted'])

const header = ({ headers }: OperatorAnswer, name: string): string => headers.find(([key]) => key === name)?.[1] ?? ''

/** The store's clock, since ours may be wrong. */
function timeOf(answer: OperatorAnswer): number {
  const now = Date.parse(header(answer, 'date'))
  return Number.isNaN(now) ? Date.now() : now
}

/** A refusal (of the key, of the bucket) says nothing of what was stored: it lasts until somebody mends it, and what was asked is right then. */
function failure(answer: OperatorAnswer): StoreAway {
  return new StoreAway(new Error(`The blob store answered ${`${answer.status} ${errorCodeIn(answer.body)}`.trim()}.`))
}

function unanswered(cause: Error): StoreAway {
  return new StoreAway(new Error(cause instanceof Silence ? 'The blob store does not answer.' : 'The blob store cannot be reached.', { cause }))
}

/** Whether the object is missing, rather than the bucket. */
const isMissing = (answer: OperatorAnswer): boolean => answer.status === 404 && errorCodeIn(answer.body) !== 'NoSuchBucket'

/** Throws `StoreAway` for what is no listing: it does not come from the store, but from something in front of it. */
function listed({ body }: OperatorAnswer): ListPage {
  try {
    return readList(body)
  } catch (error) {
    throw new StoreAway(error)
  }
}

const isGood = ({ status }: OperatorAnswer): boolean => status >= 200 && status < 300

/** A client for the place, over the operator's HTTP client. */
export function s3Client(place: S3Place, credentials: S3Credentials, http: OperatorHttp): S3Client {
  const send = tried(place, credentials, http)
  return {
    async put(name, bytes) {
      const answer = await send({ method: 'PUT', name, body: bytes, headers: { 'content-type': 'application/octet-stream' } })
      if (!isGood(answer)) throw failure(answer)
    },
    async head(name) {
      const answer = await send({ method: 'HEAD', name })
      if (answer.status === 404) return null
      if (!isGood(answer)) throw failure(answer)
      const written = Date.parse(header(answer, 'last-modified'))
      return { etag: header(answer, 'etag').replaceAll('"', ''), ageMs: Number.isNaN(written) ? Infinity : timeOf(answer) - written, at: Number.isNaN(written) ? null : written }
    },
    async get(name) {
      const answer = await send({ method: 'GET', name, maxBytes: maxBlobBytes })
      if (isMissing(answer)) return null
      if (!isGood(answer)) throw failure(answer)
      return answer.body
    },
    async copy(from, to, unlessAfter) {
      const condition: Record<string, string> = unlessAfter === undefined ? {} : { 'x-amz-copy-source-if-unmodified-since': new Date(unlessAfter).toUTCString() }
      const headers = { 'x-amz-copy-source': `/${place.bucket}/${place.prefix}${from}`, 'x-amz-metadata-directive': 'REPLACE', 'content-type': 'application/octet-stream', ...condition }
      const answer = await send({ method: 'PUT', name: to, headers })
      if (isMissing(answer) || answer.status === 412) return false
      if (!isGood(answer)) throw failure(answer)
      return true
    },
    async remove(name) {
      const answer = await send({ method: 'DELETE', name })
      if (!isGood(answer) && !isMissing(answer)) throw failure(answer)
    },
    async *list(prefix) {
      let from: string | null = null
      do {
        const query: Record<string, string> = { 'list-type': '2', 'max-keys': '1000', prefix: place.prefix + prefix, ...(from === null ? {} : { 'continuation-token': from }) }
        const answer = await send({ method: 'GET', query })
        if (!isGood(answer)) throw failure(answer)
        const page = listed(answer)
        if (page.next !== null && page.next === from) throw new StoreAway(new Error('The blob store lists the same page for ever.'))
        const objects = page.objects.filter(({ name }) => name.startsWith(place.prefix)).map(({ name, at }) => ({ name: name.slice(place.prefix.length), at }))
        yield { objects, now: timeOf(answer) }
        from = page.next
      } while (from !== null)
    },
  }
}

/** Sends a request, signed anew for each attempt, until the response is final. */
function tried(place: S3Place, credentials: S3Credentials, http: OperatorHttp): (wish: Wish) => Promise<OperatorAnswer> {
  const sign = signer(place, credentials)
  return async (wish) => {
    const hash = await contentKey(wish.body ?? noBytes)
    const limit = deadline(new AbortController().signal, limitMs, () => new StoreAway(new Error('The blob store does not answer in time.')))
    try {
      for (let tries = 1; ; tries++) {
        const outcome = await sign(wish, hash).then((signed) => http.send({ ...signed, signal: limit.signal })).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
        limit.signal.throwIfAborted()
        if (!(outcome instanceof Error) && !isForLater(outcome, wish)) return outcome
        if (tries >= (outcome instanceof Silence ? maxSilentTries : maxTries)) throw outcome instanceof Error ? unanswered(outcome) : failure(outcome)
        await sleep(firstPauseMs * 4 ** (tries - 1) * (0.5 + Math.random()), limit.signal)
      }
    } finally {
      limit.dispose()
    }
  }
}

/**
 * Whether a response may differ in another attempt. A copy may fail after its 200 has been sent: then the body is an error
 * document. A 404 without one is not from the store, but from something in front of it.
 */
function isForLater(answer: OperatorAnswer, wish: Wish): boolean {
  if (later.has(answer.status)) return true
  if (answer.status === 404 && (wish.method === 'GET' || wish.method === 'PUT') && errorCodeIn(answer.body) === '') return true
  if (wish.method !== 'PUT' || answer.status === 404) return false
  const code = errorCodeIn(answer.body)
  return isGood(answer) ? code !== '' : laterCodes.has(code)
}

function signer(place: S3Place, credentials: S3Credentials): (wish: Wish, hash: string) => Promise<Omit<OperatorRequest, 'signal'>> {
  // Caches the key that is derived from the secret for one day.
  const cache = new Map<string, ArrayBuffer>()
  return async ({ method, name, query = {}, headers = {}, body, maxBytes = maxDocumentBytes }, hash) => {
    const url = new URL(place.origin)
    // Listings are requests to the bucket, whose path is that of its objects without the prefix.
    url.pathname = name === undefined ? place.path.slice(0, place.path.length - place.prefix.length) : place.path + name
    url.search = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')
    if (cache.size > 1) cache.clear()
    const signed = await new AwsV4Signer({ ...credentials, method, url: url.href, headers: { ...headers, 'x-amz-content-sha256': hash }, service: 's3', region: place.region, cache }).sign()
    return { method, url, headers: [...signed.headers], body: body ?? null, maxBytes }
  }
}
