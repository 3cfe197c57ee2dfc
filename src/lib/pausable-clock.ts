import { once } from './once.ts'
import { longestTimer } from './sleep.ts'

/** A clock that can be paused. `dispose` stops it for good. */
export interface PausableClock {
  /** Pauses it; the answer resumes it. Pauses may overlap: it runs again when the last has ended. */
  pause(): () => void
  /** Milliseconds paused so far. */
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

/** A clock that follows `now`, except while paused. */
export function pausableClock(now: () => number): PausableClock {
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
    pause() {
      if (stops++ === 0) since = now()
      for (const { timer } of alarms) clearTimeout(timer)
      return once(() => {
        if (stops === 1) before = stood()
        if (--stops === 0) alarms.forEach(set)
      })
    },
    get pausedMs() {
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
