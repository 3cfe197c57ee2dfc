import { ServiceError } from '../domain/errors.ts'

/** Requests of one kind that a team may make per window. */
export interface RateLimit {
  readonly limit: number
  readonly windowMs: number
}

/** Where a team stands after a request, for the `RateLimit-…` headers. */
export interface RateState {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

export interface RateLimits {
  /** Counts a request; null where no limit is configured. Throws `RATE_LIMITED`. */
  count(team: string, kind: string): RateState | null
}

/** Fixed windows per team and kind, counted in this process. */
export function rateLimits(limits: ReadonlyMap<string, RateLimit>, now: () => number): RateLimits {
  const windows = new Map<string, { start: number; used: number }>()

  function windowOf(key: string, rate: RateLimit): { start: number; used: number } {
    const current = windows.get(key)
    if (current !== undefined && now() - current.start < rate.windowMs) return current
    const fresh = { start: now(), used: 0 }
    windows.set(key, fresh)
    return fresh
  }

  return {
    count(team, kind) {
      const rate = limits.get(kind)
      if (rate === undefined) return null
      const window = windowOf(`${kind} ${team}`, rate)
      const resetSeconds = Math.max(1, Math.ceil((window.start + rate.windowMs - now()) / 1000))
      if (window.used >= rate.limit) {
        throw new ServiceError('RATE_LIMITED', `At most ${rate.limit} ${kind} requests per ${rate.windowMs / 1000} seconds.`, { retryAfterSeconds: resetSeconds })
      }
      window.used += 1
      return { limit: rate.limit, remaining: rate.limit - window.used, resetSeconds }
    },
  }
}
