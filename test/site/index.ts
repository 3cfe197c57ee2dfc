/** A web site on loopback for tests: its pages are in `pages/`, small, and always the same. Start one per test file. */
import { setMaxListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { answerOver, type IncomingLike, type OutgoingLike } from './answer.ts'
import type { Pages, SeenRequest, Visit } from './page.ts'
import { pageAt } from './table.ts'

/** A running site. */
export interface Site {
  readonly origin: string
  readonly host: string
  readonly port: number
  /** Absolute URL of a path. */
  url(path: string): string
  /** The number of requests for a path since the last reset; for all paths if none is given. */
  hits(path?: string): number
  lastRequest(path: string): SeenRequest | undefined
  /** Every request since the last reset, oldest first. */
  requests(): readonly SeenRequest[]
  /** TCP connections accepted since the last reset. */
  connections(): number
  /** Forgets requests and connections. */
  reset(): void
  /** Breaks off all connections and accepts none for so many milliseconds. */
  away(ms: number): Promise<void>
  close(): Promise<void>
}

/** A site with an untrusted certificate. */
export interface TlsSite extends Site {
  /** The certificate, for clients that should trust it. */
  readonly certificate: string
}

const host = '127.0.0.1'

/**
 * Starts the site over plain HTTP/1.1 on a free port of 127.0.0.1. `own` pages take precedence over the common ones.
 */
export function startSite(own: Pages = {}): Promise<Site> {
  return serve('http', (listener) => createHttpServer({ keepAliveTimeout: 60_000 }, listener), own)
}

/** Starts the site over TLS with a self-signed certificate; with `http2`, it serves HTTP/2 and HTTP/1.1. */
export async function startTlsSite(options: { readonly http2?: boolean } = {}): Promise<TlsSite> {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8'))
  if (key === undefined || cert === undefined) throw new Error('no certificate')
  const site = await serve('https', (listener) => (options.http2 ? createSecureServer({ key, cert, allowHTTP1: true }, listener) : createTlsServer({ key, cert }, listener)))
  return { ...site, certificate: cert }
}

type Listener = (request: IncomingLike, response: OutgoingLike) => void

async function serve(scheme: 'http' | 'https', create: (listener: Listener) => Server, own: Pages = {}): Promise<Site> {
  const seen: SeenRequest[] = []
  const closing = new AbortController()
  // Each answer that waits listens.
  setMaxListeners(0, closing.signal)
  const sockets = new Set<Socket>()
  let accepted = 0
  let port = 0

  const server = create((request, response) => {
    // A request that outlives its test must not fail another test: ignore errors after the client has left.
    answerRequest(request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket: Socket) => {
    accepted++
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
  })

  async function answerRequest(request: IncomingLike, response: OutgoingLike): Promise<void> {
    const asked = await seenRequest(request)
    seen.push(asked)
    const count = seen.filter((one) => one.path === asked.path).length
    await (own[asked.path] ?? pageAt(asked.path))(visitOf(asked, { origin: `${scheme}://${host}:${port}`, port, count, signal: closing.signal }), answerOver(response))
  }

  const listen = (): Promise<void> => new Promise((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const breakOff = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })

  await listen()
  port = portOf(server)
  return {
    origin: `${scheme}://${host}:${port}`,
    host,
    port,
    url: (path) => `${scheme}://${host}:${port}${path}`,
    hits: (path) => seen.filter((one) => path === undefined || one.path === path).length,
    lastRequest: (path) => seen.findLast((one) => one.path === path),
    requests: () => [...seen],
    connections: () => accepted,
    reset: () => {
      seen.length = 0
      accepted = 0
    },
    async away(ms) {
      await breakOff()
      await waited(ms, closing.signal)
      if (!closing.signal.aborted) await listen()
    },
    close() {
      closing.abort()
      return breakOff()
    },
  }
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('the site has no port')
  return address.port
}

async function seenRequest(request: IncomingLike): Promise<SeenRequest> {
  const url = request.url ?? '/'
  const { pathname, searchParams } = new URL(url, 'http://site')
  const chunks: Buffer[] = []
  const from = request.socket.remoteAddress ?? ''
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const { method = 'GET', headers, rawHeaders, httpVersion } = request
  return { method, url, path: pathname, query: searchParams, headers, rawHeaders, body: Buffer.concat(chunks).toString('utf8'), from, httpVersion }
}

function visitOf(asked: SeenRequest, place: { readonly origin: string; readonly port: number; readonly count: number; readonly signal: AbortSignal }): Visit {
  return {
    ...asked,
    origin: place.origin,
    port: place.port,
    count: place.count,
    number: (name, otherwise) => Number(asked.query.get(name) ?? otherwise),
    later: (ms) => waited(ms, place.signal),
  }
}

function waited(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    if (signal.aborted) done()
    else signal.addEventListener('abort', done)
  })
}
