import type { BrowserContext } from 'playwright-core'
import { expect, it } from 'vitest'
import { ServiceError, Unreachable } from '../../domain/errors.ts'
import { rememberCredentials } from '../protocol/proxy-auth.ts'
import { documentFault } from './faults.ts'

const contextWhere = (failure: ServiceError | null): BrowserContext => {
  const context = {} as BrowserContext // only known by its identity
  rememberCredentials(context, { username: 'u', password: 'p', failureOf: () => failure })
  return context
}
const connection = (message: string): ServiceError => new ServiceError('SCRAPE_SITE_ERROR', undefined, { cause: new Unreachable(message) })
const refusal = { request: { url: 'http://site.example/' }, responseErrorReason: 'Failed' }

it('tells why a document did not come in the words of the browser', () => {
  const faults = [new ServiceError('FORBIDDEN'), new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR'), connection('Error ECONNREFUSED'), connection('Error EHOSTUNREACH'), connection('no connection in time'), connection(''), null].map((failure) => documentFault(contextWhere(failure), refusal))
  expect(faults).toEqual(['BlockedByClient', 'NameNotResolved', 'ConnectionRefused', 'AddressUnreachable', 'TimedOut', 'ConnectionFailed', 'ConnectionClosed'])
})

it('leaves the answers of sites and the failures of TLS as they are', () => {
  const context = contextWhere(null)
  for (const url of ['http://site.example/', 'https://site.example/']) expect(documentFault(context, { request: { url } })).toBeNull()
  expect(documentFault(context, { request: { url: 'https://site.example/' }, responseErrorReason: 'Failed' })).toBeNull()
  expect(documentFault(contextWhere(connection('Error ECONNREFUSED')), { request: { url: 'https://site.example/' }, responseErrorReason: 'InternetDisconnected' })).toBeNull()
})
