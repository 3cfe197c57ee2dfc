import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { Call } from '../../src/domain/call.ts'
import type { FetchRequest } from '../../src/domain/fetching/fetcher.ts'
import { allowList, egress, httpFetcher, nameResolver, ownEndpoints } from '../../src/net/index.ts'

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
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, end } = question(query)
    const key = `${name} ${type === 28 ? 'AAAA' : 'A'}`
    const sets = zone[name]
    const asked = questions.filter((line) => line === key).length
    questions.push(key)
    const all = sets?.[Math.min(asked, sets.length - 1)] ?? []
    const answers = all.filter((address) => address.includes(':') === (type === 28)).map(record)
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(sets === undefined ? 0x8183 : 0x8180, 2)
    head.writeUInt16BE(answers.length, 6)
    head.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, questions }
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function record(address: string): Buffer {
  const v6 = address.includes(':')
  // Accepts full-length IPv6 only.
  const data = v6 ? Buffer.from(address.split(':').map((part) => part.padStart(4, '0')).join(''), 'hex') : Buffer.from(address.split('.').map(Number))
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(v6 ? 28 : 1, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
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
