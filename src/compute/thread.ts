import { Worker } from 'node:worker_threads'
import type { Call } from '../domain/call.ts'
import { ServiceError } from '../domain/errors.ts'
import type { Analysis, Order, Outcome, Ready } from './messages.ts'
import { Outbox } from './outbox.ts'

export interface ThreadOptions {
  readonly entry: URL
  /** Wall time of one page; the thread is ended when it is over (R20). */
  readonly maxMs: number
  readonly maxHeapMb: number
  /** A thread without work is ended after this long. */
  readonly idleMs: number
}

/** A piece of work for a thread. */
export interface Task {
  readonly work: Order | Analysis
  readonly call: Call
  /** Lets its clock go on, which stands still while it waits. */
  readonly goOn: (() => void) | undefined
  readonly settle: (outcome: Outcome | { readonly error: unknown }) => void
}

/** Room for what is new in a thread: the default takes 10 to 20 MB more of each, and no page is read faster (measured). */
const youngMb = 16

const tooSlow = (): ServiceError => new ServiceError('SCRAPE_TIMEOUT', 'The page took too long to read.')
const tooBig = (): ServiceError => new ServiceError('SCRAPE_SITE_ERROR', 'The page could not be read: it needs too much memory.')
const broke = (): ServiceError => new ServiceError('SCRAPE_SITE_ERROR', 'The page could not be read: it broke its reader.')

/** A thread that does what it is given in that order, and can be ended in the middle of it. */
export class Thread<T extends Task> {
  readonly #worker: Worker
  readonly #outbox: Outbox
  readonly #options: ThreadOptions
  /** Called when it has answered; and when it is gone, with what it has not begun. */
  readonly #onRoom: () => void
  readonly #onGone: (unread: readonly T[]) => void
  /** What it has to do: it works at the first, the others lie in its post. */
  readonly #hand: T[] = []
  /** Those of which nobody awaits the answer any more. */
  readonly #left = new Set<T>()
  #timer: NodeJS.Timeout | undefined
  #ready = false
  #ended = false

  constructor(options: ThreadOptions, { onRoom, onGone }: { readonly onRoom: () => void; readonly onGone: (unread: readonly T[]) => void }) {
    this.#options = options
    this.#onRoom = onRoom
    this.#onGone = onGone
    this.#worker = new Worker(options.entry, { resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb, maxYoungGenerationSizeMb: youngMb }, stdout: true, stderr: true })
    this.#outbox = new Outbox(this.#worker)
    this.#worker.on('message', (message: Outcome | Ready) => ('ready' in message ? this.#begun() : this.#answered(message)))
    this.#worker.on('error', (error: NodeJS.ErrnoException) => this.#fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooBig() : error))
    this.#worker.on('exit', () => this.#fail(broke()))
    this.rest()
  }

  /** Whether it has what it reads with: a thread that has just been started has yet to load that. */
  get isReady(): boolean {
    return this.#ready
  }

  get hand(): readonly T[] {
    return this.#hand
  }

  give(task: T): void {
    this.#worker.ref()
    this.#outbox.send(task.work)
    this.#hand.push(task)
    if (this.#hand.length === 1) this.#begin(task)
  }

  /** Whoever gave that has gone: ends the thread in the middle of it, and does not mind the answer where it is not begun. False when it was given none such. */
  drop(task: T): boolean {
    const at = this.#hand.indexOf(task)
    if (at === 0) this.#fail(task.call.signal.reason)
    else if (at > 0) {
      this.#left.add(task)
      task.goOn?.()
    }
    return at >= 0
  }

  /** Counts its time without work anew. */
  rest(): void {
    if (this.#hand.length > 0) return
    this.#worker.unref()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#fail(null), this.#options.idleMs).unref()
  }

  /** Ends it; all that it has to do fails with that. */
  async end(error: unknown): Promise<void> {
    for (const task of this.#hand.splice(1)) task.settle({ error })
    this.#fail(error)
    await this.#worker.terminate()
  }

  #begun(): void {
    this.#ready = true
    const [head] = this.#hand
    if (head !== undefined && !this.#left.has(head)) head.goOn?.()
  }

  #begin(task: T): void {
    clearTimeout(this.#timer)
    // Until it is ready it is no fault of the page that nothing happens.
    if (this.#ready && !this.#left.has(task)) task.goOn?.()
    this.#timer = setTimeout(() => this.#fail(tooSlow()), this.#options.maxMs)
  }

  #answered(outcome: Outcome): void {
    const task = this.#hand.shift()
    if (this.#ended || task === undefined) return
    const [next] = this.#hand
    if (next === undefined) this.rest()
    else this.#begin(next)
    if (!this.#left.delete(task)) task.settle(outcome)
    this.#onRoom()
  }

  /** It is gone, or shall be. At once, and not when it has ended: nothing may be given to it in between. */
  #fail(error: unknown): void {
    // A thread may fail after it has answered, and while it ends; nobody waits for it then.
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#timer)
    void this.#worker.terminate()
    const [head, ...rest] = this.#hand.splice(0)
    if (head !== undefined && !this.#left.has(head)) {
      if (!this.#ready) head.goOn?.()
      head.settle({ error })
    }
    this.#onGone(rest.filter((task) => !this.#left.has(task)))
  }
}
