import type { Room } from '../domain/call.ts'
import { ServiceError } from '../domain/errors.ts'
import type { Body, Reader } from './body.ts'
import type { HeaderList } from './headers.ts'

/** A single request, without redirects. */
export interface HopRequest {
  /** Without fragment and credentials. */
  readonly url: URL
  readonly headers: HeaderList
  readonly signal: AbortSignal
  /** After so many milliseconds the hop is over in any case: those left to the call when it starts, and pauses of the call's clock. */
  readonly timeLeft: number
  readonly skipTlsVerification: boolean
  /** Aborts when the body is to be cut where it is. */
  readonly until?: AbortSignal | undefined
}

/** The head of an answer, and access to its body. Call exactly one of `read` and `discard`. */
export interface HopAnswer {
  readonly status: number
  /** Lower-case names, in the order received. */
  readonly headers: HeaderList
  readonly tlsVerified: boolean
  /** Reads the body, as far as it is wanted, and removes its content coding; a large body takes memory from the room. */
  read(maxBytes: number, room?: Room, wants?: Reader['wants']): Promise<Body>
  discard(): void
}

/** Sends requests. Throws `SCRAPE_SITE_ERROR`, `SCRAPE_SSL_ERROR` and what the egress guard throws. */
export interface Transport {
  send(request: HopRequest): Promise<HopAnswer>
  close(): Promise<void>
}

/** Largest response head that is read, in bytes (R19). */
export const maxHeadBytes = 64 * 1024

/** Most interim answers (1xx) before an answer. */
export const maxInformational = 20

/** How much of the body of a redirect is read to keep its connection: beyond that, a new one costs less. */
export const maxDiscarded = { bytes: 64 * 1024, ms: 2_000 } as const // `const`: limits of their own

/** What a site does that no web server does, whichever transport notices. */
export const siteFaults = {
  head: () => new ServiceError('SCRAPE_SITE_ERROR', 'The head of the answer is too long.'),
  informational: () => new ServiceError('SCRAPE_SITE_ERROR', 'The site sends interim answers without end.'),
  protocol: () => new ServiceError('SCRAPE_SITE_ERROR', 'The site switched to a protocol that was not asked for.'),
}
