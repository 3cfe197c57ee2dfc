import type { Call } from '../domain/call.ts'
import { sleep } from '../lib/sleep.ts'

/** The pace that a server allows: pages of jobs keep to it together, as each for itself they would all be refused. */
export interface Pace {
  /** Waits until a page of a job may ask, while its clock stands still; answers how to leave. Throws the reason of the call's signal. */
  enter(call: Call): Promise<(how: Leaving) => void>
  /** Whether one that was refused is to wait and ask again: not for long pauses, nor where nobody was answered for long. */
  isWorthWaiting(pauseMs: number): boolean
}

/** It answered (or did not, for reasons of its own), it did not answer in time, or it wants a pause of so many milliseconds first. */
export type Leaving = 'answered' | 'late' | number

export interface PaceOptions {
  readonly now: () => number
  readonly most: number
  /** An answer that takes longer waited for others: no more are asked for at once. Twice as long is too long. */
  readonly slowMs: number
}

/** A request under way: since when, and how often the places had become fewer then. */
interface Out {
  readonly began: number
  readonly known: number
}

/** At first: a server on a machine of one's own may answer one after the other. */
const first = 4

/** A longer pause is more than a limit by the minute. */
const longestPauseMs = 120_000
/** When nobody was answered for so long, nobody waits any more. */
const hopelessMs = 300_000
/** After a pause that the server does not name the next is asked for no sooner. */
const leastPauseMs = 250

/** What goes out at once doubles while answers come soon, and grows slowly once one was slow or refused; each refusal halves it. */
export function pace({ now, most, slowMs }: PaceOptions): Pace {
  const waiting = new Set<() => void>()
  let places = Math.min(first, most)
  let doubling = true
  let shrinks = 0
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

  function shrink(share: number, { known }: Out): void {
    doubling = false
    // Of those that were out together only the first tells something new.
    if (known < shrinks) return
    shrinks++
    places = Math.max(1, places * share)
  }

  function answered(out: Out): void {
    refusedSince = null
    const took = now() - out.began
    if (took > slowMs * 2) shrink(0.75, out)
    else if (took > slowMs) doubling = false
    else places = Math.min(most, places + (doubling ? 1 : 1 / places))
  }

  function refused(pauseMs: number, out: Out): void {
    refusedSince ??= now()
    shrink(0.5, out)
    if (pauseMs <= longestPauseMs) pausedUntil = Math.max(pausedUntil, now() + Math.max(leastPauseMs, pauseMs))
  }

  return {
    async enter(call) {
      const goOn = call.clock?.pause()
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
      const out: Out = { began: now(), known: shrinks }
      return (how) => {
        inside--
        if (how === 'answered') answered(out)
        else if (how === 'late') shrink(0.5, out)
        else refused(how, out)
        admit()
      }
    },
    isWorthWaiting: (pauseMs) => pauseMs <= longestPauseMs && !isHopeless(),
  }
}
