import { Worker } from 'node:worker_threads'
import type { Call } from '../domain/call.ts'
import { ServiceError } from '../domain/errors.ts'
import type { Packed } from '../domain/derivation.ts'
import { unpack } from '../domain/packed.ts'
import { type FairQueue, fairQueue } from '../lib/fair-queue.ts'
import type { Analysis, Order, Outcome } from './messages.ts'

export interface PoolOptions {
  readonly entry: URL
  readonly threads: number
  /** As many of them, fewer than all, may be kept at work with what the calling thread could do itself. */
  readonly helpers: number
  /** Wall time of one page; the thread is ended when it is over (R20). */
  readonly maxMs: number
  readonly maxHeapMb: number
  /** A thread without work is ended after this long. */
  readonly idleMs: number
}

export interface Pool {
  /** Throws `SCRAPE_TIMEOUT` when the page takes too long, `SCRAPE_SITE_ERROR` when it breaks its reader, the signal's reason when aborted. */
  run(order: Order, call: Call): Promise<Packed>
  /** The same with a page that the calling thread could read itself. */
  help(order: Order, call: Call): Promise<Packed>
  /** The same for a piece of work on a page that was read. */
  analyse(analysis: Analysis, call: Call): Promise<unknown>
  /** Whether there is room for one more of those. */
  canHelp(): boolean
  /** Has a thread ready for the next page: it need not wait for one to start. */
  prepare(): void
  close(): Promise<void>
}

interface Job {
  /** Where it waits for its turn. */
  readonly line: Line
  readonly work: Order | Analysis
  readonly call: Call
  /** Lets its clock go on, which stands still while it waits. */
  readonly goOn: (() => void) | undefined
  readonly settle: (outcome: Outcome | { readonly error: unknown }) => void
}

interface Line {
  readonly jobs: FairQueue<Job>
  /** How many of its jobs may be, and are, at work at once. */
  readonly most: number
  running: number
}

/** Pages that a helping thread has before it, the one it reads included: a busy caller takes a while to see that one is done and to hand over the next. */
const ahead = 4

/** Room for what is new in a thread: the default takes 10 to 20 MB more of each, and no page is read faster (measured). */
const youngMb = 16

const tooSlow = (): ServiceError => new ServiceError('SCRAPE_TIMEOUT', 'The page took too long to read.')
const tooBig = (): ServiceError => new ServiceError('SCRAPE_SITE_ERROR', 'The page could not be read: it needs too much memory.')
const broke = (): ServiceError => new ServiceError('SCRAPE_SITE_ERROR', 'The page could not be read: it broke its reader.')

/** Threads that read pages and can be ended in the middle of one. Started on first use, each with one page at a time. */
export function pool(options: PoolOptions): Pool {
  const needed: Line = { jobs: fairQueue(), most: options.threads, running: 0 }
  /** What helps comes first: it is small, and some thread is always left for the rest. */
  const spare: Line = { jobs: fairQueue(), most: options.helpers, running: 0 }
  const lines = [spare, needed]
  const idle: { worker: Worker; timer: NodeJS.Timeout }[] = []
  const all = new Set<Worker>()
  let closed = false

  function spawn(): Worker {
    const worker = new Worker(options.entry, { resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb, maxYoungGenerationSizeMb: youngMb }, stdout: true, stderr: true })
    all.add(worker)
    worker.once('exit', () => {
      all.delete(worker)
      const at = idle.findIndex((entry) => entry.worker === worker)
      for (const entry of at < 0 ? [] : idle.splice(at, 1)) clearTimeout(entry.timer)
    })
    return worker
  }

  function freeWorker(): Worker | null {
    const ready = idle.pop()
    if (ready !== undefined) {
      clearTimeout(ready.timer)
      ready.worker.removeAllListeners('error')
      return ready.worker
    }
    return all.size < options.threads ? spawn() : null
  }

  function rest(worker: Worker): void {
    worker.unref()
    // A thread may fail after it has answered; nobody waits for it then, and it must not take the process along.
    worker.on('error', () => undefined)
    const timer = setTimeout(() => {
      // At once, and not when it has ended: nothing may be given to it in between.
      all.delete(worker)
      idle.splice(idle.indexOf(entry), 1)
      void worker.terminate()
    }, options.idleMs).unref()
    const entry = { worker, timer }
    idle.push(entry)
  }

  function start(job: Job, worker: Worker): void {
    worker.ref()
    job.goOn?.()
    job.line.running += 1
    const finish = (outcome: Outcome | { readonly error: unknown }, alive: boolean): void => {
      clearTimeout(timer)
      job.line.running -= 1
      job.call.signal.removeEventListener('abort', stop)
      worker.removeAllListeners('message').removeAllListeners('error').removeListener('exit', died)
      if (alive) rest(worker)
      else {
        all.delete(worker)
        worker.on('error', () => undefined)
        void worker.terminate()
      }
      job.settle(outcome)
      pump()
    }
    const stop = (): void => finish({ error: job.call.signal.reason }, false)
    const died = (): void => finish({ error: closed ? new ServiceError('SHUTTING_DOWN') : broke() }, false)
    const timer = setTimeout(() => finish({ error: tooSlow() }, false), options.maxMs)
    worker.once('exit', died)
    job.call.signal.addEventListener('abort', stop, { once: true })
    worker.once('message', (outcome: Outcome) => finish(outcome, true))
    worker.once('error', (error: NodeJS.ErrnoException) => finish({ error: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooBig() : error }, false))
    worker.postMessage(job.work)
  }

  function pump(): void {
    if (closed) return
    for (;;) {
      const line = lines.find(({ jobs, most, running }) => jobs.size() > 0 && running < most)
      const worker = line && freeWorker()
      const job = worker && line.jobs.next()
      if (!worker || !job) return
      start(job, worker)
    }
  }

  function done(work: Order | Analysis, call: Call, line: Line): Promise<Outcome> {
    if (closed) return Promise.reject(new ServiceError('SHUTTING_DOWN'))
    return new Promise((resolve, reject) => {
      // Nobody waits any more: the page, which may be large, must not wait for a thread either.
      const leave = (): void => {
        if (line.jobs.drop(call.team, job)) job.goOn?.()
        reject(call.signal.reason)
      }
      const settle: Job['settle'] = (outcome) => {
        call.signal.removeEventListener('abort', leave)
        if ('error' in outcome) reject(outcome.error)
        else if ('fault' in outcome) reject(new Error(`reading failed: ${outcome.fault}`))
        else resolve(outcome)
      }
      if (call.signal.aborted) return reject(call.signal.reason)
      const job: Job = { line, work, call, goOn: call.rest?.begin(), settle }
      call.signal.addEventListener('abort', leave, { once: true })
      line.jobs.push(call.team, job, call.background)
      pump()
    })
  }

  async function read(order: Order, call: Call, line: Line): Promise<Packed> {
    const outcome = await done(order, call, line)
    if (!('packed' in outcome)) throw new Error('a page was read to no avail')
    return { ...unpack(outcome.packed), ...(outcome.index === undefined ? {} : { index: outcome.index }) }
  }

  return {
    run: (order, call) => read(order, call, needed),
    help: (order, call) => read(order, call, spare),
    async analyse(analysis, call) {
      const outcome = await done(analysis, call, needed)
      return 'value' in outcome ? outcome.value : undefined
    },
    canHelp: () => spare.running + spare.jobs.size() < options.helpers * ahead,
    prepare() {
      if (closed) return
      if (all.size === 0) rest(spawn())
      else idle.at(-1)?.timer.refresh()
    },
    async close() {
      closed = true
      for (const job of lines.flatMap(({ jobs }) => jobs.clear())) job.settle({ error: new ServiceError('SHUTTING_DOWN') })
      for (const entry of idle.splice(0)) clearTimeout(entry.timer)
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}
