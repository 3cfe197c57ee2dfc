import { closed, type HostLimits, type HostOutcome, type HostState, limited, newHost, opened, startsIn } from '../domain/politeness.ts'

/** A turn at a host; end it exactly once. */
export interface HostTurn {
  readonly startedAt: number
  end(outcome: HostOutcome): void
}

/** The pace of this process at each host. */
export interface Hosts {
  /** Waits until the host may be asked. Throws the signal's reason. */
  enter(host: string, limits: HostLimits, signal: AbortSignal): Promise<HostTurn>
  /** Hosts for which more is waiting already than they will take soon. */
  busy(): readonly string[]
}

interface Waiter {
  readonly limits: HostLimits
  readonly start: () => void
}

interface Lane {
  state: HostState
  readonly waiting: Set<Waiter>
  timer: NodeJS.Timeout | null
}

/** More than these in wait for one host, and it counts as busy. */
const enoughWaiting = 8
/** Hosts whose state is kept; those without work are forgotten first. */
const maxHosts = 5_000
/** Timers of Node end at 2^31. */
const longestTimer = 60_000

/** Lets as many pages at once to a host as `domain/politeness` says, in the order of asking. */
export function hosts(now: () => number): Hosts {
  const lanes = new Map<string, Lane>()

  const forget = (): void => {
    for (const [host, { state, waiting }] of lanes) {
      if (lanes.size <= maxHosts) return
      if (state.inFlight === 0 && waiting.size === 0 && state.heldUntil <= now()) lanes.delete(host)
    }
  }

  const laneOf = (host: string, limits: HostLimits): Lane => {
    const lane = lanes.get(host) ?? { state: newHost(limits), waiting: new Set(), timer: null }
    // The host served last is forgotten last.
    lanes.delete(host)
    lanes.set(host, lane)
    forget()
    return lane
  }

  const pump = (lane: Lane): void => {
    if (lane.timer !== null) clearTimeout(lane.timer)
    lane.timer = null
    for (const waiter of lane.waiting) {
      if (waiter.limits.delay !== lane.state.limits.delay || waiter.limits.maxInFlight !== lane.state.limits.maxInFlight) lane.state = limited(lane.state, waiter.limits)
      const ms = startsIn(lane.state, now())
      if (ms > 0) {
        if (ms < Number.POSITIVE_INFINITY) lane.timer = setTimeout(() => pump(lane), Math.min(ms, longestTimer)).unref()
        return
      }
      lane.waiting.delete(waiter)
      lane.state = opened(lane.state)
      waiter.start()
    }
  }

  const turnOf = (lane: Lane): HostTurn => ({
    startedAt: now(),
    end(outcome) {
      lane.state = closed(lane.state, outcome, now())
      pump(lane)
    },
  })

  return {
    enter(host, limits, signal) {
      if (signal.aborted) return Promise.reject(signal.reason)
      const lane = laneOf(host, limits)
      return new Promise((resolve, reject) => {
        const stop = (): void => {
          lane.waiting.delete(waiter)
          reject(signal.reason)
          pump(lane)
        }
        const waiter: Waiter = {
          limits,
          start: () => {
            signal.removeEventListener('abort', stop)
            resolve(turnOf(lane))
          },
        }
        signal.addEventListener('abort', stop, { once: true })
        lane.waiting.add(waiter)
        pump(lane)
      })
    },
    busy: () => [...lanes].filter(([, { waiting }]) => waiting.size >= enoughWaiting).map(([host]) => host),
  }
}
