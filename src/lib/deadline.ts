import { anySignal } from './any-signal.ts'
import type { PausableClock } from './pausable-clock.ts'
import { longestTimer } from './sleep.ts'

/** A signal with an end of its own. `dispose` must be called when the work is over: it frees the timer and the listener. */
export interface Deadline {
  readonly signal: AbortSignal
  dispose(): void
}

/**
 * Combines a parent signal with a time limit of `ms`: the signal aborts with the parent's reason, or with `expired()` when the time is up
 * first. By a clock that can stand still, where one is given.
 */
export function deadline(parent: AbortSignal, ms: number, expired: () => Error, by?: Pick<PausableClock, 'after'>): Deadline {
  const controller = new AbortController()
  const onAbort = () => controller.abort(parent.reason)
  if (parent.aborted) onAbort()
  else if (ms <= 0) controller.abort(expired())
  if (controller.signal.aborted) return { signal: controller.signal, dispose: () => {} }
  const ring = (): void => controller.abort(expired())
  const timer = by === undefined ? setTimeout(ring, Math.min(ms, longestTimer)) : undefined
  const cancel = by?.after(ms, ring)
  parent.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    dispose() {
      clearTimeout(timer)
      cancel?.()
      parent.removeEventListener('abort', onAbort)
    },
  }
}

/** Something with an end, by a clock of its own where it has one. */
export interface Timed {
  readonly deadline: number
  readonly clock?: Pick<PausableClock, 'pausedMs' | 'after'>
}

/** Milliseconds that a call has left. */
export const timeLeft = ({ deadline: end, clock }: Timed, now: number): number => end + (clock?.pausedMs ?? 0) - now

/** A signal that aborts with the call's, or when `ms` more of the call's time have gone. */
export function within({ signal, clock }: Pick<Timed, 'clock'> & { readonly signal: AbortSignal }, ms: number): AbortSignal {
  if (clock === undefined) return anySignal(signal, timeLimit(ms))
  const late = new AbortController()
  // Its clock forgets it when the call is over.
  clock.after(ms, () => late.abort(new DOMException('The time that there was for this is up.', 'TimeoutError')))
  return anySignal(signal, late.signal)
}

/** A signal that aborts by itself: the platform's own takes no fractions of a millisecond, which halves and shares of times have, and nothing below nothing. */
export const timeLimit = (ms: number): AbortSignal => AbortSignal.timeout(Math.min(Math.max(0, Math.floor(ms)), longestTimer))

/** Waits for `work`, but no longer than the signal lasts; rejects with the signal's reason. The work itself goes on. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // Nobody will look at the outcome, not even at a failure.
    work.catch(() => {})
    throw signal.reason
  }
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
