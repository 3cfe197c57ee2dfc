import { Worker } from 'node:worker_threads'
import { gather } from './gather.ts'
import type { Writer } from './writer.ts'
import { type FromThread, type ThreadStart, type ToThread, decodeError } from './wire.ts'

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** The start options of a writer thread. */
export interface ThreadOptions {
  readonly file: string
  readonly crashPoint?: number | undefined
  /** Called once when the thread has died: nothing can be written any more, and the process should end. */
  readonly onFatal: (error: Error) => void
}

/** A writer on its own thread, so that a commit never blocks the calling thread. Rejects if the thread cannot open the database. */
export async function threadWriter(entry: URL, options: ThreadOptions): Promise<Writer> {
  const start: ThreadStart = { file: options.file, crashPoint: options.crashPoint }
  // Few small rows live here at a time, and blobs outside of the heap; the limit keeps the heap from growing needlessly.
  const worker = new Worker(entry, { workerData: start, execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: 8 } })
  const pending = new Map<number, Pending>()
  let dead: Error | undefined
  let closing = false
  let nextId = 1

  const die = (cause: unknown): void => {
    if (dead) return
    dead = new Error(closing ? 'The store is closed.' : 'The writer thread of the store has stopped.', { cause })
    for (const { reject } of pending.values()) reject(dead)
    pending.clear()
    if (!closing) options.onFatal(dead)
  }
  const settle = (message: FromThread): void => {
    if (message.kind !== 'answers') return
    for (const answer of message.answers) {
      const caller = pending.get(answer.id)
      pending.delete(answer.id)
      if (answer.ok) caller?.resolve(answer.value)
      else caller?.reject(decodeError(answer.error))
    }
  }
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  await opened(worker)
  worker.on('message', settle)
  worker.on('error', die)
  worker.once('exit', (code) => die(new Error(`exit code ${code}`)))

  const post = (message: ToThread): void => {
    try {
      worker.postMessage(message)
    } catch (error) {
      // Arguments that cannot be cloned are the fault of this operation only.
      if (message.kind !== 'run') throw error
      pending.get(message.id)?.reject(error)
      pending.delete(message.id)
    }
  }
  /** While the calling thread reads pages, the results of several are committed together. */
  const orders = gather<ToThread>((messages) => messages.forEach(post))
  return {
    run: (name, args) =>
      new Promise((resolve, reject) => {
        if (dead || closing) return reject(dead ?? new Error('The store is closed.'))
        const id = nextId++
        pending.set(id, { resolve, reject })
        orders.add({ kind: 'run', id, name, args })
      }),
    close: async () => {
      if (!closing && !dead) {
        closing = true
        orders.add({ kind: 'close' })
        orders.flush()
      }
      await exited
    },
  }
}

/** Waits until the thread has opened the database. */
function opened(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = (code: number): void => reject(new Error(`The writer thread of the store ended at once with exit code ${code}.`))
    worker.once('error', reject)
    worker.once('exit', ended)
    worker.once('message', () => {
      worker.off('error', reject)
      worker.off('exit', ended)
      resolve()
    })
  })
}
