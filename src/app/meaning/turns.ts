/** Limits how many enter at once, by key. */
export interface Turns {
  /** Resolves when it is the caller's turn, or when `until` aborts, with a function to leave. Never rejects. */
  enter(key: string, until: AbortSignal): Promise<() => void>
}

/** Lets `most` in at once, and the others in order of arrival. */
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
