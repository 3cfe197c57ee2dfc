/** A queue in which teams take turns. */
export interface FairQueue<T extends object> {
  /** Background items come after all others, except every fifth turn. */
  push(team: string, item: T, background?: boolean): void
  /** Removes an item; returns whether it was waiting. */
  drop(team: string, item: T): boolean
  /** Removes and returns the first item of the next team whose first item may run; null when there is none. */
  next(may?: (team: string, item: T) => boolean): T | null
  /** Removes and answers all items. */
  clear(): readonly T[]
  size(): number
}

/** While both wait, one turn in so many goes to the background, so that it is slow but never stalls. */
const share = 5

/** A foreground and a background queue. */
export function fairQueue<T extends object>(): FairQueue<T> {
  const front = line<T>()
  const back = line<T>()
  /** Foreground turns since the background last had one. */
  let passed = 0
  return {
    push: (team, item, background = false) => (background ? back : front).push(team, item),
    drop: (team, item) => front.drop(team, item) || back.drop(team, item),
    next(may) {
      const ahead = back.size() > 0 && passed >= share - 1 ? null : front.next(may)
      passed = ahead !== null && back.size() > 0 ? passed + 1 : 0
      // If no background item may run, its turn goes to the foreground.
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
      if (item === undefined || !may(team, item)) continue
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
