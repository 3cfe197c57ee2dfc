import { type Socket, isIP } from 'node:net'
import type { Call } from '../domain/call.ts'
import { ServiceError, Unreachable } from '../domain/errors.ts'
import { deadline } from '../lib/deadline.ts'
import { type AllowList, canonicalAddress, type Endpoint, isGlobal } from './addresses.ts'
import { connectFirst } from './connect.ts'
import { nameless } from './failures.ts'
import type { NameResolver } from './dns.ts'
import type { OwnEndpoints } from './own-endpoints.ts'

/** What a lookup or a dial needs of a call. */
export type Waiting = Pick<Call, 'signal'>

/** The egress guard, and the only way out (R1): every outbound socket of the service comes from here. */
export interface Egress {
  /**
   * The endpoints that may be dialled for this host and port; empty only where an upstream proxy is to look up the name. Throws `FORBIDDEN`, `SCRAPE_DNS_RESOLUTION_ERROR`, `BAD_REQUEST`
   * (not a host name).
   */
  vet(host: string, port: number, call: Waiting): Promise<readonly Endpoint[]>
  /** A connected socket to one of the vetted endpoints. Throws as `vet`, and `SCRAPE_SITE_ERROR` when nothing answers there. */
  dial(host: string, port: number, call: Waiting): Promise<Socket>
}

/** What an egress guard lets through. Each use (pages, webhooks, an operator's endpoint) has a guard of its own over one resolver. */
export interface EgressOptions {
  readonly resolver: NameResolver
  /** Non-global endpoints that may be reached all the same, compared with the resolved address (R3). */
  readonly allow: AllowList
  /** This process' own listening sockets; refused even where `allow` covers them. */
  readonly own: OwnEndpoints
  /** An endpoint of the operator's: at exactly this host (as written) and port, any address is reached. */
  readonly trusted?: readonly { readonly host: string; readonly port: number }[]
  /** Endpoints of the operator's that other guards trust: refused here, whether named or reached by a private address of theirs. */
  readonly closed?: readonly { readonly host: string; readonly port: number }[]
  readonly connectTimeoutMs?: number
}

const defaultConnectTimeoutMs = 10_000
/** For names of the operator's. */
const lookupMs = 1_000

/** The refusal of an address: one message for every reason, so that the answer does not map the operator's network. */
export function forbiddenAddress(): ServiceError {
  return new ServiceError('FORBIDDEN', 'The address of the page is not one that this service may reach.')
}

/** An egress guard that lets through what the options say. */
export function egress(options: EgressOptions): Egress {
  const { resolver, allow, own, trusted = [], closed = [], connectTimeoutMs = defaultConnectTimeoutMs } = options

  async function vet(hostAsWritten: string, port: number, call: Waiting): Promise<readonly Endpoint[]> {
    const host = normalHost(hostAsWritten)
    const literal = canonicalAddress(host)
    if (closed.some((c) => c.port === port && normalHost(c.host) === host)) throw forbiddenAddress()
    if (trusted.some((t) => t.port === port && normalHost(t.host) === host)) {
      return endpointsOf(literal === null ? await resolver.resolve(host, call) : [literal], port)
    }
    const endpoints = isLocalName(host) ? opened(endpointsOf(loopbackAddresses, port)) : endpointsOf(literal === null ? await resolver.resolve(host, call) : [literal], port)
    if (await isClosed(endpoints, call)) throw forbiddenAddress()
    if (isLocalName(host)) return endpoints
    // One bad address condemns the name: mixed answers are what rebinding looks like.
    if (!endpoints.every((e) => !own.has(e) && (isGlobal(e.address) || allow.covers(e)))) throw forbiddenAddress()
    return endpoints
  }

  /** Whether one of them is the operator's own, whatever it was called: asked where an allow-list opens a private address alone. */
  async function isClosed(endpoints: readonly Endpoint[], call: Waiting): Promise<boolean> {
    const inner = new Set(endpoints.filter((e) => !isGlobal(e.address) && allow.covers(e)).map((e) => e.address))
    const names = inner.size === 0 ? [] : closed.filter((c) => endpoints.some((e) => e.port === c.port)).map((c) => normalHost(c.host))
    const limit = deadline(call.signal, lookupMs, () => new Error('late'))
    // A name that is not known just now, as where a proxy is to look it up, leads to none of ours.
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

  /** Names of this machine never go to DNS (RFC 6761 §6.3) and are reached only where the operator opened the address. */
  function opened(endpoints: readonly Endpoint[]): readonly Endpoint[] {
    const usable = endpoints.filter((e) => !own.has(e) && allow.covers(e))
    if (usable.length === 0) throw forbiddenAddress()
    return usable
  }

  async function dial(host: string, port: number, call: Waiting): Promise<Socket> {
    const endpoints = await vet(host, port, call)
    const limit = deadline(call.signal, connectTimeoutMs, () => new ServiceError('SCRAPE_SITE_ERROR', 'The site did not accept a connection in time.', { cause: new Unreachable() }))
    try {
      return await connectFirst(endpoints, limit.signal)
    } catch (cause) {
      if (limit.signal.aborted) throw limit.signal.reason
      throw new ServiceError('SCRAPE_SITE_ERROR', 'The site does not accept connections.', { cause: new Unreachable(nameless(cause).message) })
    } finally {
      limit.dispose()
    }
  }

  return { vet, dial }
}

const loopbackAddresses = ['127.0.0.1', '::1']

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('localhost')
}

function endpointsOf(addresses: readonly string[], port: number): readonly Endpoint[] {
  return addresses.map((address) => ({ address: canonicalAddress(address) ?? address, port }))
}

/** Lower case, no brackets, no final dot. */
function withoutDress(written: string): string {
  const bare = written.replace(/^\[([0-9a-f:.]+)\]$/i, '$1').toLowerCase()
  return bare.endsWith('.') ? bare.slice(0, -1) : bare
}

/** Whether a resolver could be asked for that host: an address, or labels of up to 63 characters. */
export function isHost(written: string): boolean {
  const host = withoutDress(written)
  return isIP(host) !== 0 || (host.length <= 253 && host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label)))
}

/** The host as it is compared and resolved. Throws `BAD_REQUEST` for what no resolver should be asked. */
function normalHost(written: string): string {
  if (!isHost(written)) throw new ServiceError('BAD_REQUEST', 'The URL does not name a host that could exist.')
  return withoutDress(written)
}
