import { once } from './once.ts'

/** A signal with an end of its own. `dispose` must be called when the work is over: it frees the timer and the listener. */
export interface Deadline {
  readonly signal: AbortSignal
  dispose(): void
}

/** Combines a parent signal with a time limit of `ms`: the signal aborts with the parent's reason, or with `expired()` when the time is up first. */
export function deadline(parent: AbortSignal, ms: number, expired: () => Error): Deadline {
  const controller = new AbortController()
  const onAbort = () => controller.abort(parent.reason)
  if (parent.aborted) onAbort()
  else if (ms <= 0) controller.abort(expired())
  if (controller.signal.aborted) return { signal: controller.signal, dispose: () => {} }
  // setTimeout fires at once for more than 31 bits.
  const timer = setTimeout(() => controller.abort(expired()), Math.min(ms, 2 ** 31 - 1))
  parent.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    dispose() {
      clearTimeout(timer)
      parent.removeEventListener('abort', onAbort)
    },
  }
}

/** A time limit whose clock can be stopped. `dispose` ends it for good. */
export interface Clock {
  /** Stops it; the answer lets it go on. */
  begin(): () => void
  /** Milliseconds that it has stood still. */
  readonly sum: number
  dispose(): void
}

/** Calls `expired` when the clock has gone on for `ms`. Stops may overlap: it goes on when the last has ended. */
export function clock(expired: () => void, ms: number, now: () => number): Clock {
  let until = now() + ms
  let timer = setTimeout(expired, ms)
  let stops = 0
  let since = 0
  let sum = 0
  let over = false
  return {
    begin() {
      if (stops++ === 0) since = now()
      clearTimeout(timer)
      return once(() => {
        if (--stops > 0) return
        const stood = now() - since
        sum += stood
        until += stood
        if (!over) timer = setTimeout(expired, Math.max(0, until - now()))
      })
    },
    get sum() {
      return sum
    },
    dispose() {
      over = true
      clearTimeout(timer)
    },
  }
}

/** A signal that aborts by itself: the platform's own takes no fractions of a millisecond, which halves and shares of times have, and nothing below nothing. */
export const timeLimit = (ms: number): AbortSignal => AbortSignal.timeout(Math.min(Math.max(0, Math.floor(ms)), 2 ** 31 - 1))

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
