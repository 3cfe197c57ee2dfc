import { request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import { ServiceError, Unreachable } from '../domain/errors.ts'
import type { Upstream } from '../domain/proxies.ts'
import { deadline } from '../lib/deadline.ts'
import { allowList, canonicalAddress, type Endpoint } from './addresses.ts'
import type { NameResolver } from './dns.ts'
import { nameless } from './failures.ts'
import { type Egress, egress, type Waiting } from './egress.ts'
import { maxHeadBytes } from './hop.ts'
import { type OwnEndpoints, ownEndpoints } from './own-endpoints.ts'
import { isProxyFault, proxyFault } from './proxy-fault.ts'

/** What an egress guard through an upstream proxy is made of. */
export interface UpstreamOptions {
  /** The egress guard of page traffic: what it forbids is not asked of the proxy either (R6). */
  readonly pages: Egress
  readonly resolver: NameResolver
  readonly own: OwnEndpoints
  /** Hears after each attempt why the proxy did not do its work, without names and addresses; null when it did. What the site did is not its fault. */
  readonly report: (fault: string | null) => void
  readonly connectTimeoutMs?: number
}

const defaultConnectTimeoutMs = 10_000
// Our own answer only serves to refuse: a name that nobody here knows may be known there.
const lookupMs = 3_000

const faultStatuses: ReadonlySet<number> = new Set([401, 402, 407, 429])

const withBrackets = (host: string): string => (host.includes(':') ? `[${host.replace(/^\[|\]$/g, '')}]` : host)

/**
 * An egress guard whose connections go through a proxy of the operator's by CONNECT (RFC 9110 §9.3.6), for `http:` targets too. The proxy itself is
 * reached at exactly its host and port, whatever its address, and is no page target. Throws as an egress guard does, and `SCRAPE_PROXY_SELECTION_ERROR`
 * when the proxy does not do its work.
 */
export function upstreamEgress(upstream: Upstream, { pages, resolver, own, report, connectTimeoutMs = defaultConnectTimeoutMs }: UpstreamOptions): Egress {
  const way = egress({ resolver, allow: allowList([]), own: ownEndpoints(), trusted: [upstream], connectTimeoutMs })
  const closed = new Set<string>()
  const literal = canonicalAddress(upstream.host)
  if (literal !== null) own.add({ address: literal, port: upstream.port })

  async function toProxy(call: Waiting): Promise<Socket> {
    for (const endpoint of await way.vet(upstream.host, upstream.port, call)) {
      if (endpoint.address !== literal && !closed.has(endpoint.address)) own.add(endpoint)
      closed.add(endpoint.address)
    }
    return way.dial(upstream.host, upstream.port, call)
  }

  async function connected(target: string, signal: AbortSignal): Promise<Socket> {
    let socket: Socket
    try {
      socket = await toProxy({ signal })
    } catch (cause) {
      signal.throwIfAborted()
      throw proxyFault(nameless(cause))
    }
    return throughProxy(socket, { target, upstream, signal })
  }

  return {
    vet: (host, port, call) => vetAlso(pages, { host, port }, call),
    async dial(host, port, call) {
      await vetAlso(pages, { host, port }, call)
      const limit = deadline(call.signal, connectTimeoutMs, () => proxyFault())
      const began = performance.now()
      try {
        const socket = await connected(`${withBrackets(host)}:${port}`, limit.signal)
        report(null)
        return socket
      } catch (error) {
        // A caller in a hurry may be gone before a proxy that hangs is found out.
        const hung = performance.now() - began >= connectTimeoutMs / 2
        if (call.signal.aborted ? hung : isProxyFault(error)) report(reasonOf(error))
        throw error
      } finally {
        limit.dispose()
      }
    },
  }
}

/** Kind and code of what went wrong; without one it was the time that ran out. */
const reasonOf = (error: unknown): string => (isProxyFault(error) && error instanceof Error && error.cause instanceof Error ? error.cause.message : 'no answer in time')

/** What the egress guard of the pages says, but for names that it cannot look up: those are the proxy's to look up. */
async function vetAlso(pages: Egress, target: { readonly host: string; readonly port: number }, call: Waiting): Promise<readonly Endpoint[]> {
  const slow = new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR')
  const limit = deadline(call.signal, lookupMs, () => slow)
  try {
    return await pages.vet(target.host, target.port, { signal: limit.signal })
  } catch (error) {
    call.signal.throwIfAborted()
    if (error instanceof ServiceError && error.code === 'SCRAPE_DNS_RESOLUTION_ERROR') return []
    throw error
  } finally {
    limit.dispose()
  }
}

interface Passage {
  readonly target: string
  readonly upstream: Upstream
  readonly signal: AbortSignal
}

/** Asks the proxy for a connection to the target and answers the socket when it is there. The socket is destroyed on failure. */
export async function throughProxy(socket: Socket, { target, upstream, signal }: Passage): Promise<Socket> {
  const { credentials } = upstream
  const code = credentials === null ? null : Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')
  try {
    return await new Promise<Socket>((resolve, reject) => {
      const request = httpRequest({
        createConnection: () => socket,
        method: 'CONNECT',
        path: target,
        headers: ['Host', target, 'Proxy-Connection', 'keep-alive', ...(code === null ? [] : ['Proxy-Authorization', `Basic ${code}`])],
        maxHeaderSize: maxHeadBytes,
        signal,
      })
      request.once('connect', (answer, connection: Socket, head: Buffer) => {
        const status = answer.statusCode ?? 0
        if (status < 200 || status >= 300) return reject(refusal(status))
        if (head.length > 0) connection.unshift(head)
        resolve(connection)
      })
      request.once('response', (answer) => reject(proxyFault(new Error(`status ${answer.statusCode ?? 0}`))))
      request.on('error', (error) => reject(proxyFault(nameless(error))))
      request.end()
    })
  } catch (error) {
    socket.on('error', () => {})
    socket.destroy()
    throw signal.aborted ? signal.reason : error
  }
}

/** What a proxy's refusal means: it wants something of us, or it did not get to the site. */
function refusal(status: number): ServiceError {
  if (faultStatuses.has(status)) return proxyFault(new Error(`status ${status}`))
  return new ServiceError('SCRAPE_SITE_ERROR', 'The site cannot be reached through the proxy.', { cause: new Unreachable(`status ${status}`) })
}
