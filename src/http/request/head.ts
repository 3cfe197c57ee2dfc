import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../domain/errors.ts'
import { isHost } from '../base-url.ts'

/** How often a request has a header, named in small letters; of these two the parser keeps only the first. */
function timesIn({ rawHeaders }: IncomingMessage, name: 'host' | 'authorization'): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) count++
  return count
}

/** Throws `BAD_REQUEST` unless a request names one valid host, or, before HTTP/1.1, none. */
export function assertHead(request: IncomingMessage): void {
  const hosts = timesIn(request, 'host')
  if (request.httpVersion === '1.1' && hosts === 0) throw new ServiceError('BAD_REQUEST', 'The request has no Host header.')
  const { host } = request.headers
  if (host !== undefined && !isHost(host)) throw new ServiceError('BAD_REQUEST', 'The Host header does not name a host (RFC 9112 §3.2).')
  // A proxy in front of us may have used another of them than we would (RFC 9112 §3.2).
  if (hosts > 1) throw new ServiceError('BAD_REQUEST', 'The request has more than one Host header.')
}

/** Throws `BAD_REQUEST` for more than one Authorization header, of which others may take another. To be asked once the first is known to be good: a bad key is 401 whatever follows. */
export function assertOneKey(request: IncomingMessage): void {
  if (timesIn(request, 'authorization') > 1) throw new ServiceError('BAD_REQUEST', 'The request has more than one Authorization header.')
}
