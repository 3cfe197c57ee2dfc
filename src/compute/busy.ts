import { type EventLoopUtilization, performance } from 'node:perf_hooks'

const windowMs = 200
/** A caller that asks for one page after the other leaves more idle time than that between them: it would only wait for a thread. */
const busyShare = 0.95

/**
 * Tells whether the calling thread had next to no time to spare lately, a fifth of a second or as long ago as it was asked before. Costs
 * nothing while nobody asks, and what came before the first question does not count: that is the start of the process.
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
