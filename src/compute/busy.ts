import { type EventLoopUtilization, performance } from 'node:perf_hooks'

const windowMs = 200
/** More idle time than this means a caller that asks for one page after the other: a thread would not help it. */
const busyShare = 0.95

/**
 * Tells whether the calling thread was saturated during the last fifth of a second, or since it was last asked. Costs nothing while nobody
 * asks. The time before the first question does not count: that is the start of the process.
 */
export function busyMeter(): () => boolean {
  let before: EventLoopUtilization | null = null
  let busy = false
  return () => {
    const now = performance.eventLoopUtilization()
    before ??= now
    if (now.idle + now.active - before.idle - before.active >= windowMs) {
      busy = performance.eventLoopUtilization(now, before).utilization >= busyShare
      before = now
    }
    return busy
  }
}
