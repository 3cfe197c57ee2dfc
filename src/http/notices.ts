/** Tells a follower of a job when to read again. */
export interface Changes {
  /** Resolves when something may have changed since its last call, or after a while; with false once closed. */
  changed(): Promise<boolean>
  close(): void
}

/** How often a follower reads: the shortest and the longest interval in milliseconds. */
export interface Pace {
  readonly soonestMs: number
  readonly latestMs: number
}

/** Follows the store's notices, which come for every job of the process: not every one is worth a read. */
export function changesOf(onChange: (listener: () => void) => () => void, { soonestMs, latestMs }: Pace): Changes {
  let dirty = false
  let closed = false
  let lookedAt = Number.NEGATIVE_INFINITY
  let wake: () => void = () => undefined
  const unsubscribe = onChange(() => {
    dirty = true
    wake()
  })

  function pause(ms: number, ends: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms)
      function done(): void {
        clearTimeout(timer)
        wake = () => undefined
        resolve()
      }
      wake = () => (ends() ? done() : undefined)
      wake()
    })
  }

  return {
    async changed() {
      await pause(Math.max(0, lookedAt + soonestMs - performance.now()), () => closed)
      await pause(latestMs, () => closed || dirty)
      dirty = false
      lookedAt = performance.now()
      return !closed
    },
    close: () => {
      closed = true
      unsubscribe()
      wake()
    },
  }
}
