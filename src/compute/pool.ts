import type { Call } from '../domain/call.ts'
import type { Packed } from '../domain/pages/derivation.ts'
import { ServiceError } from '../domain/errors.ts'
import { unpack } from '../domain/pages/packed.ts'
import { type FairQueue, fairQueue } from '../lib/fair-queue.ts'
import type { Analysis, Order, Outcome } from './messages.ts'
import { together } from './small.ts'
import { type Task, Thread, type ThreadOptions } from './thread.ts'

export interface PoolOptions extends ThreadOptions {
  readonly threads: number
  /** How many threads, fewer than all, may relieve the calling thread of pages that it could read itself. */
  readonly helpers: number
}

export interface Pool {
  /** Throws `SCRAPE_TIMEOUT` when the page takes too long, `SCRAPE_SITE_ERROR` when it breaks its reader, `OVERLOADED` when no thread starts, the signal's reason when aborted. */
  run(order: Order, call: Call): Promise<Packed>
  /** The same for a page that the calling thread could read itself. */
  help(order: Order, call: Call): Promise<Packed>
  /** The same for an analysis of a page that was read. */
  analyse(analysis: Analysis, call: Call): Promise<unknown>
  /** Whether a relieving thread has room for one more page; one that is still starting has none. */
  canHelp(): boolean
  /** Starts a thread ahead, so that the next page need not wait for it. */
  prepare(): void
  close(): Promise<void>
}

interface Job extends Task {
  /** The queue that it waits in. */
  readonly line: Line
}

interface Line {
  readonly jobs: FairQueue<Job>
  /** A thread for the next job; null while none is free. */
  thread(): Thread<Job> | null
}

/**
 * Pages sent ahead to a relieving thread: those that it finds are read in step, and a busy caller takes longer than a few
 * pages to notice that they are done.
 */
const queueLength = 2 * together
/** Fewer while the thread compiles its readers, which makes its first pages slow. */
const queueOfNew = 2
const newFor = 50
const lengthOf = ({ answered }: Thread<Job>): number => (answered < newFor ? queueOfNew : queueLength)

/** Threads that read pages and can be ended in the middle of one. Started on first use. */
export function pool(options: PoolOptions): Pool {
  const threads = new Set<Thread<Job>>()
  const needed: Line = { jobs: fairQueue(), thread: freeThread }
  const spare: Line = { jobs: fairQueue(), thread: helper }
  /** Relieving pages come first: they are small, and some thread always remains for the rest. */
  const lines = [spare, needed]
  let closed = false

  /** A further thread; null when the machine has no room for one. */
  function spawn(): Thread<Job> | null {
    try {
      const thread = new Thread<Job>(options, {
        onRoom: pump,
        onGone(unread) {
          threads.delete(thread)
          for (const job of unread) job.line.jobs.push(job.call.team, job, job.call.background)
          pump()
        },
      })
      threads.add(thread)
      return thread
    } catch {
      return null
    }
  }

  function freeThread(): Thread<Job> | null {
    for (const thread of threads) if (thread.jobs.length === 0) return thread
    return threads.size < options.threads ? spawn() : null
  }

  function helping(): Thread<Job>[] {
    return [...threads].filter(({ jobs }) => jobs[0]?.line === spare)
  }

  function helper(): Thread<Job> | null {
    const busy = helping()
    return (busy.length < options.helpers ? freeThread() : null) ?? busy.find((thread) => thread.jobs.length < lengthOf(thread)) ?? null
  }

  function pump(): void {
    if (closed) return
    for (const line of lines)
      while (line.jobs.size() > 0) {
        const thread = line.thread()
        const job = thread && line.jobs.next()
        if (!thread || !job) break
        thread.give(job)
      }
    // They wait for a thread to become free, and there is none.
    if (threads.size === 0) fail(new ServiceError('OVERLOADED', 'The machine has no room for another thread.', { retryAfterSeconds: 5 }))
  }

  /** Fails all that wait. */
  function fail(error: ServiceError): void {
    for (const job of lines.flatMap(({ jobs }) => jobs.clear())) job.settle({ error })
  }

  function done(work: Order | Analysis, call: Call, line: Line): Promise<Outcome> {
    if (closed) return Promise.reject(new ServiceError('SHUTTING_DOWN'))
    return new Promise((resolve, reject) => {
      // The caller is gone: drop the page, which may be large, without waiting for a thread.
      const leave = (): void => {
        reject(call.signal.reason)
        if (line.jobs.drop(call.team, job)) job.resume?.()
        else for (const thread of threads) if (thread.drop(job)) return
      }
      const settle: Job['settle'] = (outcome) => {
        call.signal.removeEventListener('abort', leave)
        if ('error' in outcome) reject(outcome.error)
        else if ('fault' in outcome) reject(new Error(`reading failed: ${outcome.fault}`))
        else resolve(outcome)
      }
      if (call.signal.aborted) return reject(call.signal.reason)
      const job: Job = { line, work, call, resume: call.clock?.pause(), settle }
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
    canHelp() {
      const given = helping().reduce((sum, { jobs }) => sum + jobs.length, spare.jobs.size())
      const ready = [...threads].filter(({ isReady }) => isReady).slice(0, options.helpers)
      return given < ready.reduce((sum, thread) => sum + lengthOf(thread), 0)
    },
    prepare() {
      if (closed) return
      if (threads.size === 0) spawn()
      else [...threads].at(-1)?.rest()
    },
    async close() {
      closed = true
      const error = new ServiceError('SHUTTING_DOWN')
      fail(error)
      await Promise.all([...threads].map((thread) => thread.end(error)))
    },
  }
}
