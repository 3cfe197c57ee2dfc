/** Things of many teams that wait, teams taking turns. */
export interface FairQueue<T extends object> {
  /** What is in the background comes after all else, but for one in five. */
  push(team: string, item: T, background?: boolean): void
  /** Whether it was waiting. */
  drop(team: string, item: T): boolean
  /** Takes out the item whose turn it is among the teams that may; null when there is none. */
  next(may?: (team: string) => boolean): T | null
  /** Takes out all. */
  clear(): readonly T[]
  size(): number
}

/** Where both wait, one in so many is of the background: that is slow then, but never stands still. */
const share = 5

/** A first queue, and one for the background. */
export function fairQueue<T extends object>(): FairQueue<T> {
  const front = line<T>()
  const back = line<T>()
  /** How many came first while the background waited. */
  let passed = 0
  return {
    push: (team, item, background = false) => (background ? back : front).push(team, item),
    drop: (team, item) => front.drop(team, item) || back.drop(team, item),
    next(may) {
      const ahead = back.size() > 0 && passed >= share - 1 ? null : front.next(may)
      passed = ahead !== null && back.size() > 0 ? passed + 1 : 0
      // The background's turn, when none of it may, goes to whoever may.
      return ahead ?? back.next(may) ?? front.next(may)
    },
    clear: () => [...front.clear(), ...back.clear()],
    size: () => front.size() + back.size(),
  }
}

/** A map keeps insertion order, so the team served last goes to the end. */
function line<T extends object>(): FairQueue<T> {
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
