import { readFileSync } from 'node:fs'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { Call } from '../../src/domain/call.ts'
import type { FetchRequest } from '../../src/domain/fetching/fetcher.ts'
import { allowList, egress, httpFetcher, nameResolver, ownEndpoints } from '../../src/net/index.ts'
import { dnsServer } from '../dns-server.ts'

export const clock = { now: () => Date.now() }

const tlsFile = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url))
export const selfSigned = { key: tlsFile('key.pem'), cert: tlsFile('cert.pem') }

/** Listens on 127.0.0.1 until the test ends; returns the port. */
export async function listening(server: Server): Promise<number> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of open) socket.destroy()
    await closed
  })
  return (server.address() as AddressInfo).port // a TCP server's address
}

export const site = (listener: RequestListener): Promise<number> => listening(createHttp(listener))

export async function http2Site(listener: (request: Http2ServerRequest, response: Http2ServerResponse) => void): Promise<number> {
  const server = createSecureServer({ ...selfSigned, allowHTTP1: true }, listener)
  server.on('sessionError', () => {})
  return listening(server)
}

/** A server that calls `serve` for each connection once the first bytes of a request have arrived. */
export async function rawSite(secure: boolean, serve: (socket: Socket, connection: number) => void): Promise<number> {
  let connections = 0
  const onSocket = (socket: Socket) => {
    socket.on('error', () => {})
    socket.once('data', () => serve(socket, connections++))
  }
  const server = secure ? createTls({ ...selfSigned, ALPNProtocols: ['http/1.1'] }, onSocket) : createTcp(onSocket)
  server.on('tlsClientError', () => {})
  return listening(server)
}

/** The addresses of names, for each query in turn; other names do not exist. */
export type Zone = Readonly<Record<string, readonly (readonly string[])[]>>

/**
 * A name server on loopback that answers the n-th query for a name with its n-th set of addresses, and repeats the
 * last.
 */
export async function nameServer(zone: Zone): Promise<{ address: string; questions: string[] }> {
  const questions: string[] = []
  const { address, close } = await dnsServer((name, type) => {
    const question = `${name} ${type}`
    const asked = questions.filter((line) => line === question).length
    questions.push(question)
    const sets = zone[name]
    return sets === undefined ? null : (sets[Math.min(asked, sets.length - 1)] ?? [])
  })
  onTestFinished(close)
  return { address, questions }
}

export function callFor(ms = 10_000, signal = new AbortController().signal): Call {
  return { id: 'call', team: 'team', signal, deadline: Date.now() + ms, retention: 'normal', log: () => {} }
}

export const page: Omit<FetchRequest, 'url'> = { headers: {}, languages: ['en-US'], skipTlsVerification: true, maxBytes: 1_000_000 }

export interface EgressSettings {
  readonly allow?: readonly string[]
  readonly servers?: readonly string[]
  readonly trusted?: readonly { readonly host: string; readonly port: number }[]
  readonly closed?: readonly { readonly host: string; readonly port: number }[]
  readonly asBrowsers?: boolean
}

/** An egress guard with all that it needs; allows loopback by default. */
export function testEgress({ allow = ['127.0.0.1'], servers = [], trusted = [], closed = [], ...rules }: EgressSettings = {}) {
  const resolver = nameResolver({ servers, clock })
  const own = ownEndpoints()
  onTestFinished(() => resolver.close())
  return { egress: egress({ resolver, allow: allowList(allow), own, trusted, closed, ...rules }), own, resolver, clock }
}

/** A fetcher with such an egress guard, closed when the test ends. */
export function testFetcher(settings?: EgressSettings) {
  const fetcher = httpFetcher(testEgress(settings))
  onTestFinished(() => fetcher.close())
  return fetcher
}

/** The outcome of a fetch in one line of values. */
export async function outcome(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => value,
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )
}
