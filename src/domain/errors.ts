import { type ErrorCode, errorCodes } from '../spec/errors.ts'

export type { ErrorCode }

/** What may accompany an error. */
export interface ErrorExtras {
  readonly cause?: unknown
  /** Shown to the caller: an array for validation problems, otherwise an object. Never an address, path or secret. */
  readonly details?: unknown
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
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

/**
 * The error for a call whose time ran out in a queue, given the reason of its signal: waiting for a place is not the page's
 * fault (contract §15.21).
 */
export const queueError = (reason: unknown): unknown => (reason instanceof ServiceError && reason.code === 'SCRAPE_TIMEOUT' ? new ServiceError('CONCURRENCY_QUEUE_TIMEOUT') : reason)

/**
 * The store or the blob storage failed; unless it is a `StoreRefusal`, a retry may succeed. The message is that of the
 * underlying error.
 */
export class StoreFault extends Error {
  constructor(error: unknown) {
    super(error instanceof Error ? error.message : String(error), { cause: error instanceof Error ? error.cause : undefined })
    if (error instanceof Error && error.stack !== undefined) this.stack = error.stack
  }
}

/** The store cannot be reached or written at the moment (away, a full disk): the operation itself was valid. */
export class StoreAway extends StoreFault {
  override readonly name: string = 'StoreAway'
}

/** The database found its own data damaged: people must help. */
export class StoreDamaged extends StoreAway {
  override readonly name = 'StoreDamaged'
}

const damagedAdvice = 'What is stored is damaged: with the service stopped, restore a backup or save what can be read ("Damage" in docs/operating.md)'

/** The database's own words for the damage, with what to do about it. */
export function storeDamaged(error: Error): StoreDamaged {
  const told = new Error(`${error.message}. ${damagedAdvice}`)
  if (error.stack !== undefined) told.stack = error.stack.replace(error.message, () => told.message)
  return new StoreDamaged(told)
}

/** How long a database server needs to restart. */
const storeBackSeconds = 2
/** Nobody restores a backup sooner. */
const storeMendedSeconds = 60

/** What a caller is told while the store cannot be reached. */
export const storeAwayError = (cause: StoreAway): ServiceError =>
  cause instanceof StoreDamaged
    ? new ServiceError('OVERLOADED', 'What is stored is damaged. The operator of the service must mend it.', { cause, retryAfterSeconds: storeMendedSeconds })
    : new ServiceError('OVERLOADED', 'What is stored cannot be reached, or cannot be written, at the moment.', { cause, retryAfterSeconds: storeBackSeconds })

/** The store can never accept this value: unsupported, too large, or against its constraints. */
export class StoreRefusal extends StoreFault {
  override readonly name = 'StoreRefusal'
}

/** Turns any failure of store work into a `StoreFault`, except errors meant for the caller. */
export const ofStore = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof ServiceError || error instanceof StoreFault ? error : new StoreFault(error)
  })

/** `onRedirect` ended the fetch: it must not be retried, and what came before is not the page. */
export class LedAstray extends Error {}

/**
 * A name does not resolve, or nothing accepts connections there, so nothing was sent. The cause of a
 * `SCRAPE_DNS_RESOLUTION_ERROR` or `SCRAPE_SITE_ERROR`: another browser would fail, too.
 */
export class Unreachable extends Error {
  /** The host as asked for, if it is known. */
  readonly host: string | undefined
  /** Whether it was our own network that failed: it has no way to the host, or to a name server. */
  readonly cutOff: boolean
  constructor(message?: string, { host, cutOff = false }: { readonly host?: string; readonly cutOff?: boolean } = {}) {
    super(message)
    this.host = host
    this.cutOff = cutOff
  }
}

/** The redirects did not end. The cause of a `SCRAPE_SITE_ERROR`. */
export class EndlessRedirects extends Error {}

/** Whether a host could not be reached: that one, not one to which it redirects. */
export function isAway(error: unknown, host: string): boolean {
  if (!(error instanceof ServiceError && error.cause instanceof Unreachable)) return false
  const { host: unreached } = error.cause
  return unreached !== undefined && bareHost(unreached) === bareHost(host)
}

/** Whether our own network failed. */
export function isCutOff(error: unknown): boolean {
  return error instanceof ServiceError && error.cause instanceof Unreachable && error.cause.cutOff
}

/** A host name in lower case, without the brackets of an address and the dot of the root. */
const bareHost = (host: string): string => host.toLowerCase().replace(/^\[|\]$|\.$/g, '')

/** Whether a connection broke, which may not happen again. Without a cause, we judged the site's answer ourselves. */
export function isBrokenOff(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'SCRAPE_SITE_ERROR') return false
  return error.cause !== undefined && !(error.cause instanceof EndlessRedirects || error.cause instanceof Unreachable)
}
