import { ServiceError } from '../domain/errors.ts'

/** The `code` of a system error; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** What of an error may reach a log: kind and code. Messages of the network name addresses and URLs (R3, R26). */
export function nameless(error: unknown): Error {
  return new Error(error instanceof Error ? `${error.name} ${codeOf(error)}`.trim() : typeof error)
}

/** The failure to show for whatever went wrong on the wire: the signal's reason when it ended the work, else the site's fault. */
export function siteFailure(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted && signal.reason instanceof Error) return signal.reason
  if (error instanceof ServiceError) return error
  return new ServiceError('SCRAPE_SITE_ERROR', 'The site broke off its answer, or did not answer as a web server does.', { cause: nameless(error) })
}
