import type { Registry } from 'prom-client'
import type { Admission } from '../app/admission.ts'
import type { Metrics } from '../http/ports.ts'
import { once } from '../lib/once.ts'

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

interface Instruments {
  readonly registry: Registry
  observe(route: string, method: string, status: number, seconds: number): void
}

/** The counters themselves; their library is loaded late, because a start should not pay for it. */
async function instruments(admission: () => Admission, startedAt: number): Promise<Instruments> {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({ name: 'trawl_http_requests_total', help: 'Requests answered.', labelNames: ['route', 'method', 'status'], registers })
  const seconds = new Histogram({ name: 'trawl_http_request_seconds', help: 'Time to answer.', labelNames: ['route'], buckets: secondsBuckets, registers })
  const gauge = (name: string, help: string, value: () => number): unknown => new Gauge({ name, help, registers, collect() { this.set(value()) } })
  gauge('trawl_scrapes_running', 'Scrapes in flight in this process.', () => admission().load().running)
  gauge('trawl_scrapes_waiting', 'Requests waiting for a place in this process.', () => admission().load().waiting)
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

/** The library is loaded this long after the first answer, or when somebody asks. */
const loadAfterMs = 2_000

/** Counters of this process for Prometheus. */
export function processMetrics(admission: () => Admission, startedAt: number): Metrics {
  const ready = once(() => instruments(admission, startedAt))
  const early: (readonly [route: string, method: string, status: number, seconds: number])[] = []
  let loaded: Instruments | null = null
  const load = once(async () => {
    loaded = await ready()
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
