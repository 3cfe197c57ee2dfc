import { closed, type HostLimits, type HostOutcome, type HostState, limited, newHost, opened, startsIn } from '../domain/politeness.ts'

/** A turn at a host; end it exactly once. */
export interface HostTurn {
  readonly startedAt: number
  end(outcome: HostOutcome): void
}

/** Said instead of a turn: to come again after so many milliseconds. */
export interface HostLater {
  readonly inMs: number
}

/** The pace of this process at each host. */
export interface Hosts {
  /** Waits until the host may be asked; where that is not soon, answers when, so that nobody's place is taken by waiting. Throws the signal's reason. */
  enter(host: string, limits: HostLimits, signal: AbortSignal): Promise<HostTurn | HostLater>
  /** Hosts for which more is waiting already than they will take soon, and those to be left alone at the moment. */
  busy(): readonly string[]
}

interface Waiter {
  readonly limits: HostLimits
  readonly start: () => void
  readonly later: (inMs: number) => void
}

interface Lane {
  state: HostState
  readonly waiting: Set<Waiter>
  timer: NodeJS.Timeout | null
  /** Of a host that wants pauses: the last moment that was given to somebody. */
  given: number
}

/** More than these in wait for one host, and it counts as busy. */
const enoughWaiting = 8
/** Hosts whose state is kept; those without work are forgotten first. */
const maxHosts = 5_000
/** Timers of Node end at 2^31. */
const longestTimer = 60_000
/** Whoever has to wait longer for a host is to come again. */
const patienceMs = 1_000
/** Moments given ahead at a host that wants pauses: so many, and not further than this, since those who got them may not come. */
const given = { most: 16, withinMs: 60_000 }

function adopt(lane: Lane, { maxInFlight, delay }: HostLimits): void {
  const { limits } = lane.state
  if (delay !== limits.delay || maxInFlight !== limits.maxInFlight) lane.state = limited(lane.state, { maxInFlight, delay })
}

/** How long a host is to be left alone, where that is longer than anybody should wait; else 0. */
function heldFor({ state }: Lane, now: number): number {
  const ms = state.heldUntil - now
  return ms > patienceMs ? ms : 0
}

/** In how long somebody new is to come again; 0 for who may wait here. */
function laterIn(lane: Lane, now: number): number {
  const wait = startsIn(lane.state, now)
  const { delay } = lane.state.limits
  if (delay === 0) return heldFor(lane, now)
  if (wait === 0) return 0
  const horizon = now + Math.max(delay, Math.min(given.most * delay, given.withinMs))
  lane.given = Math.min(horizon, Math.max(lane.given, now + (wait < Number.POSITIVE_INFINITY ? wait - delay : 0)) + delay)
  return lane.given - now
}

function isBusy({ state, waiting }: Lane, now: number): boolean {
  return waiting.size >= enoughWaiting || state.heldUntil > now || (state.limits.delay > 0 && startsIn(state, now) > 0)
}

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
    const lane = lanes.get(host) ?? { state: newHost(limits), waiting: new Set(), timer: null, given: 0 }
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
      adopt(lane, waiter.limits)
      const held = heldFor(lane, now())
      const ms = startsIn(lane.state, now())
      if (held === 0 && ms > 0) {
        // Pauses between pages may be longer than timers go.
        if (ms < Number.POSITIVE_INFINITY) lane.timer = setTimeout(() => pump(lane), Math.min(ms, longestTimer)).unref()
        return
      }
      lane.waiting.delete(waiter)
      if (held > 0) {
        waiter.later(held)
        continue
      }
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
      adopt(lane, limits)
      const inMs = laterIn(lane, now())
      if (inMs > 0) return Promise.resolve({ inMs })
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
          later: (ms) => {
            signal.removeEventListener('abort', stop)
            resolve({ inMs: ms })
          },
        }
        signal.addEventListener('abort', stop, { once: true })
        lane.waiting.add(waiter)
        pump(lane)
      })
    },
    busy: () => [...lanes].filter(([, lane]) => isBusy(lane, now())).map(([host]) => host),
  }
}
