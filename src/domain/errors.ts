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

/** What a call is told whose time ran out in a queue, by the reason of its signal: waiting for a place is not the page's fault (contract §15.21). */
export const queueError = (reason: unknown): unknown => (reason instanceof ServiceError && reason.code === 'SCRAPE_TIMEOUT' ? new ServiceError('CONCURRENCY_QUEUE_TIMEOUT') : reason)

/** The store, or what keeps the blobs, did not do what it was asked to: it may do so the next time. Says what the error there says. */
export class StoreFault extends Error {
  constructor(error: unknown) {
    super(error instanceof Error ? error.message : String(error), { cause: error instanceof Error ? error.cause : undefined })
    if (error instanceof Error && error.stack !== undefined) this.stack = error.stack
  }
}

/** The store cannot be reached, or takes nobody more, for the moment: nothing is wrong with what it was asked to do. */
export class StoreAway extends StoreFault {}

/** What a server takes that is started anew. */
const storeBackSeconds = 2

/** What a caller is told while the store is away. */
export const storeAwayError = (cause: StoreAway): ServiceError => new ServiceError('OVERLOADED', 'What is stored cannot be reached at the moment.', { cause, retryAfterSeconds: storeBackSeconds })

/** The store can never hold what it was asked to: a value of a kind that it has not, or too large, or against its rules. */
export class StoreRefusal extends StoreFault {
  override readonly name = 'StoreRefusal'
}

/** Work of a store: what it fails by is a `StoreFault`, unless it is for the caller. */
export const ofStore = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof ServiceError || error instanceof StoreFault ? error : new StoreFault(error)
  })

/** An order ended its fetch where that led (`onRedirect`): nothing is to be tried again, and what came before it is not the page. */
export class LedAstray extends Error {}

/** Nothing takes a connection there, so nothing was sent. The cause of a `SCRAPE_SITE_ERROR`: no other browser would get one there. */
export class Unreachable extends Error {}

/** Redirects led on and on. The cause of a `SCRAPE_SITE_ERROR`. */
export class EndlessRedirects extends Error {}
