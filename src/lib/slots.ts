import { fairQueue } from './fair-queue.ts'

/** Who waits for a place, and until when. */
export interface Waiter {
  readonly team: string
  readonly signal: AbortSignal
  /** Comes after all others. */
  readonly background?: boolean
  /** Its clock, which is paused while it waits. */
  readonly clock?: { pause(): () => void }
}

/** A limited number of places that waiting teams get in turns. */
export interface Slots {
  /** Waits for a place; returns the function that frees it. Rejects with the signal's reason. */
  enter(waiter: Waiter): Promise<() => void>
  readonly running: number
  readonly waiting: number
}

/** At most `places` at a time; first come, first served within a team. */
export function slots(places: number): Slots {
  const queue = fairQueue<() => void>()
  let running = 0

  function next(): void {
    if (running >= places) return
    const enter = queue.next()
    if (enter === null) return
    running++
    enter()
  }

  function leaving(): () => void {
    let left = false
    return () => {
      if (left) return
      left = true
      running--
      next()
    }
  }

  return {
    async enter({ team, signal, background, clock }) {
      signal.throwIfAborted()
      const goOn = clock?.pause()
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          queue.drop(team, start)
          reject(signal.reason)
        }
        const start = (): void => {
          signal.removeEventListener('abort', onAbort)
          resolve()
        }
        signal.addEventListener('abort', onAbort, { once: true })
        queue.push(team, start, background)
        next()
      }).finally(goOn)
      return leaving()
    },
    get running() {
      return running
    },
    get waiting() {
      return queue.size()
    },
  }
}
