/** A turn of the event loop that takes longer did something large, such as reading a page: as a rule there is more of it. */
const longTurnMs = 2
/** No thing is held back for longer, but for the turn that it is in. */
const patienceMs = 50

export interface Gatherer<T> {
  add(thing: T): void
  /** Hands over at once what is held. */
  flush(): void
}

/**
 * Hands things over at the end of a turn of the event loop, all at once and in order: after the first turn that was short, or as soon as the
 * oldest is 50 ms old. So nothing waits where there is nothing else to do, and where there is, what costs as much for many as for one is done
 * once for many.
 */
export function gather<T>(handOver: (things: readonly T[]) => void, now: () => number = () => performance.now()): Gatherer<T> {
  let held: T[] = []
  let since = 0
  let turn = 0
  let next: NodeJS.Immediate | null = null
  const flush = (): void => {
    const things = held
    held = []
    if (next !== null) clearImmediate(next)
    next = null
    if (things.length > 0) handOver(things)
  }
  const look = (): void => {
    const before = turn
    turn = now()
    if (turn - before < longTurnMs || turn - since >= patienceMs) flush()
    else next = setImmediate(look)
  }
  return {
    add(thing) {
      held.push(thing)
      if (next !== null) return
      since = turn = now()
      next = setImmediate(look)
    },
    flush,
  }
}
