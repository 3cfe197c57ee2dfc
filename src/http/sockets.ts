import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ServiceError } from '../domain/errors.ts'
import { asServiceError, errorBody, errorHeaders } from './errors.ts'

/** Sends an error on a connection that has no reply of its own, and ends it. */
export function answerRaw(socket: Duplex, error: ServiceError, newId: () => string): void {
  if (!socket.writable) return void socket.destroy()
  const id = newId()
  const body = JSON.stringify(errorBody(error, id))
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    'connection: close',
    ...Object.entries(errorHeaders(error)).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Answers requests that never reach the router (parser errors, CONNECT, expectations) with the one error shape (R17). */
export function guardSockets(server: Server, newId: () => string): void {
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    answerRaw(socket, new ServiceError('METHOD_NOT_ALLOWED', 'This is not a proxy.'), newId)
  })
  server.on('checkExpectation', (_request, response) => {
    const id = newId()
    response.writeHead(400, { 'content-type': 'application/json; charset=utf-8', 'x-request-id': id, connection: 'close' })
    response.end(JSON.stringify(errorBody(new ServiceError('BAD_REQUEST', 'The Expect header is not supported.'), id)))
  })
}

/** Whether a request asks for a WebSocket. */
export const asksForWebSocket = ({ method, headers }: IncomingMessage): boolean => method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'

/** Answers a WebSocket handshake that is not valid. */
export const refuseHandshake = (newId: () => string) => (stream: Duplex, cause: Error): void => answerRaw(stream, new ServiceError('BAD_REQUEST', 'The WebSocket handshake is not valid.', { cause }), newId)

/** The headers that request an upgrade. */
const upgradeHeaders: ReadonlySet<string> = new Set(['upgrade', 'http2-settings'])

/** The value of a header of a request that asks for no upgrade; null to leave the header out. */
function withoutUpgrade(name: string, value: string): string | null {
  if (upgradeHeaders.has(name)) return null
  if (name !== 'connection') return value
  const tokens = value.split(',').filter((token) => !upgradeHeaders.has(token.trim().toLowerCase()))
  return tokens.length === 0 ? null : tokens.join(',')
}

/** The head of a request as it was received, with the values that `valueOf` gives to its headers; null leaves one out. */
export function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage, valueOf: (lowerName: string, value: string) => string | null = (_name, value) => value): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    const value = valueOf(name.toLowerCase(), rawHeaders[i + 1] ?? '')
    if (value !== null) lines.push(`${name}: ${value}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/**
 * Serves a request for an unsupported upgrade as a plain request, as HTTP requires: it is given to the server again,
 * without the upgrade headers.
 */
export function asPlainRequest(server: Server, request: IncomingMessage, stream: Duplex, head: Buffer): void {
  stream.unshift(Buffer.concat([headOf(request, withoutUpgrade), head]))
  server.emit('connection', stream)
}

/** Fastify's handler of parser errors. */
export function onClientError(newId: () => string): (error: Error, socket: Duplex) => void {
  return (error, socket) => {
    const mapped = asServiceError(error)
    answerRaw(socket, mapped.code === 'UNKNOWN_ERROR' ? new ServiceError('BAD_REQUEST', 'The request is not valid HTTP.') : mapped, newId)
  }
}
