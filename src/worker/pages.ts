import type { Jobs } from '../domain/jobs/jobs.ts'
import type { PageTask } from '../domain/jobs/pages.ts'
import { sleep } from '../lib/sleep.ts'
import { endedJobs, type RunningPage } from './ended-jobs.ts'
import { looker } from './looker.ts'

/**
 * Fetches a page and writes the outcome. Returns in how many milliseconds more pages of its job are due; null when the
 * store announces that. Throws when the outcome could not be written, and when the signal aborts.
 */
export type PageHandler = (task: PageTask, signal: AbortSignal) => Promise<number | null>

export interface PagePumpPorts {
  readonly jobs: Pick<Jobs, 'beat' | 'take' | 'leasedTo' | 'leave' | 'giveBack' | 'find'>
  readonly run: PageHandler
  /** Hosts that must not be asked at the moment. */
  readonly busyHosts: () => readonly string[]
  /** Synchronous scrapes in this process, by team. */
  readonly running: () => Readonly<Record<string, number>>
  /** Subscribes to changes after which pages may be due; returns a function that unsubscribes. */
  readonly onChange: (listener: () => void) => () => void
}

export interface PagePumpOptions {
  readonly worker: string
  /** How many pages this process works on at once. */
  readonly places: number
  /** How many pages are leased beyond that, to wait for their host. */
  readonly waitingRoom: number
  readonly teamPlaces: number
  readonly leaseMs: number
  readonly now: () => number
  readonly log: (event: string, fields: Readonly<Record<string, string | number>>) => void
}

export interface PagePump {
  start(): void
  /** Takes no more pages; after `graceMs`, gives back those that are still running. */
  stop(graceMs: number): Promise<void>
}

interface Running extends RunningPage {
  readonly ended: Promise<void>
}

/** Nobody announces expired leases: look this often. */
const lookAgainMs = 5_000
/** Most pages leased at once: few, so that a host that turns out to be busy delays only these. */
const atOnce = 16
/**
 * While all places are taken, pages are leased at most this often: another worker, notified at the same time, may have a
 * free place.
 */
const aheadMs = 50
const beatsPerLease = 3
/** When the store failed to write a page, it is retried after this pause, which doubles up to the maximum. */
const failed = { firstMs: 1_000, mostMs: 60_000 }
const storeAwayMs = 1_000
/** A take whose answer was lost may still commit within this time, which is longer than the store lets a statement run. */
const doubtMs = 30_000
/** Longest timer: pages due later are found by the regular look. */
const longestTimerMs = 60_000

/** Leases pages of jobs and runs them, with one heartbeat for all (R8). */
export function pagePump({ jobs, run, busyHosts, running: others, onChange }: PagePumpPorts, options: PagePumpOptions): PagePump {
  /** A set rather than a map by token: pages leased together share a token. */
  const running = new Set<Running>()
  const { worker, leaseMs, now } = options
  const stopping = new AbortController()
  let stopped = true
  let aliveUntil = 0
  /** Until then, there may be pages leased to this worker that it does not know of. */
  let doubtUntil = Number.NEGATIVE_INFINITY
  /** When pages were leased last, and the timer that looks again if that was too recent. */
  let takenAt = Number.NEGATIVE_INFINITY
  let later: NodeJS.Timeout | null = null
  let unsubscribe: () => void = () => undefined
  const timers = new Set<NodeJS.Timeout>()

  async function beat(): Promise<void> {
    const until = now() + leaseMs
    await jobs.beat(worker, until, now())
    aliveUntil = until
  }

  /**
   * Renews the leases. Those that expired while the store was away belong to another worker now, and their tokens are
   * refused: stop working on them.
   */
  async function keepAlive(): Promise<void> {
    if (running.size === 0) return
    try {
      if (aliveUntil <= now()) for (const { abort } of running) abort.abort(new Error('lease lost'))
      await beat()
    } catch (error) {
      options.log('heartbeat-failed', { reason: String(error) })
    }
  }

  /**
   * Gives a page back, retrying while the store is away: this worker's leases do not expire while it is alive. On a stop,
   * `leave` gives all back.
   */
  async function giveBack({ task, abort }: Pick<Running, 'task' | 'abort'>): Promise<void> {
    for (let tries = 0; !stopping.signal.aborted; tries++) {
      try {
        // An aborted page is not at fault; one that could not be written may be, so the attempt counts.
        const terms = abort.signal.aborted ? { runAt: now(), postponed: false } : { runAt: now() + Math.min(failed.mostMs, failed.firstMs * 2 ** (task.attempt - 1)), postponed: false, counted: true }
        await jobs.giveBack(task, terms, now())
        return
      } catch (error) {
        // Not once a second for each page: what fails may be a disk that logs have filled.
        if (tries === 0) options.log('page-not-given-back', { job: task.job, page: task.seq, reason: String(error) })
        await sleep(storeAwayMs, stopping.signal).catch(() => undefined) // a stop, which the loop sees
      }
    }
  }

  function lookIn(ms: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      look()
    }, ms).unref()
    timers.add(timer)
  }

  async function settle(task: PageTask, abort: AbortController): Promise<void> {
    try {
      const moreInMs = await run(task, abort.signal)
      if (moreInMs !== null) lookIn(Math.min(moreInMs, longestTimerMs))
    } catch (error) {
      if (!abort.signal.aborted) options.log('page-not-settled', { job: task.job, page: task.seq, attempt: task.attempt, reason: String(error) })
      await giveBack({ task, abort })
    }
  }

  function begin(task: PageTask): void {
    const abort = new AbortController()
    const one: Running = {
      task,
      abort,
      ended: settle(task, abort).finally(() => {
        running.delete(one)
        look()
      }),
    }
    running.add(one)
  }

  function lookLater(ms: number): void {
    later ??= setTimeout(() => {
      later = null
      look()
    }, ms).unref()
  }

  /** Gives back pages of a take whose answer was lost: while this worker is alive, nobody else would get them. */
  async function disown(): Promise<void> {
    for (const lease of await jobs.leasedTo(worker)) {
      const own = [...running].some(({ task }) => task.job === lease.job && task.seq === lease.seq && task.token === lease.token)
      if (!own) await jobs.giveBack(lease, { runAt: now(), postponed: false }, now())
    }
  }

  async function lease(limit: number): Promise<readonly PageTask[]> {
    try {
      return await jobs.take({ worker, limit, teamPlaces: options.teamPlaces, busyHosts: busyHosts(), running: others() }, now())
    } catch (error) {
      doubtUntil = now() + doubtMs
      throw error
    }
  }

  /** Whether it is worth looking again at once. */
  async function takeMore(): Promise<boolean> {
    if (!stopped && now() < doubtUntil) await disown()
    const limit = Math.min(options.places + options.waitingRoom - running.size, atOnce)
    if (stopped || limit <= 0) return false
    const wait = running.size < options.places ? 0 : takenAt + aheadMs - now()
    if (wait > 0) {
      lookLater(wait)
      return false
    }
    if (aliveUntil - now() < leaseMs / 2) await beat()
    const tasks = await lease(limit)
    // A stop in the meantime has given them back already.
    if (stopped) return false
    if (tasks.length > 0) takenAt = now()
    for (const task of tasks) begin(task)
    return tasks.length > 0
  }

  const { look, idle } = looker(takeMore, (error) => options.log('pages-unreachable', { reason: String(error) }))
  const ended = endedJobs(jobs, running, options.log)

  return {
    start() {
      stopped = false
      unsubscribe = onChange(() => {
        look()
        ended.check()
      })
      for (const timer of [setInterval(look, lookAgainMs), setInterval(() => void keepAlive(), leaseMs / beatsPerLease)]) timers.add(timer.unref())
      look()
    },
    async stop(graceMs) {
      stopped = true
      unsubscribe()
      await idle()
      const late = setTimeout(() => {
        stopping.abort()
        for (const { abort } of running) abort.abort(new Error('worker stops'))
      }, graceMs)
      await Promise.all([...running].map(({ ended }) => ended))
      clearTimeout(late)
      ended.stop()
      if (later !== null) clearTimeout(later)
      for (const timer of timers) clearTimeout(timer)
      if (aliveUntil > 0) await jobs.leave(worker, now())
    },
  }
}
