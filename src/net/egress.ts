import { type Socket, isIP } from 'node:net'
import type { Call } from '../domain/call.ts'
import { ServiceError, Unreachable } from '../domain/errors.ts'
import { deadline } from '../lib/deadline.ts'
import { type AllowList, canonicalAddress, type Endpoint, isGlobal } from './addresses.ts'
import { isBlockedPort } from './blocked-ports.ts'
import { connectFirst, isWayless, shortage } from './connect.ts'
import { nameless } from './failures.ts'
import type { NameResolver } from './dns.ts'
import type { OwnEndpoints } from './own-endpoints.ts'

/** What a look-up or a connection needs of a call. */
export type Waiting = Pick<Call, 'signal'>

/** The egress guard: the only source of outbound sockets (R1). */
export interface Egress {
  /**
   * The endpoints that may be dialled for a host and port; empty only when an upstream proxy is to resolve the name. Throws
   * `FORBIDDEN`, `SCRAPE_DNS_RESOLUTION_ERROR` and `BAD_REQUEST` (not a host name).
   */
  vet(host: string, port: number, call: Waiting): Promise<readonly Endpoint[]>
  /**
   * A connected socket to one of the vetted endpoints. Throws as `vet` does, `SCRAPE_SITE_ERROR` when nothing answers, and
   * `OVERLOADED` when this machine has no socket for it.
   */
  dial(host: string, port: number, call: Waiting): Promise<Socket>
}

/**
 * What an egress guard allows. Each use (pages, webhooks, an operator's endpoint) has its own guard over the shared
 * resolver.
 */
export interface EgressOptions {
  readonly resolver: NameResolver
  /** Non-global endpoints that are allowed; compared with the resolved address (R3). */
  readonly allow: AllowList
  /** This process's own listening sockets: refused even if `allow` covers them. */
  readonly own: OwnEndpoints
  /** Endpoints of the operator: for exactly this host (as written) and port, any address is allowed. */
  readonly trusted?: readonly { readonly host: string; readonly port: number }[]
  /** Endpoints of the operator that other guards trust: refused here, by name and by any private address of theirs. */
  readonly closed?: readonly { readonly host: string; readonly port: number }[]
  /** Refuses the ports that browsers block, except of endpoints that `allow` covers. */
  readonly asBrowsers?: boolean
  readonly connectTimeoutMs?: number
}

const defaultConnectTimeoutMs = 10_000
/** Time limit for resolving the names in `closed`, in milliseconds. */
const lookupMs = 1_000

/**
 * The error for a refused address: the same message for every reason, so that it does not reveal the operator's network.
 */
export function forbiddenAddress(): ServiceError {
  return new ServiceError('FORBIDDEN', 'The address of the page is not one that this service may reach. Private addresses must be allowed by its operator (TRAWL_ALLOW_PRIVATE_ADDRESSES); its own address cannot be.')
}

/** The error for a port that browsers block, wherever its host is. */
export function forbiddenPort(): ServiceError {
  return new ServiceError('FORBIDDEN', 'The port of the page belongs to another protocol, and browsers do not open it either; the operator of this service may allow an address with it (TRAWL_ALLOW_PRIVATE_ADDRESSES).')
}

/** An egress guard with these options. */
export function egress(options: EgressOptions): Egress {
  const { resolver, allow, own, trusted = [], closed = [], asBrowsers = false, connectTimeoutMs = defaultConnectTimeoutMs } = options

  async function vet(hostAsWritten: string, port: number, call: Waiting): Promise<readonly Endpoint[]> {
    const host = normalHost(hostAsWritten)
    const literal = canonicalAddress(host)
    if (closed.some((c) => c.port === port && normalHost(c.host) === host)) throw forbiddenAddress()
    const resolved = async (): Promise<readonly Endpoint[]> => endpointsOf(literal === null ? await resolver.resolve(host, call) : [literal], port)
    if (trusted.some((t) => t.port === port && normalHost(t.host) === host)) return resolved()
    const endpoints = isLocalName(host) ? opened(endpointsOf(loopbackAddresses, port)) : await resolved()
    if (await isClosed(endpoints, call)) throw forbiddenAddress()
    if (isLocalName(host)) return endpoints
    if (asBrowsers && isBlockedPort(port) && !endpoints.every((e) => allow.covers(e))) throw forbiddenPort()
    // A single bad address condemns the name: DNS rebinding looks like mixed answers.
    if (!endpoints.every((e) => !own.has(e) && (isGlobal(e.address) || allow.covers(e)))) throw forbiddenAddress()
    return endpoints
  }

  /**
   * Whether one of the endpoints is closed, whatever its name. Only private addresses that an allow-list covers need the
   * check.
   */
  async function isClosed(endpoints: readonly Endpoint[], call: Waiting): Promise<boolean> {
    const inner = new Set(endpoints.filter((e) => !isGlobal(e.address) && allow.covers(e)).map((e) => e.address))
    const names = inner.size === 0 ? [] : closed.filter((c) => endpoints.some((e) => e.port === c.port)).map((c) => normalHost(c.host))
    if (names.length === 0) return false
    const limit = deadline(call.signal, lookupMs, () => new Error('late'))
    // A name that cannot be resolved now, as when only a proxy can, leads to none of our endpoints.
    const known = await Promise.all(names.map((name) => addressesOf(name, limit).catch(() => []))).finally(limit.dispose)
    call.signal.throwIfAborted()
    return known.flat().some((address) => inner.has(address))
  }

  async function addressesOf(host: string, call: Waiting): Promise<readonly string[]> {
    const literal = canonicalAddress(host)
    if (literal !== null) return [literal]
    const found = isLocalName(host) ? loopbackAddresses : await resolver.resolve(host, call)
    return found.map((address) => canonicalAddress(address) ?? address)
  }

  /** Names of this machine never go to DNS (RFC 6761 §6.3), and are allowed only where the operator allows the address. */
  function opened(endpoints: readonly Endpoint[]): readonly Endpoint[] {
    const usable = endpoints.filter((e) => !own.has(e) && allow.covers(e))
    if (usable.length === 0) throw forbiddenAddress()
    return usable
  }

  async function dial(host: string, port: number, call: Waiting): Promise<Socket> {
    const endpoints = await vet(host, port, call)
    const limit = deadline(call.signal, connectTimeoutMs, () => new ServiceError('SCRAPE_SITE_ERROR', 'The site did not accept a connection in time.', { cause: new Unreachable('no connection in time', { host }) }))
    try {
      return await connectFirst(endpoints, limit.signal)
    } catch (cause) {
      if (limit.signal.aborted) throw limit.signal.reason
      throw shortage(cause) ?? new ServiceError('SCRAPE_SITE_ERROR', 'The site does not accept connections.', { cause: new Unreachable(nameless(cause).message, { host, cutOff: isWayless(cause) }) })
    } finally {
      limit.dispose()
    }
  }

  return { vet, dial }
}

const loopbackAddresses = ['127.0.0.1', '::1']

/** Whether a name is of this machine, or looks so much like one that it must not lead elsewhere. */
const isLocalName = (host: string): boolean => host.endsWith('localhost')

function endpointsOf(addresses: readonly string[], port: number): readonly Endpoint[] {
  return addresses.map((address) => ({ address: canonicalAddress(address) ?? address, port }))
}

/** Lower case, without brackets and final dot. */
function withoutDress(written: string): string {
  const bare = written.replace(/^\[([0-9a-f:.]+)\]$/i, '$1').toLowerCase()
  return bare.endsWith('.') ? bare.slice(0, -1) : bare
}

/** Whether a host can be resolved: an address, or labels of up to 63 characters. */
export function isHost(written: string): boolean {
  const host = withoutDress(written)
  return isIP(host) !== 0 || (host.length <= 253 && host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label)))
}

/** The host as it is compared and resolved. Throws `BAD_REQUEST` for one that cannot be resolved. */
function normalHost(written: string): string {
  if (!isHost(written)) throw new ServiceError('BAD_REQUEST', 'The URL does not name a host that could exist.')
  return withoutDress(written)
}
