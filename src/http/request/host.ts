import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../domain/errors.ts'
import { isHost } from '../base-url.ts'

/** The number of Host headers in a request; the parser keeps only the first. */
function hostsIn({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') count++
  return count
}

/** Throws `BAD_REQUEST` unless a request names one valid host, or, before HTTP/1.1, none. */
export function assertHost(request: IncomingMessage): void {
  const hosts = hostsIn(request)
  if (request.httpVersion === '1.1' && hosts === 0) throw new ServiceError('BAD_REQUEST', 'The request has no Host header.')
  const { host } = request.headers
  if (host !== undefined && !isHost(host)) throw new ServiceError('BAD_REQUEST', 'The Host header does not name a host (RFC 9112 §3.2).')
  // A proxy in front of us may have used another of them than we would (RFC 9112 §3.2).
  if (hosts > 1) throw new ServiceError('BAD_REQUEST', 'The request has more than one Host header.')
}
