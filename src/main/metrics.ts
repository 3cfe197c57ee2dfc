import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Admission } from '../app/admission.ts'
import type { Metrics } from '../http/ports.ts'

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** Counters of this process for Prometheus. */
export function promMetrics(admission: () => Admission, startedAt: number): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({ name: 'trawl_http_requests_total', help: 'Requests answered.', labelNames: ['route', 'method', 'status'], registers })
  const seconds = new Histogram({ name: 'trawl_http_request_seconds', help: 'Time to answer.', labelNames: ['route'], buckets: secondsBuckets, registers })
  new Gauge({ name: 'trawl_scrapes_running', help: 'Scrapes in flight in this process.', registers, collect() { this.set(admission().load().running) } })
  new Gauge({ name: 'trawl_scrapes_waiting', help: 'Requests waiting for a place in this process.', registers, collect() { this.set(admission().load().waiting) } })
  new Gauge({ name: 'process_resident_memory_bytes', help: 'Resident memory.', registers, collect() { this.set(process.memoryUsage.rss()) } })
  new Counter({ name: 'process_cpu_seconds_total', help: 'CPU time, user and system.', registers, collect() {
    const { user, system } = process.cpuUsage()
    this.reset()
    this.inc((user + system) / 1e6)
  } })
  new Gauge({ name: 'process_start_time_seconds', help: 'Start of the process since 1970.', registers }).set(startedAt / 1000)
  return {
    request(route, method, status, ms) {
      requests.inc({ route, method, status })
      seconds.observe({ route }, ms / 1000)
    },
    text: () => registry.metrics(),
  }
}
