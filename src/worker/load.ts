import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks'

/** How busy this process was lately. */
export interface Load {
  /** Milliseconds by which it is late on average. */
  lag(): number
  /** Share of its time that its thread worked, 0 to 1. */
  busy(): number
  start(): void
  stop(): void
}

const everyMs = 200
const resolutionMs = 10

/** Measures the thread that calls it, while started. */
export function load(): Load {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  let timer: NodeJS.Timeout | null = null
  let before: EventLoopUtilization = performance.eventLoopUtilization()
  let lag = 0
  let busy = 0
  const measure = (): void => {
    const utilization = performance.eventLoopUtilization()
    busy = performance.eventLoopUtilization(utilization, before).utilization
    before = utilization
    lag = delays.count > 0 ? Math.max(0, delays.mean / 1e6 - resolutionMs) : 0
    delays.reset()
  }
  return {
    lag: () => lag,
    busy: () => busy,
    start() {
      if (timer !== null) return
      delays.enable()
      timer = setInterval(measure, everyMs).unref()
    },
    stop() {
      if (timer !== null) clearInterval(timer)
      timer = null
      delays.disable()
    },
  }
}
