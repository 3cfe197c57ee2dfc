/** Delays between the attempts at one delivery: so many after the first. */
export type RetrySchedule = readonly number[]

/** When a delivery is to be tried again whose n-th attempt (from 1) has just failed; null when that was the last. */
export function nextAttemptAt(schedule: RetrySchedule, attempt: number, now: number): number | null {
  const delay = schedule[attempt - 1]
  return delay === undefined ? null : now + delay
}
