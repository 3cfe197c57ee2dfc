import { Agent, type ClientRequestArgs, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as TlsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ServiceError, Unreachable } from '../domain/errors.ts'
import type { Upstream } from '../domain/fetching/proxies.ts'
import { deadline } from '../lib/deadline.ts'
import { endpointOf, withBrackets } from '../lib/endpoint-of.ts'
import { fairTurns } from '../lib/fair-turns.ts'
import { allowList, canonicalAddress, isGlobal } from './addresses.ts'
import { readBody } from './body.ts'
import type { NameResolver } from './dns.ts'
import { nameless } from './failures.ts'
import { egress, type Waiting } from './egress.ts'
import type { HeaderList } from './headers.ts'
import { maxHeadBytes } from './hop.ts'
import { type OwnEndpoints, ownEndpoints } from './own-endpoints.ts'
import { ClosedEarly, encrypted } from './tls.ts'
import { throughProxy } from './upstream.ts'

/** A request to a service of the operator. */
export interface OperatorRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** On the origin that the client was made for. */
  readonly url: URL
  /** Without `Host` and `Content-Length`. */
  readonly headers: HeaderList
  readonly body: Uint8Array | null
  /** A longer answer is an error. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** A complete answer, as received. */
export interface OperatorAnswer {
  readonly status: number
  /** Lower-case names, in the order received. */
  readonly headers: HeaderList
  readonly body: Uint8Array
}

/** An HTTP client for one service of the operator (contract §15.15). */
export interface OperatorHttp {
  /**
   * Sends a request once and reads the whole answer; does not follow redirects. Throws an `Error` that names no address
   * when there is no answer; `Unreachable` when nothing was sent.
   */
  send(request: OperatorRequest): Promise<OperatorAnswer>
  /** Opens a bare connection, encrypted for an https origin. Throws as `send` does. */
  dial(signal: AbortSignal): Promise<Duplex>
  close(): void
}

/** How the operator's services are reached, and what pages must not reach. */
export interface OperatorOptions {
  readonly resolver: NameResolver
  /** The register of endpoints that pages never reach; private addresses of the service are added to it. */
  readonly own: OwnEndpoints
  /** Closes a connection after this time without any data. */
  readonly quietMs?: number
  /** Most concurrent requests, 32 by default; further ones wait. */
  readonly atOnce?: number
  /** A proxy of the operator to use by CONNECT; it then resolves the name. */
  readonly via?: Upstream | undefined
  /** Makes a new connection for each request. */
  readonly anew?: boolean
}

const connectMs = 5_000
const defaultQuietMs = 15_000
const idleMs = 10_000
const maxAtOnce = 32

/**
 * A client that only reaches the host and port of that origin, whatever its address, and reuses its connections unless told
 * otherwise. Sends nothing after `close`.
 */
export function operatorHttp(origin: URL, { resolver, own, quietMs = defaultQuietMs, atOnce = maxAtOnce, via, anew = false }: OperatorOptions): OperatorHttp {
  const { host, port } = endpointOf(origin)
  const first = via ?? { host, port }
  const way = egress({ resolver, allow: allowList([]), own: ownEndpoints(), trusted: [first], connectTimeoutMs: connectMs })
  const closed = new Set<string>()

  /**
   * Adds a private address of the service to the register: pages must not reach it under any name, even if an allow-list
   * covers it.
   */
  function close(address: string, at: number): void {
    const key = `${address} ${at}`
    if (closed.has(key) || isGlobal(address)) return
    closed.add(key)
    own.add({ address, port: at })
  }

  async function dial(call: Waiting): Promise<Socket> {
    for (const { address } of await way.vet(first.host, first.port, call)) close(address, first.port)
    const socket = await way.dial(first.host, first.port, call)
    return via === undefined ? socket : throughProxy(socket, { target: `${withBrackets(host)}:${port}`, upstream: via, signal: call.signal })
  }

  for (const end of [first, { host, port }]) {
    const literal = canonicalAddress(end.host)
    if (literal !== null) close(literal, end.port)
  }
  const secure = origin.protocol === 'https:'
  const use = { ...keeping, keepAlive: !anew }
  // A request checks that its agent speaks its protocol.
  const agent = secure ? dialling(new TlsAgent(use), async (call) => encrypted(await dial(call), host, call.signal)) : dialling(new Agent(use), dial)
  const inTurn = fairTurns(atOnce)
  let over = false
  return {
    async send(request) {
      if (request.url.origin !== origin.origin) throw new Error('a request for another service')
      if (over) throw new OperatorFault('nothing is asked of it any more')
      try {
        return await inTurn({ team: '', signal: request.signal }, () => exchange(request, { secure, agent, quietMs }))
      } catch (error) {
        request.signal.throwIfAborted()
        throw shown(error)
      }
    },
    async dial(signal) {
      if (over) throw new Error('nothing is asked of it any more')
      try {
        const socket = await dial({ signal })
        return secure ? await encrypted(socket, host, signal) : socket
      } catch (error) {
        signal.throwIfAborted()
        throw shown(error)
      }
    },
    close() {
      over = true
      agent.destroy()
    },
  }
}

/** A failure whose message may be shown to the operator. */
class OperatorFault extends Error {}

/** An answer has more bytes than its request accepts. */
export class AnswerTooLong extends OperatorFault {
  constructor() {
    super('its answer is too long')
  }
}

/** The service sent nothing for too long. */
export class Silence extends OperatorFault {
  constructor() {
    super('it has been quiet for too long')
  }
}

const unreached: Readonly<Partial<Record<ServiceError['code'], string>>> = { SCRAPE_DNS_RESOLUTION_ERROR: 'its name does not resolve', OVERLOADED: 'this machine has no room for another connection' }

function shown(error: unknown): Error {
  if (error instanceof OperatorFault || error instanceof Unreachable || error instanceof ClosedEarly) return error
  if (error instanceof ServiceError) return new Unreachable(unreached[error.code] ?? 'it does not accept connections')
  return nameless(error)
}

type Dial = (call: Waiting) => Promise<Duplex>
type Done = (error: Error | null, socket?: Duplex) => void

function connected(dial: Dial, { signal }: ClientRequestArgs, done: Done): void {
  const limit = deadline(signal ?? new AbortController().signal, connectMs, () => new Unreachable('it does not accept connections in time'))
  dial({ signal: limit.signal })
    .finally(() => limit.dispose())
    .then(
      (socket) => done(null, socket),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    )
}

const keeping = { maxFreeSockets: maxAtOnce, timeout: idleMs } as const

/** Has an agent take its sockets from an egress guard. */
const dialling = <A extends Agent>(agent: A, dial: Dial): A => Object.assign(agent, { createConnection: (options: ClientRequestArgs, done: Done): void => connected(dial, options, done) })

interface Line {
  readonly secure: boolean
  readonly agent: Agent
  readonly quietMs: number
}

async function exchange(request: OperatorRequest, line: Line): Promise<OperatorAnswer> {
  const response = await answerTo(request, line)
  try {
    const { body, truncated } = await readBody(response, request.maxBytes)
    if (truncated) throw new AnswerTooLong()
    return { status: response.statusCode ?? 0, headers: headersOf(response.rawHeaders), body }
  } finally {
    if (!response.complete) response.destroy()
  }
}

function answerTo({ url, method, headers, body, signal }: OperatorRequest, { secure, agent, quietMs }: Line): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = body === null && (method === 'GET' || method === 'HEAD' || method === 'DELETE') ? [] : ['Content-Length', String(body?.byteLength ?? 0)]
    const request = (secure ? httpsRequest : httpRequest)({
      ...endpointOf(url),
      method,
      path: url.pathname + url.search,
      headers: ['Host', url.host, ...length, ...headers.flat()],
      agent,
      signal,
      maxHeaderSize: maxHeadBytes,
    })
    request.setTimeout(quietMs, () => request.destroy(new Silence()))
    request.on('response', resolve)
    request.on('error', reject)
    request.on('upgrade', (_, socket: Duplex) => {
      socket.destroy()
      reject(new OperatorFault('it switches to another protocol'))
    })
    request.end(body ?? undefined)
  })
}

function headersOf(raw: readonly string[]): HeaderList {
  const list: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) list.push([(raw[at] ?? '').toLowerCase(), raw[at + 1] ?? ''])
  return list
}
