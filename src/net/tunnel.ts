import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, request as httpRequest, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream'
import { ServiceError } from '../domain/errors.ts'
import { shortage } from './connect.ts'
import type { Egress } from './egress.ts'
import { maxHeadBytes } from './hop.ts'
import type { OwnEndpoints } from './own-endpoints.ts'
import { endpointOf, withoutBrackets } from '../lib/endpoint-of.ts'
import { urlOf } from '../lib/url-of.ts'
import { noAnswer, refuse, statusOf } from './tunnel-answers.ts'

/** A forward proxy on loopback whose only way out is the egress guard, for clients that cannot be given sockets. */
export interface Tunnel {
  readonly host: string
  readonly port: number
  /** Credentials of this process; without credentials every request gets status 407. */
  readonly username: string
  readonly password: string
  /** The same for connections with these credentials as `Grant.failureOf` for others. */
  failureOf(host: string, port: number): ServiceError | null
  /**
   * Creates credentials for another client, such as a browser context; revoking them closes its connections. Optionally
   * with an egress guard of its own, and with requests over `http:` that get no answer when they do not reach their site, as
   * when there is no proxy.
   */
  grant(through?: Egress, unanswered?: Unanswered): Grant
  /** Closes all connections. */
  close(): Promise<void>
}

export interface Grant {
  readonly username: string
  readonly password: string
  /**
   * Why the last connection to that host and port with these credentials failed; null when it succeeded, or none was tried.
   */
  failureOf(host: string, port: number): ServiceError | null
  /** Invalidates the credentials, and closes everything opened with them. */
  revoke(): void
}

/**
 * An address that the tunnel answers itself, without content: a context that opens it has sent its credentials, and stays
 * on its page.
 */
export const tunnelGreeting = 'http://greeting.invalid/'

/**
 * A header by which the tunnel marks its own answers; it is removed from answers of sites over `http:`. `address` is a
 * refusal, `failure` anything else.
 */
export const refusalHeader = 'x-trawl-refusal'

/** Which requests get no answer when they fail: all, those for what a page loads besides documents, or none. */
export type Unanswered = 'all' | 'parts' | 'none'

/** A client of the tunnel, with its open connections. */
interface Holder {
  readonly expected: Buffer
  readonly sockets: Set<Duplex>
  readonly egress: Egress
  readonly unanswered: Unanswered
}

// The https client keeps connections longer than a crawl over many hosts can afford: beyond this number, idle ones are
// closed.
const maxConnections = 256
const sweepMs = 5_000
// A page may connect to any number of hosts; only the newest failures are asked about.
const maxFailures = 100

const hopByHop = new Set(['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate', 'te', 'trailer', 'transfer-encoding', 'upgrade'])

/**
 * Starts the proxy on a free port of 127.0.0.1, or at a socket file (then `port` is 0). It handles CONNECT, and
 * absolute-form requests for `http:`. Refusals have status 403, failures 502, those of upstream proxies 503. Rejects with
 * `OVERLOADED` when this machine has no socket for it.
 */
export async function tunnel(egress: Egress, own: OwnEndpoints, file?: string): Promise<Tunnel> {
  const holders = new Map<string, Holder>()
  const ours = newGrant(holders, 'trawl', { egress, unanswered: 'none' })
  let grants = 0
  const sockets = new Set<Duplex>()
  const track = (socket: Duplex) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  const upstreams = new Map<Socket, number>()
  const keep = (socket: Socket) => {
    track(socket)
    upstreams.set(socket, -1)
    socket.once('close', () => upstreams.delete(socket))
  }
  const holderOf = (request: IncomingMessage): Holder | null => {
    const given = Buffer.from(request.headers['proxy-authorization'] ?? '')
    const holder = holders.get(nameIn(given))
    if (holder === undefined || given.length !== holder.expected.length || !timingSafeEqual(given, holder.expected)) return null
    const { socket } = request
    if (!holder.sockets.has(socket)) {
      holder.sockets.add(socket)
      socket.once('close', () => holder.sockets.delete(socket))
    }
    return holder
  }

  const server = createServer({ maxHeaderSize: maxHeadBytes })
  server.on('connection', track)
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    // A connection may have been asked for credentials before, and both ends of a tunnel add listeners: this is no leak.
    client.setMaxListeners(30)
    client.on('error', () => client.destroy())
    const holder = holderOf(request)
    if (holder === null) refuse(client, 407)
    else void connectThrough(holder.egress, { request, client, head }, keep)
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const holder = holderOf(request)
    if (holder === null) response.writeHead(407, { 'Proxy-Authenticate': 'Basic realm="egress"' }).end()
    else forward(holder, request, response)
  })
  const port = await listen(server, file).catch((error: unknown) => {
    throw shortage(error) ?? error
  })
  const sweeper = setInterval(() => endIdle(upstreams), sweepMs)
  sweeper.unref()
  const forget = file === undefined ? own.add({ address: '127.0.0.1', port }) : () => undefined

  return {
    host: '127.0.0.1',
    port,
    username: ours.username,
    password: ours.password,
    failureOf: ours.failureOf,
    grant: (through = egress, unanswered = 'none') => newGrant(holders, `trawl-${++grants}`, { egress: through, unanswered }),
    async close() {
      forget()
      clearInterval(sweeper)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function newGrant(holders: Map<string, Holder>, username: string, { egress, unanswered }: Pick<Holder, 'egress' | 'unanswered'>): Grant {
  const password = randomBytes(24).toString('base64url')
  const expected = Buffer.from(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
  const failures = new Map<string, ServiceError>()
  const holder: Holder = { expected, sockets: new Set(), egress: noting(egress, failures), unanswered }
  holders.set(username, holder)
  return {
    username,
    password,
    failureOf: (host, port) => failures.get(targetOf(host, port)) ?? null,
    revoke() {
      holders.delete(username)
      for (const socket of holder.sockets) socket.destroy()
    },
  }
}

const targetOf = (host: string, port: number): string => `${withoutBrackets(host)}:${port}`

/** Wraps an egress guard to remember why connections failed, because clients only see a status. */
function noting(egress: Egress, failures: Map<string, ServiceError>): Egress {
  return {
    vet: (host, port, call) => egress.vet(host, port, call),
    async dial(host, port, call) {
      const target = targetOf(host, port)
      failures.delete(target)
      try {
        return await egress.dial(host, port, call)
      } catch (error) {
        if (failures.size >= maxFailures) failures.clear()
        if (error instanceof ServiceError && !call.signal.aborted) failures.set(target, error)
        throw error
      }
    },
  }
}

/** The user name in a Basic header (RFC 7617); '' when it is not one. */
function nameIn(header: Buffer): string {
  const [scheme, code = ''] = header.toString('latin1', 0, 512).split(' ')
  return scheme === 'Basic' ? (Buffer.from(code, 'base64').toString('latin1').split(':', 1)[0] ?? '') : ''
}

async function listen(server: Server, file: string | undefined): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    if (file === undefined) server.listen(0, '127.0.0.1', resolve)
    // Whoever may enter its folder may use it: confined programs run as another user.
    else server.listen({ path: file, readableAll: true, writableAll: true }, resolve)
  })
  if (file !== undefined) return 0
  // A listening TCP server has an address of this shape.
  return (server.address() as AddressInfo).port // typed also for pipes
}

/**
 * Closes connections without traffic since the last call, when there are too many. The map holds the byte counts of that
 * call.
 */
function endIdle(upstreams: Map<Socket, number>): void {
  let excess = upstreams.size - maxConnections
  for (const [socket, before] of upstreams) {
    const bytes = socket.bytesRead + socket.bytesWritten
    if (bytes === before && excess-- > 0) socket.destroy()
    upstreams.set(socket, bytes)
  }
}

/** A signal that aborts when the client disconnects before it was served. */
function goneSignal(client: Duplex | ServerResponse): AbortSignal {
  const gone = new AbortController()
  client.once('close', () => gone.abort(new ServiceError('SCRAPE_SITE_ERROR', 'The client of the tunnel has gone.')))
  return gone.signal
}

interface Connect {
  readonly request: IncomingMessage
  readonly client: Duplex
  readonly head: Buffer
}

async function connectThrough(egress: Egress, { request, client, head }: Connect, keep: (socket: Socket) => void): Promise<void> {
  const target = /^(?<host>\[[0-9a-f:.]+\]|[^:[\]/@]+):(?<port>\d{1,5})$/i.exec(request.url ?? '')?.groups
  const port = Number(target?.['port'])
  if (target === undefined || port < 1 || port > 65_535) return refuse(client, 403)
  let upstream: Socket
  try {
    upstream = await egress.dial(target['host'] ?? '', port, { signal: goneSignal(client) })
  } catch (error) {
    return refuse(client, statusOf(error))
  }
  // The client may have disconnected at the moment the connection was made.
  if (client.destroyed || upstream.destroyed) {
    client.destroy()
    upstream.destroy()
    return
  }
  keep(upstream)
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  if (head.length > 0) upstream.write(head)
  // A failure of either end closes both; nobody else needs to know.
  pipeline(client, upstream, client, () => {})
}

/** Whether a browser asks for a document: over `http:`, it says so in this header only. */
const isForDocument = ({ headers }: IncomingMessage): boolean => headers['upgrade-insecure-requests'] === '1'

function forward({ egress, unanswered }: Holder, request: IncomingMessage, response: ServerResponse): void {
  const url = urlOf(request.url ?? '')
  if (url === null || url.protocol !== 'http:') return void response.writeHead(403).end()
  if (url.href === tunnelGreeting) return void response.writeHead(204).end()
  const { host, port } = endpointOf(url)
  const fail = (error: unknown) => {
    if (response.headersSent) return response.destroy()
    if (unanswered === 'all' || (unanswered === 'parts' && !isForDocument(request))) return response.socket?.end(noAnswer)
    const status = statusOf(error)
    return response.writeHead(status, { [refusalHeader]: status === 403 ? 'address' : 'failure' }).end()
  }
  const signal = goneSignal(response)
  egress.dial(host, port, { signal }).then((socket) => {
    const onward = httpRequest({
      // Otherwise a site that does not answer would keep the connection forever.
      signal,
      createConnection: () => socket,
      host,
      method: request.method,
      path: url.pathname + url.search,
      headers: ['Host', url.host, ...endToEnd(request.rawHeaders, ['host'])],
      maxHeaderSize: maxHeadBytes,
    })
    onward.on('response', (answer) => {
      try {
        response.writeHead(answer.statusCode ?? 502, endToEnd(answer.rawHeaders, [refusalHeader]))
      } catch (error) {
        // The parser lets more pass than can be sent on: a status below 100.
        answer.destroy()
        return fail(error)
      }
      return pipeline(answer, response, () => {})
    })
    onward.on('error', fail)
    pipeline(request, onward, () => {})
  }, fail)
}

function endToEnd(raw: readonly string[], alsoDropped: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    if (!hopByHop.has(name) && !alsoDropped.includes(name)) kept.push(raw[at] ?? '', raw[at + 1] ?? '')
  }
  return kept
}
