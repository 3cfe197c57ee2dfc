import type { Admission } from '../app/admission.ts'
import type { Metrics } from '../http/ports.ts'
import { counter, histogram, observed } from './exposition.ts'

const secondsBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Counters of this process for Prometheus. */
export function processMetrics(admission: () => Admission, startedAt: number): Metrics {
  const requests = counter('trawl_http_requests_total', 'Requests answered.')
  const seconds = histogram('trawl_http_request_seconds', 'Time to answer.', secondsBounds)
  const metrics = [
    requests,
    seconds,
    observed('trawl_scrapes_running', 'gauge', 'Scrapes in flight in this process.', () => admission().load().running),
    observed('trawl_scrapes_waiting', 'gauge', 'Requests waiting for a place in this process.', () => admission().load().waiting),
    observed('process_resident_memory_bytes', 'gauge', 'Resident memory.', process.memoryUsage.rss),
    observed('process_cpu_seconds_total', 'counter', 'CPU time, user and system.', cpuSeconds),
    observed('process_start_time_seconds', 'gauge', 'Start of the process since 1970.', () => startedAt / 1000),
  ]
  return {
    request(route, method, status, ms) {
      requests.add({ route, method, status })
      seconds.observe({ route }, ms / 1000)
    },
    text: async () => `${metrics.map((one) => one.text()).join('\n')}\n`,
  }
}
