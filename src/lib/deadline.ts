import { once } from './once.ts'
import { anySignal } from './any-signal.ts'

/** Timers of Node fire at once for more than 31 bits. */
const longestTimer = 2 ** 31 - 1

/** A signal with an end of its own. `dispose` must be called when the work is over: it frees the timer and the listener. */
export interface Deadline {
  readonly signal: AbortSignal
  dispose(): void
}

/**
 * Combines a parent signal with a time limit of `ms`: the signal aborts with the parent's reason, or with `expired()` when the time is up
 * first. By a clock that can stand still, where one is given.
 */
export function deadline(parent: AbortSignal, ms: number, expired: () => Error, by?: Pick<Clock, 'after'>): Deadline {
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

/** A clock that can stand still. `dispose` ends it for good. */
export interface Clock {
  /** Stops it; the answer lets it go on. Stops may overlap: it goes on when the last has ended. */
  begin(): () => void
  /** Milliseconds that it has stood still. */
  readonly sum: number
  /** Rings when it has gone on for `ms`; the answer takes that back. */
  after(ms: number, ring: () => void): () => void
  dispose(): void
}

interface Alarm {
  /** By this clock. */
  readonly at: number
  readonly ring: () => void
  timer: NodeJS.Timeout | undefined
}

/** A clock that goes as `now` does as long as nobody stops it. */
export function clock(now: () => number): Clock {
  const alarms = new Set<Alarm>()
  let stops = 0
  let since = 0
  let before = 0
  let over = false
  const stood = (): number => before + (stops > 0 ? now() - since : 0)
  const set = (alarm: Alarm): void => {
    const ring = (): void => {
      alarms.delete(alarm)
      alarm.ring()
    }
    alarm.timer = setTimeout(ring, Math.min(Math.max(0, alarm.at - (now() - before)), longestTimer))
  }
  return {
    begin() {
      if (stops++ === 0) since = now()
      for (const { timer } of alarms) clearTimeout(timer)
      return once(() => {
        if (stops === 1) before = stood()
        if (--stops === 0) alarms.forEach(set)
      })
    },
    get sum() {
      return stood()
    },
    after(ms, ring) {
      const alarm: Alarm = { at: now() - stood() + ms, ring, timer: undefined }
      if (!over) alarms.add(alarm)
      if (!over && stops === 0) set(alarm)
      return () => {
        alarms.delete(alarm)
        clearTimeout(alarm.timer)
      }
    },
    dispose() {
      over = true
      for (const { timer } of alarms) clearTimeout(timer)
      alarms.clear()
    },
  }
}

/** Something with an end, by a clock of its own where it has one. */
export interface Timed {
  readonly deadline: number
  readonly rest?: Pick<Clock, 'sum' | 'after'>
}

/** Milliseconds that a call has left. */
export const timeLeft = ({ deadline: end, rest }: Timed, now: number): number => end + (rest?.sum ?? 0) - now

/** A signal that aborts with the call's, or when `ms` more of the call's time have gone. */
export function within({ signal, rest }: Pick<Timed, 'rest'> & { readonly signal: AbortSignal }, ms: number): AbortSignal {
  if (rest === undefined) return anySignal(signal, timeLimit(ms))
  const late = new AbortController()
  // Its clock forgets it when the call is over.
  rest.after(ms, () => late.abort(new DOMException('The time that there was for this is up.', 'TimeoutError')))
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
