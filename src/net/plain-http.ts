import { Agent, type ClientRequest, type ClientRequestArgs, type IncomingMessage, request as httpRequest } from 'node:http'
import type { Duplex } from 'node:stream'
import { ServiceError } from '../domain/errors.ts'
import { untilAborted } from '../lib/deadline.ts'
import { type Body, lengthOf, readBody } from './body.ts'
import { contentCoding, decodable, decoded, withoutCoding } from './coding.ts'
import { codeOf, nameless, siteFailure } from './failures.ts'
import type { Gate } from './gate.ts'
import { type HeaderList, headerText } from './headers.ts'
import { type HopAnswer, type HopRequest, maxHeadBytes, type Transport } from './hop.ts'

const maxInformational = 20
const idleMs = 15_000
// As many as a job may ask one host at once: with fewer, half of the pages of a site that takes its time needed a new connection (measured).
const maxIdlePerOrigin = 100
const maxIdle = 256
const maxStale = 8
// A redirect's body is read to keep the connection, unless it is longer than a new connection would cost.
const maxDiscarded = 64 * 1024
const maxDiscardMs = 2_000

/** `http:` over sockets of the gate, kept alive between requests. */
export function plainHttp(gate: Gate): Transport {
  const agent = new GateAgent(gate)
  return {
    async send(request) {
      let lenient = false
      // A kept socket may turn out to be closed by the server, which then has closed those of the same age, too.
      for (let stale = 0; ; ) {
        const attempt = start(request, agent, lenient)
        try {
          return answerOf(await attempt.response, request)
        } catch (error) {
          if (request.signal.aborted) throw siteFailure(error, request.signal)
          if (attempt.request.reusedSocket && isClosed(error) && stale++ < maxStale) agent.forget(request.url)
          else if (!lenient && isParseError(error)) lenient = true
          else throw siteFailure(error, request.signal)
        }
      }
    },
    close: async () => agent.destroy(),
  }
}

/** Gets its sockets from the gate. */
class GateAgent extends Agent {
  readonly #gate: Gate

  constructor(gate: Gate) {
    super({ keepAlive: true, maxFreeSockets: maxIdlePerOrigin, timeout: idleMs })
    this.#gate = gate
  }

  override createConnection(options: ClientRequestArgs, done: (error: Error | null, socket?: Duplex) => void): undefined {
    const signal = options.signal ?? new AbortController().signal
    this.#gate.dial(options.host ?? '', Number(options.port), { signal }).then(
      (socket) => done(null, socket),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    )
  }

  /** Closes what it keeps of an origin. */
  forget(url: URL): void {
    for (const socket of this.freeSockets[this.getName(serverOf(url))] ?? []) socket.destroy()
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const idle = Object.values(this.freeSockets).reduce((sum, list) => sum + (list?.length ?? 0), 0)
    // Answers a boolean, whatever its type says.
    const kept: unknown = idle < maxIdle && super.keepSocketAlive(socket)
    return kept === true
  }
}

const serverOf = (url: URL): { host: string; port: number } => ({ host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 80 : Number(url.port) })

interface Attempt {
  readonly request: ClientRequest
  readonly response: Promise<IncomingMessage>
}

function start({ url, headers, signal }: HopRequest, agent: Agent, lenient: boolean): Attempt {
  const request = httpRequest({
    ...serverOf(url),
    path: url.pathname + url.search,
    headers: ['Host', url.host, 'Connection', 'keep-alive', ...headers.flat()],
    agent,
    maxHeaderSize: maxHeadBytes,
    // A second, tolerant reading for servers with bare line feeds and the like; what it lets through harms only the server's own answer.
    insecureHTTPParser: lenient,
  })
  let informational = 0
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
    request.on('information', () => {
      if (++informational > maxInformational) request.destroy(new ServiceError('SCRAPE_SITE_ERROR', 'The site sends interim answers without end.'))
    })
    request.on('upgrade', (_, socket: Duplex) => {
      socket.destroy()
      reject(new ServiceError('SCRAPE_SITE_ERROR', 'The site switched to a protocol that was not asked for.'))
    })
  })
  endWith(request, signal)
  request.end()
  return { request, response }
}

/** What Node's own `signal` does, which listens to the end of the request in six ways: a tenth of what a request costs (measured). */
function endWith(request: ClientRequest, signal: AbortSignal): void {
  const end = (): void => void request.destroy(nameless(signal.reason))
  if (signal.aborted) return end()
  signal.addEventListener('abort', end, { once: true })
  request.once('close', () => signal.removeEventListener('abort', end))
}

function isClosed(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(codeOf(error))
}

function isParseError(error: unknown): boolean {
  const code = codeOf(error)
  return code.startsWith('HPE_') && code !== 'HPE_HEADER_OVERFLOW'
}

function headersOf(raw: readonly string[]): HeaderList {
  const list: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) list.push([(raw[at] ?? '').toLowerCase(), headerText(raw[at + 1] ?? '')])
  return list
}

function answerOf(response: IncomingMessage, { signal }: HopRequest): HopAnswer {
  const headers = headersOf(response.rawHeaders)
  return {
    status: response.statusCode ?? 0,
    headers: withoutCoding(headers),
    tlsVerified: true,
    async read(maxBytes, room) {
      try {
        const coding = contentCoding(headers, decodable)
        const whole = async (): Promise<Body> => {
          const { chunks, checked } = await decoded(response, coding)
          return checked(await readBody(chunks, maxBytes, { room, signal, length: lengthOf(headers) }))
        }
        return await untilAborted(whole(), signal)
      } catch (error) {
        throw siteFailure(error, signal)
      } finally {
        if (!response.complete) response.destroy()
      }
    },
    discard: () => discard(response),
  }
}

function discard(response: IncomingMessage): void {
  let length = 0
  // The answer is not wanted any more, so neither is news of its failure.
  response.on('error', () => {})
  const timer = setTimeout(() => response.destroy(), maxDiscardMs)
  response.once('close', () => clearTimeout(timer))
  response.on('data', (chunk: Buffer) => {
    length += chunk.byteLength
    if (length > maxDiscarded) response.destroy()
  })
}
