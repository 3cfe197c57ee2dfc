/** How often listeners are woken while work is outstanding: run times and leases come due without anybody writing. */
const tickMs = 1_000

/** Tells the listeners of this process that tasks may be due or done. */
export interface Wakeups {
  /** Wakes the listeners soon (never within the call), and every second from now on as long as work is outstanding. */
  changed(): void
  onChange(listener: () => void): () => void
  close(): void
}

/** `outstanding` says whether the ticking must go on; idle processes do not tick. */
export function wakeups(outstanding: () => Promise<boolean>): Wakeups {
  const listeners = new Set<() => void>()
  let soon: NodeJS.Immediate | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const wake = (): void => {
    soon = undefined
    for (const listener of listeners) listener()
  }
  const arm = (): void => {
    if (timer || closed || listeners.size === 0) return
    timer = setTimeout(tick, tickMs)
    timer.unref()
  }
  const tick = (): void => {
    wake()
    outstanding().then(
      (more) => again(more),
      // The store is out of reach for now: keep asking, its return must not go unnoticed.
      () => again(true),
    )
  }
  const again = (more: boolean): void => {
    timer = undefined
    if (more) arm()
  }
  return {
    changed: () => {
      if (closed) return
      soon ??= setImmediate(wake)
      arm()
    },
    onChange: (listener) => {
      const own = (): void => listener()
      listeners.add(own)
      arm()
      return () => {
        listeners.delete(own)
        if (listeners.size > 0) return
        clearTimeout(timer)
        timer = undefined
      }
    },
    close: () => {
      closed = true
      listeners.clear()
      clearTimeout(timer)
      clearImmediate(soon)
    },
  }
}
