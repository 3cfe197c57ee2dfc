import type { Cell } from './cell.ts'

/** Processes that are started in advance: starting one takes longer than all the rest of a first run. */
export interface Spares {
  /** A spare process, otherwise a new one. */
  take(): Cell
  /** Prepares the next one, for a while. */
  make(): void
  end(): Promise<void>
}

// Whoever has just begun needs the machine more.
const delayMs = 1_000

/** Keeps one process ready, for at most `keepMs` after the last `make`. `mayStart`: whether there is room for one. */
export function spares(start: () => Cell, { keepMs, mayStart }: { readonly keepMs: number; readonly mayStart: () => boolean }): Spares {
  let spare: Cell | null = null
  let timer: NodeJS.Timeout | undefined
  let soon: NodeJS.Timeout | undefined

  function drop(): Cell | null {
    const last = spare
    spare = null
    clearTimeout(timer)
    clearTimeout(soon)
    return last
  }
  /** On failure, whoever needs one starts it again and gets the error. */
  function started(): Cell | null {
    try {
      return start()
    } catch {
      return null
    }
  }
  function begin(): void {
    if (spare !== null || !mayStart()) return
    const one = started()
    if (one === null) return
    spare = one
    void one.ended.then(() => spare === one && drop())
  }
  function end(): Promise<unknown> {
    const last = drop()
    last?.kill(null)
    return last?.ended ?? Promise.resolve()
  }

  return {
    take() {
      const last = drop()
      const one = last === null || last.dying() ? start() : last
      soon = setTimeout(() => this.make(), delayMs).unref()
      return one
    },
    make() {
      begin()
      clearTimeout(timer)
      timer = setTimeout(() => void end(), keepMs).unref()
    },
    end: async () => void (await end()),
  }
}
