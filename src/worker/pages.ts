import { setMaxListeners } from 'node:events'
import type { Jobs } from '../domain/jobs/jobs.ts'
import type { PageTask } from '../domain/jobs/pages.ts'
import { endedJobs, type RunningPage } from './ended-jobs.ts'
import { pageLeases } from './leases.ts'
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
  /** By team, hosts at which enough of its pages wait already. */
  readonly crowdedHosts: () => ReadonlyMap<string, readonly string[]>
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
/** Longest timer: pages due later are found by the regular look. */
const longestTimerMs = 60_000

/** Leases pages of jobs and runs them, with one heartbeat for all (R8). */
export function pagePump({ jobs, run, busyHosts, crowdedHosts, running: others, onChange }: PagePumpPorts, options: PagePumpOptions): PagePump {
  /** A set rather than a map by token: pages leased together share a token. */
  const running = new Set<Running>()
  const { now } = options
  const leases = pageLeases({ jobs, running }, options)
  const stopping = new AbortController()
  // While the store is away, every page that is to be given back listens: that is no leak, and no warning is due.
  setMaxListeners(0, stopping.signal)
  let stopped = true
  /** When pages were leased last, and the timer that looks again if that was too recent. */
  let takenAt = Number.NEGATIVE_INFINITY
  let later: NodeJS.Timeout | null = null
  let unsubscribe: () => void = () => undefined
  const timers = new Set<NodeJS.Timeout>()

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
      await leases.giveBack({ task, abort }, stopping.signal)
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

  /** Whether it is worth looking again at once. */
  async function takeMore(): Promise<boolean> {
    if (!stopped) await leases.giveBackUnknown()
    const limit = Math.min(options.places + options.waitingRoom - running.size, atOnce)
    if (stopped || limit <= 0) return false
    const wait = running.size < options.places ? 0 : takenAt + aheadMs - now()
    if (wait > 0) {
      lookLater(wait)
      return false
    }
    await leases.renew()
    const tasks = await leases.take({ limit, teamPlaces: options.teamPlaces, busyHosts: busyHosts(), crowdedHosts: crowdedHosts(), running: others() })
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
      for (const timer of [setInterval(look, lookAgainMs), setInterval(() => void leases.keepAlive(), options.leaseMs / beatsPerLease)]) timers.add(timer.unref())
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
      await leases.leave()
    },
  }
}
