import { retryAfter } from '../../domain/politeness.ts'

/** Delays between the attempts at one delivery: so many after the first. */
export type RetrySchedule = readonly number[]

/** A receiver that asks for more time than this is asked again by then. */
const longestPauseMs = 3_600_000

/** Until when a receiver wants nothing, by the `Retry-After` of its answer; null where it does not say so. */
export function pauseUntil(header: string | undefined, now: number): number | null {
  const ms = Math.min(retryAfter(header, now), longestPauseMs)
  return ms === 0 ? null : now + ms
}

/** When a delivery is to be tried again whose n-th attempt (from 1) has just failed; null when that was the last. */
export function nextAttemptAt(schedule: RetrySchedule, attempt: number, now: number): number | null {
  const delay = schedule[attempt - 1]
  return delay === undefined ? null : now + delay
}
