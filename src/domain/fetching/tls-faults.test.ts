import { expect, it } from 'vitest'
import { untrusted } from './tls-faults.ts'

it.each([
  ['InvalidCertificate(ExpiredContext { time: UnixTime(1795954771)', 'it has expired.'],
  ['InvalidCertificate(NotValidYetContext { time: UnixTime(1795954771)', 'it is not valid yet.'],
  ['InvalidCertificate(NotValidForNameContext', 'it is for another host.'],
  ['InvalidCertificate(UnknownIssuer)', 'its issuer is not trusted, or it has signed itself.'],
  ['InvalidCertificate(Other(OtherError(CaUsedAsEndEntity', 'its issuer is not trusted, or it has signed itself.'],
  ['ERR_CERT_DATE_INVALID', 'it has expired, or is not valid yet.'],
  ['ERR_CERT_COMMON_NAME_INVALID', 'it is for another host.'],
  ['ERR_CERT_AUTHORITY_INVALID', 'its issuer is not trusted, or it has signed itself.'],
  ['ERR_CERT_REVOKED', 'it was revoked, or whether it was is not known.'],
  ['ERR_CERT_WEAK_KEY', '`skipTlsVerification` is false.'],
])('names the fault of a certificate: %s', (named, words) => {
  const error = untrusted(named)
  expect([error.code, error.message.endsWith(words)]).toEqual(['SCRAPE_SSL_ERROR', true])
})
