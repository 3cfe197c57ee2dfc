import type { IncomingHttpHeaders } from 'node:http'
import { authenticate } from '../app/accounts.ts'
import { assertToken } from './token.ts'
import type { HttpOptions, HttpPorts } from './ports.ts'

/** The team that every request belongs to where keys are off. */
const defaultTeam = 'default'

/** The key of an Authorization header; null when there is none of the right form. */
export function bearer({ authorization }: IncomingHttpHeaders): string | null {
  return /^Bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1] ?? null
}

/** The team of whoever gives that key. Throws `UNAUTHORIZED`. */
export async function teamOf(given: string | null, ports: HttpPorts, options: HttpOptions): Promise<string> {
  if (!options.auth) return defaultTeam
  const key = await authenticate(given, ports.accounts)
  ports.keyUsed(key.id)
  return key.team
}

/** Lets only the holder of the metrics token pass, where there is one. Throws `UNAUTHORIZED`. */
export function assertMetricsToken(headers: IncomingHttpHeaders, options: HttpOptions): void {
  if (options.metricsToken !== null) assertToken(bearer(headers), options.metricsToken)
}
