import { type ErrorCode, errorCodes } from '../spec/errors.ts'

export type { ErrorCode }

/** What may accompany an error. */
export interface ErrorExtras {
  readonly cause?: unknown
  /** Shown to the caller: an array for validation problems, an object elsewhere. Never an address, path or secret. */
  readonly details?: unknown
  /** Seconds after which a repeat makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
}

/** The only error that callers see: a code of `spec/errors.ts`, a message for people, optional details. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly details: unknown
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message?: string, extras: ErrorExtras = {}) {
    super(message ?? errorCodes[code].meaning, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.name = 'ServiceError'
    this.code = code
    this.details = extras.details
    this.retryAfterSeconds = extras.retryAfterSeconds
  }

  get status(): number {
    return errorCodes[this.code].status
  }
}

/** The cause of a `SCRAPE_SITE_ERROR` where nothing takes a connection: no other browser would get one there. */
export class Unreachable extends Error {}
