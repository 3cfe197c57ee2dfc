import { ServiceError } from '../errors.ts'

/** What clients and browsers call the faults of certificates. */
const faults: readonly (readonly [name: RegExp, words: string])[] = [
  [/revo(?:ked|cation)/i, 'it was revoked, or whether it was is not known'],
  [/NotValidYet/, 'it is not valid yet'],
  [/Expired/, 'it has expired'],
  [/DATE_INVALID/, 'it has expired, or is not valid yet'],
  [/NotValidForName|COMMON_NAME_INVALID/, 'it is for another host'],
  [/UnknownIssuer|CaUsedAsEndEntity|AUTHORITY_INVALID/, 'its issuer is not trusted, or it has signed itself'],
]

/** The error for a certificate that did not verify, by what the client or the browser calls its fault. */
export function untrusted(named: string): ServiceError {
  const words = faults.find(([name]) => name.test(named))?.[1]
  return new ServiceError('SCRAPE_SSL_ERROR', words === undefined ? undefined : `The certificate of the site did not verify, and \`skipTlsVerification\` is false: ${words}.`)
}
