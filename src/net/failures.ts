import { ServiceError } from '../domain/errors.ts'

/** The `code` of a system error; '' when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** What of an error may be logged: its name and code. Network error messages contain addresses and URLs (R3, R26). */
export function nameless(error: unknown): Error {
  return new Error(error instanceof Error ? `${error.name} ${codeOf(error)}`.trim() : typeof error)
}

/**
 * The error to report for a failure on the wire: the signal's reason when it aborted the work, otherwise the site's fault.
 */
export function siteFailure(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted && signal.reason instanceof Error) return signal.reason
  if (error instanceof ServiceError) return error
  return new ServiceError('SCRAPE_SITE_ERROR', 'The site broke off its answer, or did not answer as a web server does.', { cause: nameless(error) })
}
