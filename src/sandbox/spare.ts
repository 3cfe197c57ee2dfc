import type { Cell } from './cell.ts'

/** Processes that are started before anybody needs them: a start takes longer than all the rest of a first run. */
export interface Spares {
  /** One that is ready, else a new one. */
  take(): Cell
  /** Sees to it that the next one is ready, for a while. */
  make(): void
  end(): Promise<void>
}

// Whoever has just begun needs the machine more.
const delayMs = 1_000

/** Keeps one process ready, no longer than `keepMs` after it was last wished for. `mayStart`: whether there is room for one. */
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
  /** Whoever needs one starts it then, and is told why that fails. */
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
