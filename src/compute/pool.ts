import type { Call } from '../domain/call.ts'
import type { Packed } from '../domain/derivation.ts'
import { ServiceError } from '../domain/errors.ts'
import { unpack } from '../domain/packed.ts'
import { type FairQueue, fairQueue } from '../lib/fair-queue.ts'
import type { Analysis, Order, Outcome } from './messages.ts'
import { type Task, Thread, type ThreadOptions } from './thread.ts'

export interface PoolOptions extends ThreadOptions {
  readonly threads: number
  /** As many of them, fewer than all, may be kept at work with what the calling thread could do itself. */
  readonly helpers: number
}

export interface Pool {
  /** Throws `SCRAPE_TIMEOUT` when the page takes too long, `SCRAPE_SITE_ERROR` when it breaks its reader, the signal's reason when aborted. */
  run(order: Order, call: Call): Promise<Packed>
  /** The same with a page that the calling thread could read itself. */
  help(order: Order, call: Call): Promise<Packed>
  /** The same for a piece of work on a page that was read. */
  analyse(analysis: Analysis, call: Call): Promise<unknown>
  /** Whether there is room for one more of those: no thread that is still starting has any. */
  canHelp(): boolean
  /** Has a thread ready for the next page: it need not wait for one to start. */
  prepare(): void
  close(): Promise<void>
}

interface Job extends Task {
  /** Where it waits for its turn. */
  readonly line: Line
}

interface Line {
  readonly jobs: FairQueue<Job>
  /** A thread for its next job; null while there is none. */
  thread(): Thread<Job> | null
}

/** Pages that a helping thread has before it. */
const ahead = 4
/** How many of them it has in hand: a busy caller takes longer than a page to see that one is done. */
const inHand = 2

/** Threads that read pages and can be ended in the middle of one. Started on first use. */
export function pool(options: PoolOptions): Pool {
  const threads = new Set<Thread<Job>>()
  const needed: Line = { jobs: fairQueue(), thread: freeThread }
  const spare: Line = { jobs: fairQueue(), thread: helper }
  /** What helps comes first: it is small, and some thread is always left for the rest. */
  const lines = [spare, needed]
  let closed = false

  function spawn(): Thread<Job> {
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
  }

  function freeThread(): Thread<Job> | null {
    for (const thread of threads) if (thread.hand.length === 0) return thread
    return threads.size < options.threads ? spawn() : null
  }

  function helping(): Thread<Job>[] {
    return [...threads].filter(({ hand }) => hand[0]?.line === spare)
  }

  function helper(): Thread<Job> | null {
    const at = helping()
    return (at.length < options.helpers ? freeThread() : null) ?? at.find(({ hand }) => hand.length < inHand) ?? null
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
  }

  function done(work: Order | Analysis, call: Call, line: Line): Promise<Outcome> {
    if (closed) return Promise.reject(new ServiceError('SHUTTING_DOWN'))
    return new Promise((resolve, reject) => {
      // Nobody waits any more: the page, which may be large, must not wait for a thread either.
      const leave = (): void => {
        reject(call.signal.reason)
        if (line.jobs.drop(call.team, job)) job.goOn?.()
        else for (const thread of threads) if (thread.drop(job)) return
      }
      const settle: Job['settle'] = (outcome) => {
        call.signal.removeEventListener('abort', leave)
        if ('error' in outcome) reject(outcome.error)
        else if ('fault' in outcome) reject(new Error(`reading failed: ${outcome.fault}`))
        else resolve(outcome)
      }
      if (call.signal.aborted) return reject(call.signal.reason)
      const job: Job = { line, work, call, goOn: call.clock?.pause(), settle }
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
    canHelp: () => helping().reduce((sum, { hand }) => sum + hand.length, spare.jobs.size()) < Math.min(options.helpers, [...threads].filter(({ isReady }) => isReady).length) * ahead,
    prepare() {
      if (closed) return
      if (threads.size === 0) spawn()
      else [...threads].at(-1)?.rest()
    },
    async close() {
      closed = true
      const error = new ServiceError('SHUTTING_DOWN')
      for (const job of lines.flatMap(({ jobs }) => jobs.clear())) job.settle({ error })
      await Promise.all([...threads].map((thread) => thread.end(error)))
    },
  }
}
