/** A longer turn of the event loop did something large, such as reading a page: usually more follows. */
const longTurnMs = 2
/** Nothing is held longer than this, except for the current turn. */
const patienceMs = 50

export interface Gatherer<T> {
  add(thing: T): void
  /** Hands over everything held, at once. */
  flush(): void
}

/**
 * Batches things and hands them over in order at the end of a turn of the event loop: after the first short turn, or once the oldest is 50 ms
 * old. So nothing waits on an idle process, and on a busy one, work whose cost does not grow with number is shared.
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
