import { retryAfter } from '../../domain/fetching/politeness.ts'
import { longestPauseMs } from '../../domain/jobs/outbox.ts'

/** The delays before the second and further attempts at a delivery. */
export type RetrySchedule = readonly number[]

/** Until when a receiver accepts nothing, by the `Retry-After` of its response; null without that. */
export function pauseUntil(header: string | undefined, now: number): number | null {
  const ms = Math.min(retryAfter(header, now), longestPauseMs)
  return ms === 0 ? null : now + ms
}

/** When to retry a delivery whose n-th attempt (from 1) has just failed; null when that was the last. */
export function nextAttemptAt(schedule: RetrySchedule, attempt: number, now: number): number | null {
  const delay = schedule[attempt - 1]
  return delay === undefined ? null : now + delay
}
