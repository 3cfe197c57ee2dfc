import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError, StoreAway, storeAwayError } from '../domain/errors.ts'
import type { ErrorCode } from '../spec/errors.ts'
import { limits } from '../spec/limits.ts'
import type { Log } from './ports.ts'

/** The codes with which Fastify and Node report failures before a handler runs. */
const known: Readonly<Record<string, readonly [ErrorCode, string?]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json, uncompressed.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['BAD_REQUEST', 'The body does not have the length that its header says.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['BAD_REQUEST_INVALID_JSON'],
  FST_ERR_BAD_URL: ['BAD_REQUEST', 'The path is not a valid URL.'],
  FST_ERR_MAX_PARAM_LENGTH: ['NOT_FOUND'],
  FST_ERR_NOT_FOUND: ['NOT_FOUND'],
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', `The request headers are larger than ${limits.headerBytes / 1024} KiB.`],
  ERR_HTTP_REQUEST_TIMEOUT: ['BAD_REQUEST', 'The request did not arrive in time.'],
}

/** Converts any failure to the one error that callers see; internal errors reveal nothing (R17). */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof StoreAway) return storeAwayError(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const row = known[code]
  if (row !== undefined) return new ServiceError(row[0], row[1], { cause: error })
  if (code.startsWith('HPE_')) return new ServiceError('BAD_REQUEST', 'The request is not valid HTTP.', { cause: error })
  return new ServiceError('UNKNOWN_ERROR', undefined, { cause: error })
}

/** The wire form of an error (contract §1.2); `BAD_REQUEST` always lists its problems, as clients go through the list. */
export function errorBody(error: ServiceError, requestId: string): Record<string, unknown> {
  const { code, message } = error
  const details = error.details ?? (code === 'BAD_REQUEST' ? [{ code: 'custom', path: [], message }] : undefined)
  return { success: false, code, error: message, ...(details === undefined ? {} : { details }), requestId }
}

/** The headers of an error response. */
export function errorHeaders(error: ServiceError): Record<string, string> {
  const waits = error.status === 429 || error.status === 503 || error.retryAfterSeconds !== undefined
  return {
    ...(waits ? { 'retry-after': String(error.retryAfterSeconds ?? 1) } : {}),
    ...(error.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  }
}

/** A failure as written to the log. */
export const causeOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** Whether to log the cause of an error, which callers cannot report. */
export const isForLog = (error: ServiceError): boolean => error.code === 'UNKNOWN_ERROR' || error.cause instanceof StoreAway

/** Sends an error; internal failures and those of the store are logged with their cause. */
export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  // The client disconnected while sending its body: nobody would receive the error.
  const left = thrown !== null && thrown === request.raw.errored
  const error = left ? new ServiceError('BAD_REQUEST', 'The request did not arrive whole.', { cause: thrown }) : asServiceError(thrown)
  if (left) log('info', 'request-left', { requestId: request.id })
  else if (isForLog(error)) log('error', 'request-failed', { requestId: request.id, cause: causeOf(error.cause) })
  request.errorCode = error.code
  // It names a file that an export was to be; what comes in its place is none.
  void reply.removeHeader('content-disposition')
  // Set here, too: requests that the router rejects have not passed the hook that sets it.
  void reply.code(error.status).headers({ ...errorHeaders(error), 'x-request-id': request.id }).type('application/json; charset=utf-8').send(JSON.stringify(errorBody(error, request.id)))
}
