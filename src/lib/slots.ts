import { fairQueue } from './fair-queue.ts'
import { hasRoom, teamCounts } from './team-counts.ts'

/** Who waits for a place, and until when. */
export interface Waiter {
  readonly team: string
  readonly signal: AbortSignal
  /** Comes after all others, except every fifth turn. */
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

/** At most `places` at a time, and `spare` more for teams that have none; first come, first served within a team. */
export function slots(places: number, spare = 0): Slots {
  const queue = fairQueue<() => void>()
  const running = teamCounts()
  const isFree = (team: string): boolean => hasRoom(running, { places, spare }, team)

  function leaving(team: string): () => void {
    let left = false
    return () => {
      if (left) return
      left = true
      running.add(team, -1)
      queue.next(isFree)?.()
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
          running.add(team, 1)
          signal.removeEventListener('abort', onAbort)
          resolve()
        }
        signal.addEventListener('abort', onAbort, { once: true })
        queue.push(team, start, background)
        queue.next(isFree)?.()
      }).finally(goOn)
      return leaving(team)
    },
    get running() {
      return running.sum()
    },
    get waiting() {
      return queue.size()
    },
  }
}
