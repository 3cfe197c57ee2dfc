import { NoQuery, telemetry } from '../spec/common.ts'
import type { Route } from '../spec/routes.ts'
import { validate } from './validate.ts'

/** What a route takes of the query of a request; undefined where it takes none. Throws `BAD_REQUEST` for unknown keys, but labels of clients. */
export function queryOf(route: Pick<Route, 'access' | 'query'>, query: unknown): unknown {
  const given = Object.fromEntries(Object.entries(query ?? {}).filter(([key]) => !Object.hasOwn(telemetry, key)))
  if (route.query !== undefined) return validate(route.query, given)
  // Caches and probes append keys of their own to what anybody may open.
  if (route.access === 'key') validate(NoQuery, given)
  return undefined
}
