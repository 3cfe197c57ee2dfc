import type { IncomingHttpHeaders } from 'node:http'
import { authenticate } from '../app/accounts.ts'
import type { Asking } from '../app/rate-limits.ts'
import { ServiceError } from '../domain/errors.ts'
import { defaultTeam } from '../domain/teams/accounts.ts'
import { parseRates } from '../domain/teams/rates.ts'
import { isToken } from './token.ts'
import type { HttpOptions, HttpPorts } from './ports.ts'
import { urlOf } from '../lib/url-of.ts'

/** The key in an Authorization header; null without a valid one. */
export function bearer({ authorization }: IncomingHttpHeaders): string | null {
  return /^Bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1] ?? null
}

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** The host name of a URL; empty if it is invalid. */
const hostOf = (url: string): string => urlOf(url)?.hostname ?? ''

/**
 * Without keys, a web page in the operator's own browser must not gain access, neither by DNS rebinding nor by cross-origin
 * requests.
 */
function assertOwnPage({ host, origin }: IncomingHttpHeaders, { publicUrl }: HttpOptions): void {
  const isOurs = (name: string): boolean => loopback.test(name) || (publicUrl !== null && name === hostOf(publicUrl))
  if (isOurs(hostOf(`http://${host ?? ''}`)) && (origin === undefined || isOurs(hostOf(origin)))) return
  throw new ServiceError('FORBIDDEN', 'With TRAWL_AUTH=off, requests must name a loopback address or TRAWL_PUBLIC_URL as their host, and may not come from the pages of other sites.')
}

/** The team and key of a request. Throws `UNAUTHORIZED`; when keys are off, `FORBIDDEN`. */
export async function askerOf(given: string | null, headers: IncomingHttpHeaders, { ports, options }: { readonly ports: HttpPorts; readonly options: HttpOptions }): Promise<Asking> {
  if (!options.auth) {
    assertOwnPage(headers, options)
    return { team: defaultTeam, key: null }
  }
  const key = await authenticate(given, ports.accounts)
  ports.keyUsed(key.id)
  return { team: key.team, key: { id: key.id, rates: parseRates(key.terms.rates ?? 'off') } }
}

/** Throws `UNAUTHORIZED` unless the request has the metrics token, if one is set. */
export function assertMetricsToken(headers: IncomingHttpHeaders, { metricsToken }: Pick<HttpOptions, 'metricsToken'>): void {
  const given = bearer(headers)
  if (metricsToken === null || (given !== null && isToken(given, metricsToken))) return
  throw new ServiceError('UNAUTHORIZED', 'API keys do not open the metrics: send the token of TRAWL_METRICS_TOKEN as "Authorization: Bearer <token>". Beyond loopback nobody gets them while that is not set.')
}
