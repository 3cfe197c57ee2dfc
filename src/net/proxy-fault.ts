import { ServiceError } from '../domain/errors.ts'

/** The error for a failure of the proxy rather than the site. The same message for all, which names no proxy. */
export function proxyFault(cause?: Error): ServiceError {
  return new ServiceError('SCRAPE_PROXY_SELECTION_ERROR', undefined, cause === undefined ? {} : { cause })
}
