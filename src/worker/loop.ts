import { StoreAway } from '../domain/errors.ts'
import type { Queue, Task } from '../domain/queue.ts'
import { sleep } from '../lib/sleep.ts'
import { doubt, doubtMs } from './doubt.ts'
import { looker } from './looker.ts'

/**
 * Runs a task; its result is the reply to whoever waits for the task. The signal aborts when the lease is lost or the
 * worker stops.
 */
export type TaskHandler = (task: Task, signal: AbortSignal) => Promise<string>

export interface LoopOptions {
  readonly worker: string
  readonly handlers: Readonly<Record<string, TaskHandler>>
  readonly concurrency: number
  readonly leaseMs: number
  readonly now: () => number
  readonly log: (event: string, fields: Readonly<Record<string, string | number>>) => void
}

export interface Loop {
  start(): void
  /** Takes no more tasks; after `graceMs`, aborts those that are still running. */
  stop(graceMs: number): Promise<void>
  /** Tasks that run. */
  size(): number
}

/** Nobody announces expired leases: look this often. */
const lookAgainMs = 5_000
const heartbeats = 3
/** A failed task is not retried sooner; the pause doubles each time. */
const firstPauseMs = 1_000
/** The end of a task is written again so often while the store is away: its work, which may be an action in a page, must not be done twice. */
const mostEnds = 5
const endAgainMs = 1_000
/** There may be hundreds of changes per second: check at most this often whether the running tasks are still wanted. */
const wantedMs = 250

/** Names one lease of a task: a task may be leased again while its first run has not ended yet. */
const nameOf = ({ id, token }: Pick<Task, 'id' | 'token'>): string => `${id} ${token}`

async function insisting(write: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await write()
      return
    } catch (error) {
      if (!(error instanceof StoreAway) || tries === mostEnds) throw error
      await sleep(endAgainMs, signal)
    }
  }
}

/** Leases tasks and runs them, several at a time, renewing their leases while they run (R8). */
export function workerLoop(queue: Queue, options: LoopOptions): Loop {
  /** By the name of the lease. */
  const running = new Map<string, { readonly task: Task; readonly abort: AbortController; readonly ended: Promise<void> }>()
  let stopped = true
  let unsubscribe: () => void = () => undefined
  let timer: NodeJS.Timeout | undefined
  const { taking, remains } = doubt(options.now)
  /** Tasks whose outcome could not be written, and when their leases expire: that attempt counts, so they must not be given back. */
  const unwritten = new Map<string, number>()

  async function settle(task: Task, abort: AbortController): Promise<void> {
    try {
      const handler = options.handlers[task.kind]
      if (handler === undefined) throw new Error(`no handler for ${task.kind}`)
      const reply = await handler(task, abort.signal)
      await insisting(() => queue.done(task.id, task.token, reply, options.now()), abort.signal)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      options.log('task-failed', { task: task.id, kind: task.kind, attempt: task.attempt, reason })
      await queue.retry(task.id, task.token, reason, options.now() + firstPauseMs * 2 ** (task.attempt - 1), options.now())
    }
  }

  function run(task: Task): void {
    const abort = new AbortController()
    const renew = setInterval(() => {
      queue.renew(task.id, task.token, options.now() + options.leaseMs).then(
        (held) => void (held || abort.abort(new Error('lease lost'))),
        () => undefined, // the store is unavailable: the next beat tries again, and the fencing token protects the result
      )
    }, options.leaseMs / heartbeats)
    const ended = settle(task, abort)
      .catch((error: unknown) => {
        unwritten.set(nameOf(task), options.now() + options.leaseMs + doubtMs)
        options.log('task-settle-failed', { task: task.id, reason: String(error) })
      })
      .finally(() => {
        clearInterval(renew)
        running.delete(nameOf(task))
        look()
      })
    running.set(nameOf(task), { task, abort, ended })
  }

  /** Aborts tasks that nobody waits for any more. */
  async function breakOff(): Promise<void> {
    const under = [...running.values()]
    const held = new Set(await queue.held(under.map(({ task }) => task)))
    for (const { task, abort } of under) if (!held.has(task.id)) abort.abort(new Error('lease lost'))
  }

  let watching: NodeJS.Timeout | null = null
  function changed(): void {
    look()
    if (watching !== null || running.size === 0) return
    watching = setTimeout(() => {
      watching = null
      breakOff().catch((error: unknown) => options.log('queue-unreachable', { reason: String(error) }))
    }, wantedMs).unref()
  }

  /**
   * Gives back tasks of a take whose answer was lost: until their lease expired nobody else would get them, and the attempt
   * would count.
   */
  async function disown(): Promise<void> {
    for (const [one, until] of unwritten) if (until <= options.now()) unwritten.delete(one)
    for (const lease of await queue.leasedTo(options.worker)) {
      if (!running.has(nameOf(lease)) && !unwritten.has(nameOf(lease))) await queue.giveBack(lease.id, lease.token)
    }
  }

  /** Whether it is worth looking again at once. */
  async function takeMore(): Promise<boolean> {
    if (!stopped && remains()) await disown()
    const room = options.concurrency - running.size
    if (stopped || room <= 0) return false
    const tasks = await taking(() => queue.take(options.worker, Object.keys(options.handlers), room, options.leaseMs, options.now()))
    for (const task of tasks) run(task)
    return tasks.length === room
  }

  const { look, idle } = looker(takeMore, (error) => options.log('queue-unreachable', { reason: String(error) }))

  return {
    size: () => running.size,
    start() {
      stopped = false
      unsubscribe = queue.onChange(changed)
      timer = setInterval(look, lookAgainMs)
      look()
    },
    async stop(graceMs) {
      stopped = true
      unsubscribe()
      clearInterval(timer)
      if (watching !== null) clearTimeout(watching)
      // Its tasks are leased to this worker: nobody else would get them before the lease expires.
      await idle()
      const all = Promise.all([...running.values()].map(({ ended }) => ended))
      const late = setTimeout(() => {
        for (const { abort } of running.values()) abort.abort(new Error('worker stops'))
      }, graceMs)
      await all
      clearTimeout(late)
    },
  }
}
