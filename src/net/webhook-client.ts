import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import { ServiceError } from '../domain/errors.ts'
import { maxUrlLength } from '../domain/urls/url.ts'
import type { NoAnswer, WebhookClient, WebhookMessage } from '../domain/webhooks.ts'
import { deadline } from '../lib/deadline.ts'
import { endpointOf } from '../lib/endpoint-of.ts'
import { webUrlOf } from '../lib/url-of.ts'
import { callerHeaders } from './browser-headers.ts'
import { codeOf } from './failures.ts'
import type { Egress } from './egress.ts'
import { credentialsIn, type HeaderList } from './headers.ts'
import { maxHeadBytes } from './hop.ts'
import { ClosedEarly, encrypted } from './tls.ts'

/** How receivers are reached: through an egress guard of their own, never that of the pages. */
export interface WebhookClientOptions {
  readonly egress: Egress
  /** Lower-case header names that receivers' owners cannot set, besides those of connection, framing and content. */
  readonly reserved: readonly string[]
  readonly userAgent: string
  /** Time limit of the whole attempt, in milliseconds. */
  readonly timeoutMs?: number
}

const defaultTimeoutMs = 10_000
/** The body of an answer is not used: it is read up to this size and time, so that the receiver can finish. */
const maxReadBytes = 64 * 1024
const maxReadMs = 1_000
/** A name that does not resolve in this time is left to the deliveries. */
const lookupMs = 3_000

/** Headers that describe the body: the service sets them. */
const ofContent = ['content-type', 'content-encoding', 'content-language', 'content-location', 'content-range', 'content-md5', 'digest', 'content-digest']

/** A client that sends to receivers through that egress guard, with a new connection per message. */
export function webhookClient(options: WebhookClientOptions): WebhookClient {
  const { egress, timeoutMs = defaultTimeoutMs } = options
  const reserved = new Set([...options.reserved, ...ofContent])

  return {
    async post(message, signal) {
      const late = new Error('late')
      const limit = deadline(signal, timeoutMs, () => late)
      try {
        const { url, authorization } = parsed(message.url)
        const headers = allHeaders(message, { authorization, reserved, userAgent: options.userAgent })
        return { kind: 'answer', ...(await exchange({ url, headers, body: message.body }, egress, limit.signal)) }
      } catch (error) {
        signal.throwIfAborted()
        return { kind: 'none', why: limit.signal.reason === late ? 'timeout' : reasonOf(error) }
      } finally {
        limit.dispose()
      }
    },

    async assertReceiver(receiver, signal) {
      const { url } = parsed(receiver.url)
      callerHeaders(receiver.headers)
      const late = new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR')
      const limit = deadline(signal, lookupMs, () => late)
      try {
        await egress.vet(url.hostname, endpointOf(url).port, { signal: limit.signal })
      } catch (error) {
        signal.throwIfAborted()
        const code = error instanceof ServiceError ? error.code : null
        if (code === 'SCRAPE_DNS_RESOLUTION_ERROR') return
        if (code === 'FORBIDDEN') throw new ServiceError('BAD_REQUEST', 'The webhook receiver is not at an address and port that this service may send to. Private addresses, and ports of other protocols such as mail, must be allowed by its operator (TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES).')
        if (code === 'BAD_REQUEST') throw new ServiceError('BAD_REQUEST', 'The webhook URL does not name a host that could exist.')
        throw error
      } finally {
        limit.dispose()
      }
    },
  }
}

/** TLS failed because of the receiver's certificate or its TLS implementation. */
class NoTrust extends Error {}

function reasonOf(error: unknown): NoAnswer {
  if (error instanceof NoTrust) return 'certificate'
  if (!(error instanceof ServiceError)) return 'broken'
  if (error.code === 'OVERLOADED') return 'roomless'
  if (error.code === 'FORBIDDEN') return 'forbidden'
  if (error.code === 'SCRAPE_DNS_RESOLUTION_ERROR') return 'unresolved'
  return error.code === 'BAD_REQUEST' ? 'unsendable' : 'unreachable'
}

/**
 * Parses a receiver's URL. Throws `BAD_REQUEST` when it is not http or https, or longer than 8 KiB. Credentials in it
 * become a header, as in browsers.
 */
function parsed(text: string): { readonly url: URL; readonly authorization: string | null } {
  const url = webUrlOf(text)
  if (url === null) throw new ServiceError('BAD_REQUEST', 'The webhook URL is not an http or https URL.')
  if (url.href.length > maxUrlLength) throw new ServiceError('BAD_REQUEST', 'The webhook URL is longer than 8 KiB.')
  return { url, authorization: credentialsIn(url) }
}

interface OurHeaders {
  readonly authorization: string | null
  readonly reserved: ReadonlySet<string>
  readonly userAgent: string
}

/**
 * The owner's headers without reserved ones, then ours. Throws `BAD_REQUEST` for names and values that HTTP does not allow
 * (R15).
 */
function allHeaders({ headers, signature }: WebhookMessage, { authorization, reserved, userAgent }: OurHeaders): HeaderList {
  const ours = new Set(Object.keys(signature).map((name) => name.toLowerCase()))
  const wanted = callerHeaders(headers).filter(([name]) => !reserved.has(name.toLowerCase()) && !ours.has(name.toLowerCase()))
  const has = (name: string): boolean => wanted.some(([key]) => key.toLowerCase() === name)
  return [
    ...wanted,
    ...(has('user-agent') ? [] : [['User-Agent', userAgent] as const]),
    ...(authorization === null || has('authorization') ? [] : [['Authorization', authorization] as const]),
    ['Content-Type', 'application/json'],
    ...Object.entries(signature),
  ]
}

interface Post {
  readonly url: URL
  readonly headers: HeaderList
  readonly body: Uint8Array
}

/** Sends a message and returns what matters of the answer, once enough of its body was read. Closes the connection. */
async function exchange(post: Post, egress: Egress, signal: AbortSignal): Promise<{ readonly status: number; readonly retryAfter?: string }> {
  const { url } = post
  const socket = await egress.dial(url.hostname, endpointOf(url).port, { signal })
  // Errors are reported to the current promise; between promises nobody needs them.
  socket.on('error', () => {})
  try {
    const response = await answerTo(post, url.protocol === 'https:' ? await trusted(socket, url.hostname, signal) : socket, signal)
    await readSome(response, signal)
    const retryAfter = response.headers['retry-after']
    return { status: response.statusCode ?? 0, ...(retryAfter === undefined ? {} : { retryAfter }) }
  } finally {
    socket.destroy()
  }
}

const isOfConnection = (error: unknown): boolean => error instanceof ClosedEarly || ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT'].includes(codeOf(error))

/** The socket, encrypted. Throws `NoTrust`, or what the connection failed with. */
function trusted(socket: Socket, hostname: string, signal: AbortSignal): Promise<Socket> {
  return encrypted(socket, hostname, signal).catch((error: unknown) => {
    throw signal.aborted || isOfConnection(error) ? error : new NoTrust()
  })
}

function answerTo({ url, headers, body }: Post, socket: Socket, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request: ClientRequest = httpRequest({
      createConnection: () => socket,
      method: 'POST',
      path: url.pathname + url.search,
      headers: ['Host', url.host, 'Connection', 'close', 'Content-Length', String(body.byteLength), ...headers.flat()],
      maxHeaderSize: maxHeadBytes,
      signal,
    })
    request.on('response', resolve)
    request.on('error', reject)
    request.on('close', () => reject(new Error('closed')))
    request.on('upgrade', () => reject(new Error('another protocol')))
    request.end(body)
  })
}

/** Reads to the end, up to the size or time limit; an error now does not change the answer. */
function readSome(response: IncomingMessage, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let length = 0
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, maxReadMs)
    signal.addEventListener('abort', done, { once: true })
    response.on('data', (chunk: Buffer) => {
      length += chunk.byteLength
      if (length >= maxReadBytes) done()
    })
    response.once('end', done)
    response.once('close', done)
    response.on('error', done)
  })
}
