import { NoQuery, telemetry } from '../../spec/common.ts'
import type { Route } from '../../spec/routes.ts'
import { validate } from './validate.ts'

/**
 * The parsed query of a request; undefined when the route has none. Throws `BAD_REQUEST` for unknown keys, except labels
 * that clients add.
 */
export function queryOf(route: Pick<Route, 'access' | 'query'>, query: unknown): unknown {
  const given = Object.fromEntries(Object.entries(query ?? {}).filter(([key]) => !Object.hasOwn(telemetry, key)))
  if (route.query !== undefined) return validate(route.query, given)
  // Caches and probes append keys of their own to the URLs of public routes.
  if (route.access === 'key') validate(NoQuery, given)
  return undefined
}
