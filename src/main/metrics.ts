import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Registry } from 'prom-client'
import type { Admission } from '../app/admission.ts'
import type { BodyRoom } from '../app/body-room.ts'
import type { Backlog } from '../domain/store.ts'
import type { Metrics } from '../http/ports.ts'
import { once } from '../lib/once.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import type { Tallies, Tally } from './tallies.ts'

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

interface Instruments {
  readonly registry: Registry
  observe(route: string, method: string, status: number, seconds: number): void
}

/** Values that are read when metrics are requested. */
export interface Measured {
  admission(): Pick<Admission, 'load' | 'inUse'>
  /** Scrapes that this process makes for other ones; they take no place of the admission. */
  tasks(): number
  readonly bodies: Pick<BodyRoom, 'load'>
  /** Live sessions of this process. */
  sessions(): number
  readonly tallies: Tallies
  /** What waits in the store; may reject. */
  backlog(): Promise<Backlog>
}

/** Metrics do not wait longer than this for the store: they are needed most while it is away. */
const backlogMs = 2_000

/** Resolution of the event loop monitor, in milliseconds. */
const resolution = 20

/** After this time without a request, the monitor stops. */
const restMs = 5 * 60_000

/**
 * Returns a function that gives the longest delay of the event loop since its last call, in seconds; 0 for the first call
 * and after five minutes without calls, because monitoring wakes the process fifty times a second.
 */
function longestHoldUp(): () => number {
  const delays = monitorEventLoopDelay({ resolution })
  let resting: NodeJS.Timeout | undefined
  return () => {
    const { max } = delays
    delays.enable()
    delays.reset()
    clearTimeout(resting)
    resting = setTimeout(() => {
      delays.disable()
      delays.reset()
    }, restMs).unref()
    return Math.max(0, max / 1e9 - resolution / 1000)
  }
}

/** The counters themselves; their library is loaded late, so that a start does not pay for it. */
async function instruments({ admission, tasks, bodies, sessions, tallies, backlog }: Measured, startedAt: number): Promise<Instruments> {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({ name: 'trawl_http_requests_total', help: 'Requests answered.', labelNames: ['route', 'method', 'status'], registers })
  const seconds = new Histogram({ name: 'trawl_http_request_seconds', help: 'Time to answer.', labelNames: ['route'], buckets: secondsBuckets, registers })
  const gauge = (name: string, help: string, value: () => number): unknown => new Gauge({ name, help, registers, collect() { this.set(value()) } })
  gauge('trawl_scrapes_running', 'Scrapes in flight in this process, those for jobs and for other processes among them.', () => admission().inUse() + tasks())
  gauge('trawl_scrapes_waiting', 'Requests waiting for a place in this process.', () => admission().load().waiting)
  gauge('trawl_body_bytes', 'Memory set aside for large page bodies that are under way.', () => bodies.load().bytes)
  gauge('trawl_bodies_waiting', 'Large page bodies that wait for memory.', () => bodies.load().waiting)
  gauge('trawl_event_loop_delay_max_seconds', 'Longest time for which this process came to nothing else, since this was last asked; 0 at first, and when that was five minutes ago.', longestHoldUp())
  gauge('trawl_browser_sessions', 'Live browser sessions in this process.', sessions)
  const tally = (name: string, help: string, ends: Tally): unknown => new Counter({ name, help, labelNames: ['outcome'], registers, collect() {
    this.reset()
    for (const [outcome, count] of ends) this.inc({ outcome }, count)
  } })
  tally('trawl_job_pages_total', 'Pages of batches and crawls that this process has finished.', tallies.pages)
  tally('trawl_webhook_attempts_total', 'Attempts of this process to deliver a webhook.', tallies.webhooks)
  new Gauge({ name: 'trawl_backlog', help: 'What waits in the store, for the whole fleet: pages of batches and crawls, and webhooks, also those that are tried again later. Left out while the store is away.', labelNames: ['of'], registers, async collect() {
    this.reset()
    const known = await withTimeout(backlog(), backlogMs, () => null).catch(() => null) // its absence tells
    for (const [of, count] of Object.entries(known ?? {})) this.set({ of }, count)
  } })
  gauge('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss)
  gauge('process_start_time_seconds', 'Start of the process since 1970.', () => startedAt / 1000)
  new Counter({ name: 'process_cpu_seconds_total', help: 'CPU time, user and system.', registers, collect() {
    const { user, system } = process.cpuUsage()
    this.reset()
    this.inc((user + system) / 1e6)
  } })
  return {
    registry,
    observe(route, method, status, took) {
      requests.inc({ route, method, status })
      seconds.observe({ route }, took)
    },
  }
}

/** The library is loaded this long after the first response, or when metrics are requested. */
const loadAfterMs = 2_000

/** Counters of this process for Prometheus. */
export function processMetrics(measured: Measured, startedAt: number): Metrics {
  const early: (readonly [route: string, method: string, status: number, seconds: number])[] = []
  let loaded: Instruments | null = null
  const load = once(async () => {
    loaded = await instruments(measured, startedAt)
    for (const seen of early.splice(0)) loaded.observe(...seen)
    return loaded
  })
  const soon = once(() => void setTimeout(load, loadAfterMs).unref())
  return {
    request(route, method, status, ms) {
      if (loaded !== null) return loaded.observe(route, method, status, ms / 1000)
      early.push([route, method, status, ms / 1000])
      soon()
    },
    text: async () => (await load()).registry.metrics(),
  }
}
