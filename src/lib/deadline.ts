import { anySignal } from './any-signal.ts'
import type { PausableClock } from './pausable-clock.ts'
import { longestTimer } from './sleep.ts'

/** An abort signal with its own timer. Call `dispose` when the work is over, to free timer and listener. */
export interface Deadline {
  readonly signal: AbortSignal
  dispose(): void
}

/** Combines a parent signal with a limit of `ms`, measured by a pausable clock if one is given: aborts with the parent's reason, or with `expired()` once the time is up. */
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

/** Something with a deadline, measured by its own clock if it has one. */
export interface Timed {
  readonly deadline: number
  readonly clock?: Pick<PausableClock, 'pausedMs' | 'after'>
}

/** Milliseconds that a call has left. */
export const timeLeft = ({ deadline: end, clock }: Timed, now: number): number => end + (clock?.pausedMs ?? 0) - now

/** Another timer of the same deadline may ring this much earlier. */
const earlyMs = 50

/** Whether the time of a call is up, or so nearly that one of its timers may have rung. */
export const isUp = (call: Timed, now: number): boolean => timeLeft(call, now) <= earlyMs

/** A signal that aborts with the call's, or after `ms` more of the call's time. */
export function within({ signal, clock }: Pick<Timed, 'clock'> & { readonly signal: AbortSignal }, ms: number): AbortSignal {
  if (clock === undefined) return anySignal(signal, timeLimit(ms))
  const late = new AbortController()
  // Not disposed of: the call's clock drops it when the call ends.
  clock.after(ms, () => late.abort(new DOMException('The time that there was for this is up.', 'TimeoutError')))
  return anySignal(signal, late.signal)
}

/** A signal that aborts after `ms`. `AbortSignal.timeout` refuses fractions of a millisecond, which shares of a limit have, and negative numbers. */
export const timeLimit = (ms: number): AbortSignal => AbortSignal.timeout(Math.min(Math.max(0, Math.floor(ms)), longestTimer))

/** Waits for `work` until the signal aborts; then rejects with its reason. The work itself goes on. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // The outcome of the abandoned work is ignored, failures included.
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
