/** Somebody who waits for a turn. */
export interface Waiter {
  readonly start: () => void
}

/** Waiters of many teams, teams taking turns. */
export interface FairQueue {
  push(team: string, waiter: Waiter): void
  drop(team: string, waiter: Waiter): void
  /** Takes out the waiter whose turn it is among the teams that may; null when there is none. */
  next(may: (team: string) => boolean): Waiter | null
  size(): number
}

/** A map keeps insertion order, so the team served last goes to the end. */
export function fairQueue(): FairQueue {
  const queues = new Map<string, Set<Waiter>>()
  let size = 0
  const drop = (team: string, waiter: Waiter): void => {
    const queue = queues.get(team)
    if (queue?.delete(waiter)) size -= 1
    if (queue?.size === 0) queues.delete(team)
  }
  return {
    push(team, waiter) {
      queues.set(team, (queues.get(team) ?? new Set()).add(waiter))
      size += 1
    },
    drop,
    next(may) {
      for (const [team, queue] of queues) {
        const [waiter] = queue
        if (waiter === undefined || !may(team)) continue
        drop(team, waiter)
        queues.delete(team)
        if (queue.size > 0) queues.set(team, queue)
        return waiter
      }
      return null
    },
    size: () => size,
  }
}
