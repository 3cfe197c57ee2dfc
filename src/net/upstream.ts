import { request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import { ServiceError, Unreachable } from '../domain/errors.ts'
import { isProxyFault, type Upstream } from '../domain/fetching/proxies.ts'
import { deadline } from '../lib/deadline.ts'
import { withBrackets } from '../lib/endpoint-of.ts'
import { allowList, canonicalAddress, type Endpoint } from './addresses.ts'
import { isBlockedPort } from './blocked-ports.ts'
import type { NameResolver } from './dns.ts'
import { nameless } from './failures.ts'
import { type Egress, egress, forbiddenPort, type Waiting } from './egress.ts'
import { maxHeadBytes } from './hop.ts'
import { type OwnEndpoints, ownEndpoints } from './own-endpoints.ts'
import { proxyFault } from './proxy-fault.ts'

/** The parts of an egress guard through an upstream proxy. */
export interface UpstreamOptions {
  /** The egress guard of page traffic: what it forbids is not requested of the proxy either (R6). */
  readonly pages: Egress
  readonly resolver: NameResolver
  readonly own: OwnEndpoints
  /**
   * Receives after each attempt the reason of the proxy's failure, without names and addresses; null when it worked. A
   * failure of the site is not reported. `unanswered` is the host asked for if the proxy was reached and gave no answer in
   * time: then it may be the site that gives none.
   */
  readonly report: (fault: string | null, unanswered?: string) => void
  readonly connectTimeoutMs?: number
}

const defaultConnectTimeoutMs = 10_000
// Our own look-up only serves to refuse: the proxy may know names that are unknown here.
const lookupMs = 3_000

const faultStatuses: ReadonlySet<number> = new Set([401, 402, 407, 429])

/**
 * An egress guard whose connections go through a proxy of the operator by CONNECT (RFC 9110 §9.3.6), also for `http:`
 * targets. The proxy is reached at exactly its host and port, whatever its address, and pages cannot reach it. Throws as an
 * egress guard does, and `SCRAPE_PROXY_SELECTION_ERROR` when the proxy fails.
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

  async function reached(signal: AbortSignal): Promise<Socket> {
    try {
      return await toProxy({ signal })
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof ServiceError && cause.code === 'OVERLOADED') throw cause
      // The guard calls it the site's fault, and has the reason, already without names.
      throw proxyFault(cause instanceof ServiceError && cause.cause instanceof Error ? new Error(cause.cause.message) : nameless(cause))
    }
  }

  return {
    vet: (host, port, call) => vetAlso(pages, { host, port }, call),
    async dial(host, port, call) {
      await vetAlso(pages, { host, port }, call)
      const limit = deadline(call.signal, connectTimeoutMs, () => proxyFault())
      const began = performance.now()
      let isReached = false
      try {
        const socket = await reached(limit.signal)
        isReached = true
        const through = await throughProxy(socket, { target: `${withBrackets(host)}:${port}`, upstream, signal: limit.signal })
        report(null)
        return through
      } catch (error) {
        // A caller with little time may be gone before a hanging proxy is recognised.
        const hung = performance.now() - began >= connectTimeoutMs / 2
        if (call.signal.aborted ? hung : isProxyFault(error)) report(reasonOf(error), isReached && limit.signal.aborted ? host : undefined)
        throw error
      } finally {
        limit.dispose()
      }
    },
  }
}

/** Name and code of the failure; without a cause, it was a timeout. */
const reasonOf = (error: unknown): string => (isProxyFault(error) && error instanceof Error && error.cause instanceof Error && error.cause.message) || 'no answer in time'

/** Vets a target with the guard of the pages, but accepts names that cannot be resolved here: the proxy resolves them. */
async function vetAlso(pages: Egress, target: { readonly host: string; readonly port: number }, call: Waiting): Promise<readonly Endpoint[]> {
  const slow = new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR')
  const limit = deadline(call.signal, lookupMs, () => slow)
  try {
    return await pages.vet(target.host, target.port, { signal: limit.signal })
  } catch (error) {
    call.signal.throwIfAborted()
    if (!(error instanceof ServiceError && error.code === 'SCRAPE_DNS_RESOLUTION_ERROR')) throw error
    // No list allows an address that is not known.
    if (isBlockedPort(target.port)) throw forbiddenPort()
    return []
  } finally {
    limit.dispose()
  }
}

interface Passage {
  readonly target: string
  readonly upstream: Upstream
  readonly signal: AbortSignal
}

/** Asks the proxy for a connection to the target; returns the socket once it is connected, destroys it on failure. */
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
        if (status < 200 || status >= 300) return reject(refusal(status, target))
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

/** What a refusal by the proxy means: a fault of the proxy, or an unreachable site. */
function refusal(status: number, target: string): ServiceError {
  if (faultStatuses.has(status)) return proxyFault(new Error(`status ${status}`))
  return new ServiceError('SCRAPE_SITE_ERROR', 'The site cannot be reached through the proxy.', { cause: new Unreachable(`status ${status}`, { host: target.replace(/:\d+$/, '') }) })
}
