import { crashPoint } from '../crash.ts'
import { writingConnection } from './connection.ts'
import type { Outcome } from './commit-group.ts'
import { commitAll } from './group.ts'

/** Runs writing operations; answers after their commit is on disk. */
export interface Writer {
  run(name: string, args: readonly unknown[]): Promise<unknown>
  close(): Promise<void>
}

interface Waiting {
  readonly name: string
  readonly args: readonly unknown[]
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A writer on the calling thread: for admin commands, and where the thread's compiled file is not at hand. */
export function inlineWriter(file: string, crashAt?: number): Writer {
  const connection = writingConnection(file)
  const crash = crashAt === undefined ? undefined : crashPoint(crashAt)
  let waiting: Waiting[] = []
  let open = true
  const flush = (): void => {
    const group = waiting
    waiting = []
    answer(group, commitAll(connection, group, crash))
  }
  return {
    run: (name, args) =>
      new Promise((resolve, reject) => {
        if (!open) return reject(new Error('The store is closed.'))
        if (waiting.length === 0) queueMicrotask(flush)
        // Copied as between threads, so that both writers treat arguments alike.
        waiting.push({ name, args: structuredClone(args), resolve, reject })
      }),
    close: async () => {
      if (!open) return
      open = false
      await new Promise<void>((resolve) => queueMicrotask(resolve))
      connection.close()
    },
  }
}

function answer(group: readonly Waiting[], outcomes: readonly Outcome[]): void {
  group.forEach(({ resolve, reject }, i) => {
    const outcome = outcomes[i]
    if (outcome?.ok) resolve(outcome.value)
    else reject(outcome?.error)
  })
}
