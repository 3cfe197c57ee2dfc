import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks'

/** How busy this process was lately. */
export interface Load {
  /** Milliseconds by which the thread is late on average, and the share of its time that it worked, 0 to 1. */
  lately(): { readonly lag: number; readonly busy: number }
  stop(): void
}

const everyMs = 200
const resolutionMs = 10
const restMs = 5_000

/** Measures the thread that calls it, from the first question until nobody has asked for 5 s: measuring wakes the process a hundred times a second. */
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
