/** Delays between the attempts at one delivery: so many after the first. */
export type RetrySchedule = readonly number[]

/** A receiver that asks for more time than this is asked again by then. */
const longestWaitMs = 3_600_000

/** When a delivery is to be tried again whose n-th attempt (from 1) has just failed, not before the time that the receiver asked for is over; null when that was the last. */
export function nextAttemptAt(schedule: RetrySchedule, attempt: number, { now, askedMs = 0 }: { readonly now: number; readonly askedMs?: number }): number | null {
  const delay = schedule[attempt - 1]
  return delay === undefined ? null : now + Math.max(delay, Math.min(askedMs, longestWaitMs))
}
