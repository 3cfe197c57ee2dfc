import type { Jobs, PageTask } from '../domain/jobs.ts'

/** Fetches one page and writes what came of it. Aborts when the worker stops; must not throw for anything that the page does. */
export type PageHandler = (task: PageTask, signal: AbortSignal) => Promise<void>

export interface PagePumpPorts {
  readonly jobs: Jobs
  readonly run: PageHandler
  /** Hosts that are not to be asked at the moment. */
  readonly busyHosts: () => readonly string[]
  /** Synchronous scrapes of this process, by team. */
  readonly running: () => Readonly<Record<string, number>>
  /** Calls back when pages may be due; answers an unsubscribe function. */
  readonly onChange: (listener: () => void) => () => void
}

export interface PagePumpOptions {
  readonly worker: string
  /** Pages leased at once, those included that wait for their host. */
  readonly concurrency: number
  readonly teamPlaces: number
  readonly leaseMs: number
  readonly now: () => number
  readonly log: (event: string, fields: Readonly<Record<string, string | number>>) => void
}

export interface PagePump {
  start(): void
  /** Takes nothing more; after `graceMs` what still runs is given back. */
  stop(graceMs: number): Promise<void>
}

/** A lease lapses without anybody telling: look this often. */
const lookAgainMs = 5_000
/** Pages leased in one go: few, so that a host that turns out to be busy holds up no more than these. */
const atOnce = 16
const beatsPerLease = 3

/** Leases pages of jobs and runs them, one heartbeat for all (R8). */
export function pagePump({ jobs, run, busyHosts, running: others, onChange }: PagePumpPorts, options: PagePumpOptions): PagePump {
  const running = new Map<string, { readonly abort: AbortController; readonly ended: Promise<void> }>()
  const { worker, leaseMs, now } = options
  let stopped = true
  let looking: Promise<void> | null = null
  let again = false
  let aliveUntil = 0
  let unsubscribe: () => void = () => undefined
  let timers: NodeJS.Timeout[] = []

  async function beat(): Promise<void> {
    const until = now() + leaseMs
    await jobs.beat(worker, until, now())
    aliveUntil = until
  }

  /** Leases that ran out while the store was away are another worker's now: their token is refused, so stop working on them. */
  async function keepAlive(): Promise<void> {
    if (running.size === 0) return
    try {
      if (aliveUntil <= now()) for (const { abort } of running.values()) abort.abort(new Error('lease lost'))
      await beat()
    } catch (error) {
      options.log('heartbeat-failed', { reason: String(error) })
    }
  }

  function begin(task: PageTask): void {
    const abort = new AbortController()
    const ended = run(task, abort.signal)
      .catch((error: unknown) => options.log('page-not-settled', { job: task.job, page: task.seq, reason: String(error) }))
      .finally(() => {
        running.delete(task.token)
        look()
      })
    running.set(task.token, { abort, ended })
  }

  async function takeMore(): Promise<void> {
    const limit = Math.min(options.concurrency - running.size, atOnce)
    if (stopped || limit <= 0) return
    if (aliveUntil - now() < leaseMs / 2) await beat()
    const tasks = await jobs.take({ worker, limit, teamPlaces: options.teamPlaces, busyHosts: busyHosts(), running: others() }, now())
    // A stop in the meantime has given them back already.
    if (stopped) return
    for (const task of tasks) begin(task)
    again ||= tasks.length > 0
  }

  function look(): void {
    again = true
    looking ??= (async () => {
      while (again && !stopped) {
        again = false
        await takeMore().catch((error: unknown) => options.log('pages-unreachable', { reason: String(error) }))
      }
      looking = null
    })()
  }

  return {
    start() {
      stopped = false
      unsubscribe = onChange(look)
      timers = [setInterval(look, lookAgainMs), setInterval(() => void keepAlive(), leaseMs / beatsPerLease)]
      for (const timer of timers) timer.unref()
      look()
    },
    async stop(graceMs) {
      stopped = true
      unsubscribe()
      await looking
      const late = setTimeout(() => {
        for (const { abort } of running.values()) abort.abort(new Error('worker stops'))
      }, graceMs)
      await Promise.all([...running.values()].map(({ ended }) => ended))
      clearTimeout(late)
      for (const timer of timers) clearInterval(timer)
      if (aliveUntil > 0) await jobs.leave(worker, now())
    },
  }
}
