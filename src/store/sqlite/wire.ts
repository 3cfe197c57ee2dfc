import { ServiceError, StoreAway, StoreDamaged, StoreRefusal } from '../../domain/errors.ts'

/** The start options of the writer thread. */
export interface ThreadStart {
  readonly file: string
  /** For tests: the commit after which the process dies. */
  readonly crashPoint: number | undefined
}

/** An operation for the writer thread, or the request to end. */
export type ToThread = { readonly kind: 'run'; readonly id: number; readonly name: string; readonly args: readonly unknown[] } | { readonly kind: 'close' }

/** One answer of the thread. */
export type Answer = { readonly id: number; readonly ok: true; readonly value: unknown } | { readonly id: number; readonly ok: false; readonly error: WireError }

/** Messages of the thread: it is open, or the answers of one commit. */
export type FromThread = { readonly kind: 'open' } | { readonly kind: 'answers'; readonly answers: readonly Answer[] }

/** An error as data, since cloning drops the class and fields of an error. */
export interface WireError {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly code: string | undefined
  readonly details: unknown
  readonly retryAfterSeconds: number | undefined
  readonly cause: WireError | undefined
}

/** Serialises an error for the thread boundary. */
export function encodeError(error: unknown): WireError {
  if (!(error instanceof Error)) return { ...nothing, name: 'Error', message: String(error) }
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    code: 'code' in error && typeof error.code === 'string' ? error.code : undefined,
    details: error instanceof ServiceError ? error.details : undefined,
    retryAfterSeconds: error instanceof ServiceError ? error.retryAfterSeconds : undefined,
    cause: error.cause === undefined ? undefined : encodeError(error.cause),
  }
}

const nothing = { stack: undefined, code: undefined, details: undefined, retryAfterSeconds: undefined, cause: undefined }

/** Rebuilds an error, with the classes that callers tell apart. */
export function decodeError(wire: WireError): Error {
  const error = rebuilt(wire)
  if (wire.stack !== undefined) error.stack = wire.stack
  return error
}

function rebuilt(wire: WireError): Error {
  if (wire.name === 'ServiceError') return serviceError(wire)
  if (wire.name === 'StoreRefusal') return new StoreRefusal(plainError(wire))
  if (wire.name === 'StoreDamaged') return new StoreDamaged(plainError(wire))
  return wire.name === 'StoreAway' ? new StoreAway(plainError(wire)) : plainError(wire)
}

function serviceError({ code, message, details, retryAfterSeconds, cause }: WireError): ServiceError {
  const known = code as ServiceError['code'] // `encodeError` took it from a ServiceError of this program
  return new ServiceError(known, message, { details, ...(cause && { cause: decodeError(cause) }), ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) })
}

function plainError({ name, code, message, cause }: WireError): Error {
  const error = new Error(message, cause && { cause: decodeError(cause) })
  return Object.assign(error, { name }, code !== undefined && { code })
}
