import { Worker } from 'node:worker_threads'
import type { Call } from '../domain/call.ts'
import { ServiceError } from '../domain/errors.ts'
import type { Analysis, Order, Outcome, Ready } from './messages.ts'
import { Outbox } from './outbox.ts'

export interface ThreadOptions {
  readonly entry: URL
  /** Wall time for one page; after that the thread is ended (R20). */
  readonly maxMs: number
  readonly maxHeapMb: number
  /** An idle thread is ended after this long. */
  readonly idleMs: number
}

/** A job for a thread. */
export interface Task {
  readonly work: Order | Analysis
  readonly call: Call
  /** Resumes the job's clock, which is paused while it waits. */
  readonly resume: (() => void) | undefined
  readonly settle: (outcome: Outcome | { readonly error: unknown }) => void
}

/**
 * Size of V8's young generation, of which a third is filled before it is collected: pages that are read in step should be
 * garbage by then, and V8 collects between messages if it can. With 16 MB the collector took twice as much time (measured).
 */
const youngMb = 48

/** How many times as long as a page a thread may take to load the reader; it takes a second, unless the machine is overloaded. */
const startPages = 6

const tooBusy = (): ServiceError => new ServiceError('OVERLOADED', 'The machine is too busy to start another thread.', { retryAfterSeconds: 5 })
const tooSlow = (): ServiceError => new ServiceError('SCRAPE_TIMEOUT', 'The page took too long to read.')
const tooBig = (): ServiceError => new ServiceError('SCRAPE_SITE_ERROR', 'The page could not be read: it needs too much memory.')
const broke = (): ServiceError => new ServiceError('SCRAPE_SITE_ERROR', 'The page could not be read: it broke its reader.')

/** A thread that does its jobs in order and can be ended in the middle of one. */
export class Thread<T extends Task> {
  readonly #worker: Worker
  readonly #outbox: Outbox
  readonly #options: ThreadOptions
  /** Called when it has answered, and when it is gone, with the jobs that it had not begun. */
  readonly #onRoom: () => void
  readonly #onGone: (unread: readonly T[]) => void
  /** Its jobs: it works on the first, the others wait in its message queue. Nothing is sent to it before it is ready. */
  readonly #jobs: T[] = []
  /** Jobs whose caller has stopped waiting. */
  readonly #abandoned = new Set<T>()
  #timer: NodeJS.Timeout | undefined
  #ready = false
  #done = 0
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

  /** Whether it has loaded the reader; a thread that was just started has not. */
  get isReady(): boolean {
    return this.#ready
  }

  /** How many jobs it has answered. */
  get answered(): number {
    return this.#done
  }

  get jobs(): readonly T[] {
    return this.#jobs
  }

  give(task: T): void {
    this.#worker.ref()
    this.#jobs.push(task)
    if (this.#jobs.length === 1) this.#begin(task)
    if (this.#ready) this.#send(task)
  }

  /**
   * Abandons a job: ends the thread if the job is under way, ignores its answer if it was sent. A thread that is still loading
   * goes on: where that takes longer than callers wait, none would ever be ready. False when it has no such job.
   */
  drop(task: T): boolean {
    const at = this.#jobs.indexOf(task)
    if (at < 0) return false
    if (this.#ready && at === 0) this.#fail(task.call.signal.reason)
    else {
      task.resume?.()
      if (this.#ready) this.#abandoned.add(task)
      else this.#forget(at)
    }
    return true
  }

  /** Restarts the idle timer. */
  rest(): void {
    if (this.#jobs.length > 0) return
    this.#worker.unref()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#fail(null), this.#options.idleMs).unref()
  }

  /** Ends the thread; all its jobs fail with that error. */
  async end(error: unknown): Promise<void> {
    for (const task of this.#jobs.splice(1)) task.settle({ error })
    this.#fail(error)
    await this.#worker.terminate()
  }

  /** Takes back a job that was not sent. */
  #forget(at: number): void {
    this.#jobs.splice(at, 1)
    this.rest()
    this.#onRoom()
  }

  #send(task: T): void {
    this.#outbox.send(task.work, (error) => this.#unsent(task, error))
  }

  /** Ends the thread, which may hold a part of a job: that job fails, and no other. */
  #unsent(task: T, error: unknown): void {
    const at = this.#jobs.indexOf(task)
    if (at < 0) return
    task.resume?.()
    this.#jobs.unshift(...this.#jobs.splice(at, 1))
    // Memory for a copy is what may be lacking.
    this.#fail(error instanceof RangeError ? tooBig() : error)
  }

  #begun(): void {
    this.#ready = true
    const [head] = this.#jobs
    if (head !== undefined) this.#begin(head)
    // Ends early when one cannot be sent: no job is left then.
    for (const task of this.#jobs) this.#send(task)
  }

  #begin(task: T): void {
    clearTimeout(this.#timer)
    const { maxMs } = this.#options
    // While the thread is still loading, the page is not to blame for the delay.
    if (this.#ready && !this.#abandoned.has(task)) task.resume?.()
    this.#timer = this.#ready ? setTimeout(() => this.#fail(tooSlow()), maxMs) : setTimeout(() => this.#fail(tooBusy()), startPages * maxMs)
  }

  #answered(outcome: Outcome): void {
    const task = this.#jobs.shift()
    this.#done += 1
    if (this.#ended || task === undefined) return
    const [next] = this.#jobs
    if (next === undefined) this.rest()
    else this.#begin(next)
    if (!this.#abandoned.delete(task)) task.settle(outcome)
    this.#onRoom()
  }

  /** Marks it as gone before it has ended, so that nothing is given to it in between. */
  #fail(error: unknown): void {
    // A thread may fail after its answer and while it ends; nobody waits for it then.
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#timer)
    void this.#worker.terminate()
    const [head, ...rest] = this.#jobs.splice(0)
    if (head !== undefined && !this.#abandoned.has(head)) {
      if (!this.#ready) head.resume?.()
      head.settle({ error })
    }
    this.#onGone(rest.filter((task) => !this.#abandoned.has(task)))
  }
}
