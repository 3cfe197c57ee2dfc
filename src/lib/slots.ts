import { fairQueue } from './fair-queue.ts'

/** A limited number of places, given to waiting teams in turns. */
export interface Slots {
  /** Waits for a place, in the background after others; answers the function that gives it back. Rejects with the signal's reason. */
  enter(team: string, signal: AbortSignal, background?: boolean): Promise<() => void>
  readonly running: number
  readonly waiting: number
}

/** At most `places` at a time; within a team in order of arrival. */
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
    async enter(team, signal, background) {
      signal.throwIfAborted()
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          queue.drop(team, waiter)
          reject(signal.reason)
        }
        const waiter = (): void => {
          signal.removeEventListener('abort', onAbort)
          resolve()
        }
        signal.addEventListener('abort', onAbort, { once: true })
        queue.push(team, waiter, background)
        next()
      })
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
