import { fairQueue } from './fair-queue.ts'

/** A limited number of places, given to waiting teams in turns. */
export interface Slots {
  /** Waits for a place, in the background after all others; answers the function that gives it back. Rejects with the signal's reason. */
  enter(team: string, signal: AbortSignal, background?: boolean): Promise<() => void>
  readonly running: number
  readonly waiting: number
}

/** Of so many places one goes to the background where both wait: it is slow then, but never stands still. */
const share = 5

/** At most `places` at a time; within a team in order of arrival. */
export function slots(places: number): Slots {
  const front = fairQueue<() => void>()
  const back = fairQueue<() => void>()
  let running = 0
  /** Places that went to others while the background waited. */
  let passed = 0

  function chosen(): (() => void) | null {
    if (front.size() === 0 || (back.size() > 0 && passed >= share - 1)) {
      passed = 0
      return back.next()
    }
    if (back.size() > 0) passed++
    return front.next()
  }

  function next(): void {
    if (running >= places) return
    const enter = chosen()
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
    async enter(team, signal, background = false) {
      const queue = background ? back : front
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
        queue.push(team, waiter)
        next()
      })
      return leaving()
    },
    get running() {
      return running
    },
    get waiting() {
      return front.size() + back.size()
    },
  }
}
