/** Things of many teams that wait, teams taking turns. */
export interface FairQueue<T extends object> {
  push(team: string, item: T): void
  /** Whether it was waiting. */
  drop(team: string, item: T): boolean
  /** Takes out the item whose turn it is among the teams that may; null when there is none. */
  next(may?: (team: string) => boolean): T | null
  /** Takes out all. */
  clear(): readonly T[]
  size(): number
}

/** A map keeps insertion order, so the team served last goes to the end. */
export function fairQueue<T extends object>(): FairQueue<T> {
  const queues = new Map<string, Set<T>>()
  let size = 0
  const drop = (team: string, item: T): boolean => {
    const queue = queues.get(team)
    if (queue?.delete(item) !== true) return false
    size -= 1
    if (queue.size === 0) queues.delete(team)
    return true
  }
  const next: FairQueue<T>['next'] = (may = () => true) => {
    for (const [team, queue] of queues) {
      const [item] = queue
      if (item === undefined || !may(team)) continue
      drop(team, item)
      queues.delete(team)
      if (queue.size > 0) queues.set(team, queue)
      return item
    }
    return null
  }
  return {
    push(team, item) {
      queues.set(team, (queues.get(team) ?? new Set()).add(item))
      size += 1
    },
    drop,
    next,
    clear() {
      const all = [...queues.values()].flatMap((queue) => [...queue])
      queues.clear()
      size = 0
      return all
    },
    size: () => size,
  }
}
