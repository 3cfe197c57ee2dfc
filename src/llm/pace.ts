import type { Call } from '../domain/call.ts'
import { sleep } from '../lib/sleep.ts'

/** The pace that a server allows. Pages of jobs share it, because each on its own would be refused. */
export interface Pace {
  /**
   * Waits until a page of a job may ask; the call's clock stands still meanwhile. Returns a function to call at the end of
   * the request. Throws the reason of the call's signal.
   */
  enter(call: Call): Promise<(how: Leaving) => void>
  /**
   * Whether a request that has left as refused should wait and ask again: not for long pauses, nor when no request has
   * succeeded for long.
   */
  isWorthWaiting(pauseMs: number): boolean
}

/**
 * How a request ended: it was answered (or failed for its own reasons), it was late, or the server wants a pause of that
 * many milliseconds.
 */
export type Leaving = 'answered' | 'late' | number

export interface PaceOptions {
  readonly now: () => number
  readonly most: number
  /**
   * An answer that takes longer than this has waited for others, so the number of places does not grow; twice as long
   * counts as too slow.
   */
  readonly slowMs: number
}

/** A running request: when it began, and how often places had been reduced by then. */
interface Out {
  readonly began: number
  readonly known: number
}

/** Initial number of places: a local server may answer one request at a time. */
const first = 4

/** Longest pause to wait for; a longer one is more than a per-minute limit. */
const longestPauseMs = 120_000
/** When no request has succeeded for this long, nobody waits any more. */
const hopelessMs = 300_000
/** Shortest pause before the next request when the server names none. */
const leastPauseMs = 250

/**
 * The number of concurrent requests doubles while answers are quick, and grows slowly once one was slow or refused; each
 * refusal halves it.
 */
export function pace({ now, most, slowMs }: PaceOptions): Pace {
  const waiting = new Set<() => void>()
  let places = Math.min(first, most)
  let doubling = true
  let shrinks = 0
  let inside = 0
  let pausedUntil = 0
  let refusedSince: number | null = null
  let refusedLast = 0
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
    // Of requests that ran at the same time, only the first failure is news.
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
    // A server that nobody asked for as long may answer again: what it refused before tells no more.
    if (refusedSince === null || out.began - refusedLast > hopelessMs) refusedSince = now()
    refusedLast = now()
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
