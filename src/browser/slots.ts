/** A limited number of places, given to waiting teams in turns. */
export interface Slots {
  /** Waits for a place; answers the function that gives it back. Rejects with the signal's reason. */
  enter(team: string, signal: AbortSignal): Promise<() => void>
  readonly running: number
  readonly waiting: number
}

type Waiter = () => void

/** At most `places` at a time; within a team in order of arrival. */
export function slots(places: number): Slots {
  // A map keeps insertion order: the team served goes to the end.
  const queues = new Map<string, Set<Waiter>>()
  let running = 0

  function next(): void {
    const [entry] = queues
    if (entry === undefined || running >= places) return
    const [team, queue] = entry
    const [waiter] = queue
    queues.delete(team)
    if (waiter === undefined) return next()
    queue.delete(waiter)
    if (queue.size > 0) queues.set(team, queue)
    running++
    waiter()
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
    async enter(team, signal) {
      signal.throwIfAborted()
      const queue = queues.get(team) ?? new Set()
      queues.set(team, queue)
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => {
          queue.delete(waiter)
          if (queue.size === 0 && queues.get(team) === queue) queues.delete(team)
          reject(signal.reason)
        }
        const waiter = () => {
          signal.removeEventListener('abort', onAbort)
          resolve()
        }
        signal.addEventListener('abort', onAbort, { once: true })
        queue.add(waiter)
        next()
      })
      return leaving()
    },
    get running() {
      return running
    },
    get waiting() {
      return [...queues.values()].reduce((sum, queue) => sum + queue.size, 0)
    },
  }
}
