import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks'

/** The recent load of this process. */
export interface Load {
  /** The average delay of the event loop in milliseconds, and the share of time that the thread was busy, 0 to 1. */
  lately(): { readonly lag: number; readonly busy: number }
  stop(): void
}

const everyMs = 200
const resolutionMs = 10
const restMs = 5_000

/**
 * Measures the calling thread from the first call of `lately` until 5 s after the last: measuring wakes the process a
 * hundred times a second.
 */
export function load(): Load {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  let timer: NodeJS.Timeout | null = null
  let before: EventLoopUtilization
  let unasked = 0
  let last = { lag: 0, busy: 0 }
  const stop = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
    delays.disable()
    last = { lag: 0, busy: 0 }
  }
  const measure = (): void => {
    const utilization = performance.eventLoopUtilization()
    last = { lag: delays.count > 0 ? Math.max(0, delays.mean / 1e6 - resolutionMs) : 0, busy: performance.eventLoopUtilization(utilization, before).utilization }
    before = utilization
    delays.reset()
    unasked += everyMs
    if (unasked > restMs) stop()
  }
  const start = (): void => {
    before = performance.eventLoopUtilization()
    delays.reset()
    delays.enable()
    timer = setInterval(measure, everyMs).unref()
  }
  return {
    lately() {
      unasked = 0
      if (timer === null) start()
      return last
    },
    stop,
  }
}
