import type { HeldUp } from './held-up.ts'
import { once } from './once.ts'
import { longestTimer } from './sleep.ts'

/** A clock that can be paused. `dispose` stops it for good. */
export interface PausableClock {
  /** Pauses it; the answer resumes it. Pauses may overlap: it runs again when the last has ended. */
  pause(): () => void
  /** Milliseconds by which it is behind the time so far: for as long as it stood still, or the time was set forward. */
  readonly pausedMs: number
  /** Calls back once it has run for another `ms`, unless disposed of before; the answer cancels that. */
  after(ms: number, ring: () => void): () => void
  dispose(): void
}

interface Alarm {
  /** By this clock. */
  readonly at: number
  readonly ring: () => void
  timer: NodeJS.Timeout | undefined
}

/** A clock that runs as `steady` does, except while paused and, if `held` is given, while the thread is held up; `now` is the time that deadlines are in. */
export function pausableClock(now: () => number, held?: HeldUp, steady = now): PausableClock {
  const alarms = new Set<Alarm>()
  const heldMs = (): number => held?.ms ?? 0
  const unwatch = held?.watch()
  const began = now()
  let stops = 0
  /** How far it had run at the moment from which on it runs, or at which it stopped. */
  let since = { ran: 0, at: steady(), held: heldMs() }
  let over = false
  const ran = (): number => since.ran + (stops > 0 ? 0 : Math.max(0, steady() - since.at - (heldMs() - since.held)))
  const mark = (): void => void (since = { ran: ran(), at: steady(), held: heldMs() })
  const set = (alarm: Alarm): void => {
    const ring = (): void => {
      // Held up in the meantime.
      if (held !== undefined && alarm.at - ran() >= 1) return set(alarm)
      alarms.delete(alarm)
      alarm.ring()
    }
    alarm.timer = setTimeout(ring, Math.min(Math.max(0, alarm.at - ran()), longestTimer))
  }
  return {
    pause() {
      if (stops === 0) mark()
      stops++
      for (const { timer } of alarms) clearTimeout(timer)
      return once(() => {
        if (stops === 1) mark()
        if (--stops === 0 && !over) alarms.forEach(set)
      })
    },
    get pausedMs() {
      return now() - began - ran()
    },
    after(ms, ring) {
      const alarm: Alarm = { at: ran() + ms, ring, timer: undefined }
      if (!over) alarms.add(alarm)
      if (!over && stops === 0) set(alarm)
      return () => {
        alarms.delete(alarm)
        clearTimeout(alarm.timer)
      }
    },
    dispose() {
      over = true
      unwatch?.()
      for (const { timer } of alarms) clearTimeout(timer)
      alarms.clear()
    },
  }
}
