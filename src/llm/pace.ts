import type { Call } from '../domain/call.ts'
import { sleep } from '../lib/sleep.ts'

/** The pace that a server allows: pages of jobs keep to it together, as each for itself they would all be refused. */
export interface Pace {
  /** Waits until a page of a job may ask, while its clock stands still; answers how to leave, with the pause that the server wants (null: it answered). Throws the reason of the call's signal. */
  enter(call: Call): Promise<(pauseMs: number | null) => void>
  /** Whether one that was refused is to wait and ask again: not for long pauses, nor where nobody was answered for long. */
  isWorthWaiting(pauseMs: number): boolean
}

export interface PaceOptions {
  readonly now: () => number
  /** Requests at once while nobody is refused. */
  readonly most: number
}

/** A longer pause is more than a limit by the minute. */
const longestPauseMs = 120_000
/** When nobody was answered for so long, nobody waits any more. */
const hopelessMs = 300_000
/** After a pause that the server does not name the next is asked for no sooner. */
const leastPauseMs = 250

/** Halves what goes out at once when the server refuses, and lets it grow with each answer. */
export function pace({ now, most }: PaceOptions): Pace {
  const waiting = new Set<() => void>()
  let places = most
  let inside = 0
  let pausedUntil = 0
  let refusedSince: number | null = null
  const isHopeless = (): boolean => refusedSince !== null && now() - refusedSince > hopelessMs

  function admit(): void {
    for (const go of waiting) {
      if (inside >= Math.floor(places) && !isHopeless()) return
      waiting.delete(go)
      inside++
      go()
    }
  }

  function place(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        waiting.delete(go)
        reject(signal.reason)
      }
      const go = (): void => {
        signal.removeEventListener('abort', stop)
        resolve()
      }
      signal.addEventListener('abort', stop, { once: true })
      waiting.add(go)
      admit()
    })
  }

  function refused(pauseMs: number, began: number): void {
    refusedSince ??= now()
    // Of those that were out together only the first tells something new.
    if (began >= pausedUntil) places = Math.max(1, places / 2)
    if (pauseMs <= longestPauseMs) pausedUntil = Math.max(pausedUntil, now() + Math.max(leastPauseMs, pauseMs))
  }

  return {
    async enter(call) {
      const goOn = call.rest?.begin()
      try {
        call.signal.throwIfAborted()
        await place(call.signal)
        try {
          for (let left = pausedUntil - now(); left > 0 && !isHopeless(); left = pausedUntil - now()) {
            await sleep(left, call.signal)
            call.signal.throwIfAborted()
          }
        } catch (error) {
          inside--
          admit()
          throw error
        }
      } finally {
        goOn?.()
      }
      const began = now()
      return (pauseMs) => {
        inside--
        if (pauseMs === null) {
          refusedSince = null
          places = Math.min(most, places + 1 / places)
        } else refused(pauseMs, began)
        admit()
      }
    },
    isWorthWaiting: (pauseMs) => pauseMs <= longestPauseMs && !isHopeless(),
  }
}
