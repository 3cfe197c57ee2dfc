import { ServiceError } from '../../domain/errors.ts'
import { NoQuery, telemetry } from '../../spec/common.ts'
import type { Route } from '../../spec/routes.ts'
import { validate } from './validate.ts'

/** Throws `BAD_REQUEST` for a parameter that is given more than once, where only one of its values could count. */
function assertOnce(given: Readonly<Record<string, unknown>>): void {
  const details = Object.keys(given).filter((key) => Array.isArray(given[key])).map((key) => ({ code: 'custom', path: [key], message: `${key}: Given more than once` }))
  if (details[0] !== undefined) throw new ServiceError('BAD_REQUEST', `Bad Request: ${details[0].message}`, { details })
}

/**
 * The parsed query of a request; undefined when the route has none. Throws `BAD_REQUEST` for unknown keys, except labels
 * that clients add, and for known ones that are given more than once.
 */
export function queryOf(route: Pick<Route, 'access' | 'query'>, query: unknown): unknown {
  const given = Object.fromEntries(Object.entries(query ?? {}).filter(([key]) => !Object.hasOwn(telemetry, key)))
  // Caches and probes append keys of their own to the URLs of public routes.
  if (route.query === undefined && route.access !== 'key') return undefined
  const parsed = validate(route.query ?? NoQuery, Object.fromEntries(Object.entries(given).map(([key, value]) => [key, Array.isArray(value) ? value.at(-1) : value])))
  assertOnce(given)
  return route.query === undefined ? undefined : parsed
}
