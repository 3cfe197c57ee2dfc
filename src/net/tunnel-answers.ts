import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ServiceError } from '../domain/errors.ts'
import { isProxyFault } from '../domain/fetching/proxies.ts'

/** The status that tells why a request did not reach its site. */
export function statusOf(error: unknown): number {
  if (isProxyFault(error)) return 503
  return error instanceof ServiceError && (error.code === 'FORBIDDEN' || error.code === 'BAD_REQUEST') ? 403 : 502
}

/** Refuses a connection. */
export function refuse(client: Duplex, status: number): void {
  const challenge = status === 407 ? 'Proxy-Authenticate: Basic realm="egress"\r\n' : ''
  client.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${challenge}Content-Length: 0\r\nConnection: close\r\n\r\n`)
}

/**
 * What a browser takes for a failed connection. Without a word, it would send a request again on each connection that it
 * has used before, and the site get it twice.
 */
export const noAnswer = 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nContent-Length: 1\r\n\r\n'
