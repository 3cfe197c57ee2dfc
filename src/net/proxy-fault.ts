import { ServiceError } from '../domain/errors.ts'

/** The proxy's failure, never the site's. One message for all, which names no proxy. */
export function proxyFault(cause?: Error): ServiceError {
  return new ServiceError('SCRAPE_PROXY_SELECTION_ERROR', undefined, cause === undefined ? {} : { cause })
}

/** Whether an error says that another proxy might do. */
export function isProxyFault(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'SCRAPE_PROXY_SELECTION_ERROR'
}
