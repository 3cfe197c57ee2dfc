import { ServiceError } from '../errors.ts'

/** Why there was no encrypted connection to a site, whatever its certificate is worth. */
export const tlsFaults = {
  handshake: 'The site and this service found no way to encrypt the connection: it refused the TLS handshake, wants an old version of TLS, or does not speak TLS on this port.',
  visitorCertificate: 'The site wants a TLS certificate of its visitors, which this service has none of.',
  closedAtOnce: 'The site closed the connection as soon as it was encrypted, before it was asked for anything, as one does that wants a TLS certificate of its visitors.',
} as const // `const`: these texts and no others

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
