/** Lets a few in at once, by key. */
export interface Turns {
  /** Settles when it is the caller's turn, or when `until` aborts; answers how to leave. Never rejects. */
  enter(key: string, until: AbortSignal): Promise<() => void>
}

/** So many at once, the others in the order in which they came. */
export function turns(most: number): Turns {
  const rooms = new Map<string, { inside: number; readonly waiting: Set<() => void> }>()
  return {
    enter(key, until) {
      const room = rooms.get(key) ?? { inside: 0, waiting: new Set<() => void>() }
      rooms.set(key, room)
      let left = false
      const leave = (): void => {
        if (left) return
        left = true
        room.inside--
        const [next] = room.waiting
        next?.()
        if (room.inside === 0 && room.waiting.size === 0) rooms.delete(key)
      }
      return new Promise((resolve) => {
        const go = (): void => {
          until.removeEventListener('abort', go)
          room.waiting.delete(go)
          room.inside++
          resolve(leave)
        }
        if (room.inside < most || until.aborted) return go()
        room.waiting.add(go)
        until.addEventListener('abort', go, { once: true })
      })
    },
  }
}
