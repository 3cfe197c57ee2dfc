import { ServiceError } from '../domain/errors.ts'
import type { RateLimit, Rates } from '../domain/teams/rates.ts'
import { nearest } from '../lib/nearest.ts'
import { type RouteName, routes } from '../spec/routes.ts'
import { namesOfKind } from '../spec/same-routes.ts'

/** Who makes a request. */
export interface Asking {
  readonly team: string
  /** Null where keys are off. */
  readonly key: { readonly id: string; readonly rates: Rates } | null
}

/** Where a caller stands against a limit, for the `RateLimit-…` headers. */
export interface RateState {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
  /** Set when the request exceeds the limit; such a request is not counted. */
  readonly refused: ServiceError | null
}

/** Counts the requests of keys and teams against their rates. */
export interface RateLimits {
  /** Counts a request; returns the tightest limit, null if there is none. */
  count(asking: Asking, kind: string): RateState | null
}

/** The limits of each key, and those that all keys of a team share. */
export interface RateTerms {
  readonly each: Rates
  readonly ofTeam: (team: string) => Rates
  readonly now: () => number
}

const limitIn = (rates: Rates | undefined, names: readonly string[]): RateLimit | undefined => names.map((name) => rates?.get(name)).find((limit) => limit !== undefined)

const isAtOdds = ([first, ...others]: readonly RateLimit[]): boolean => others.some(({ limit, windowMs }) => limit !== first?.limit || windowMs !== first.windowMs)

/** Throws `BAD_REQUEST` for a limit on a kind of request that does not exist, and for different limits on one kind. */
export function assertKinds(rates: Rates): void {
  const kinds = (Object.keys(routes) as RouteName[]).filter((name) => routes[name].access === 'key') // keys of the table
  const unknown = [...rates.keys()].find((kind) => !kinds.some((name) => name === kind))
  const twice = [...rates.keys()].find((kind) => isAtOdds(namesOfKind(kind).flatMap((name) => rates.get(name) ?? [])))
  if (unknown === undefined && twice !== undefined) throw new ServiceError('BAD_REQUEST', `These are the same requests under two paths: ${namesOfKind(twice).join(', ')}. Give them one limit.`)
  if (unknown === undefined) return
  const near = nearest(unknown, kinds)
  throw new ServiceError('BAD_REQUEST', `There are no requests of the kind "${unknown}"${near === null ? ': kinds are the names of the routes in docs/api.md that need a key.' : `; did you mean ${near}?`}`)
}

/** The limit that leaves least; of several, the one that opens last: who comes back before it does is refused again. */
const tightest = (states: readonly RateState[]): RateState | null => states.toSorted((a, b) => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds)[0] ?? null

/** Fixed windows per key and kind, and per team and kind, counted in this process. */
export function rateLimits({ each, ofTeam, now }: RateTerms): RateLimits {
  const windows = new Map<string, { start: number; used: number }>()

  function windowOf(key: string, { windowMs }: RateLimit): { start: number; used: number } {
    const current = windows.get(key)
    if (current !== undefined && now() - current.start < windowMs) return current
    const fresh = { start: now(), used: 0 }
    windows.set(key, fresh)
    return fresh
  }

  return {
    count({ team, key }, asked) {
      const names = namesOfKind(asked)
      const [kind] = names
      const own = limitIn(key?.rates, names) ?? limitIn(each, names)
      const shared = limitIn(ofTeam(team), names)
      const limits = [...(own === undefined ? [] : [{ rate: own, name: `${kind} key ${key?.id ?? team}`, whose: 'with this key' }]), ...(shared === undefined ? [] : [{ rate: shared, name: `${kind} team ${team}`, whose: 'of the team' }])]
      const states = limits.map(({ rate, name, whose }) => {
        const window = windowOf(name, rate)
        const resetSeconds = Math.max(1, Math.ceil((window.start + rate.windowMs - now()) / 1000))
        const full = window.used >= rate.limit
        const refused = full ? new ServiceError('RATE_LIMITED', `At most ${rate.limit} ${kind} requests ${whose} per ${rate.windowMs / 1000} seconds.`, { retryAfterSeconds: resetSeconds }) : null
        return { window, state: { limit: rate.limit, remaining: full ? 0 : rate.limit - window.used - 1, resetSeconds, refused } }
      })
      const refusing = states.filter(({ state }) => state.refused !== null)
      if (refusing.length === 0) for (const { window } of states) window.used += 1
      return tightest((refusing.length === 0 ? states : refusing).map(({ state }) => state))
    },
  }
}
