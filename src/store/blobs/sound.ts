import { lstatSync } from 'node:fs'

/** The maximum number of remembered files: 2 MB of memory. */
const mostFiles = 10_000

/** Files that this process has written or read completely and made durable, and that have not changed since. */
export interface Sound {
  has(path: string): boolean
  /** Remembers a file in its current state. */
  note(path: string): void
  forget(path: string): void
}

/** A value that changes with every change or replacement of a file; null when there is none. */
function stampOf(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  return found === undefined ? null : `${found.ino} ${found.ctimeNs}`
}

export function soundFiles(most = mostFiles): Sound {
  const stamps = new Map<string, string>()
  return {
    forget: (path) => void stamps.delete(path),
    has(path) {
      const stamp = stamps.get(path)
      return stamp !== undefined && stamp === stampOf(path)
    },
    note(path) {
      const stamp = stampOf(path)
      stamps.delete(path)
      if (stamp !== null) stamps.set(path, stamp)
      const [oldest] = stamps.keys()
      if (stamps.size > most && oldest !== undefined) stamps.delete(oldest)
    },
  }
}
