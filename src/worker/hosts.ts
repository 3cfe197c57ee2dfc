import { backIn, closed, type HostLimits, type HostOutcome, type HostState, limited, newHost, opened, startsIn } from '../domain/fetching/politeness.ts'
import { type FairQueue, fairQueue } from '../lib/fair-queue.ts'
import { type TeamCounts, teamCounts } from '../lib/team-counts.ts'

/** A turn at a host; call `end` or `away` exactly once. */
export interface HostTurn {
  readonly startedAt: number
  /** Whether the host had answered this process before, by the same scheme: its other port may be closed. */
  readonly hasAnswered: boolean
  /** Whether the host has answered nobody for the second half of the time since then; at the beginning, some answers are still under way. */
  isSilent(): boolean
  /** Whether no host has answered this process for five seconds. */
  nobodyAnswers(): boolean
  end(outcome: HostOutcome): void
  /** Ends the turn at a host that cannot be reached, or says nothing. Returns in how many milliseconds to come back, null if there is no hope left. */
  away(kind: 'away' | 'mute'): number | null
}

/** Given instead of a turn: come back in that many milliseconds. */
export interface HostLater {
  readonly inMs: number
}

/** Whose turn it is. */
export interface HostPage {
  readonly team: string
  readonly host: string
  readonly url: string
}

/** The pace of this process at each host. */
export interface Hosts {
  /**
   * Waits until the host may be asked. Returns `HostLater` when that is not soon, so that waiting takes nobody's place.
   * Throws the signal's reason.
   */
  enter(page: HostPage, limits: HostLimits, signal: AbortSignal): Promise<HostTurn | HostLater>
  /** Hosts that must not be asked at the moment. */
  busy(): readonly string[]
  /** By team, hosts at which enough of its pages wait. */
  crowded(): ReadonlyMap<string, readonly string[]>
}

interface Waiter {
  readonly team: string
  readonly limits: HostLimits
  readonly start: () => void
  readonly later: (inMs: number) => void
}

interface Lane {
  state: HostState
  /** The schemes by which it has answered. */
  readonly schemes: Set<string>
  readonly waiting: FairQueue<Waiter>
  /** How many of them are of which team. */
  readonly crowd: TeamCounts
  /** The pages under way, by team. */
  readonly under: TeamCounts
  timer: NodeJS.Timeout | null
  /** When a page began here last, and the timer of a crowd that waits for the next. */
  begunAt: number
  thinning: NodeJS.Timeout | null
  /** Of a host with pauses: the latest time that was given out. */
  given: number
}

/** So many pages of a team wait at a host, and no more are leased; once `most` of all teams wait, one of each team must do. Where none begins, no more than that may stay. */
const enough = { ofTeam: 8, most: 32 }
/** How many hosts are remembered; those without work are forgotten first. */
const maxHosts = 5_000
/** How long a timer runs at most before it looks again: a pause may be longer than those of Node can be. */
const lookAgainMs = 60_000
/** When no host has answered for so long, our own network may be down. */
const silentMs = 5_000
/** A page that would have to wait longer for a held host comes back later. */
const patienceMs = 1_000
/** Limits of the times given out in advance at a host with pauses, because whoever got one may not come back. */
const given = { most: 16, withinMs: 60_000 }

function adopt(lane: Lane, { maxInFlight, delay }: HostLimits): void {
  const { limits } = lane.state
  if (delay !== limits.delay || maxInFlight !== limits.maxInFlight) lane.state = limited(lane.state, { maxInFlight, delay })
}

/** How many milliseconds a host is on hold, if that is longer than anybody should wait; otherwise 0. */
function heldFor({ state }: Lane, now: number): number {
  const ms = state.heldUntil - now
  return ms > patienceMs ? ms : 0
}

function isCrowded({ crowd }: Lane, team: string): boolean {
  return crowd.of(team) >= (crowd.sum() < enough.most ? enough.ofTeam : 1)
}

/** In how many milliseconds a new page is to come back; 0 when it may wait here. */
function laterIn(lane: Lane, now: number): number {
  const wait = startsIn(lane.state, now)
  const { delay } = lane.state.limits
  if (delay === 0) return heldFor(lane, now)
  if (wait === 0) return 0
  const horizon = now + Math.max(delay, Math.min(given.most * delay, given.withinMs))
  lane.given = Math.min(horizon, Math.max(lane.given, now + (wait < Number.POSITIVE_INFINITY ? wait - delay : 0)) + delay)
  return lane.given - now
}

/** Takes a page out of a crowd that stands, one of those whose team has others waiting; null if there is none. */
function surplus({ crowd, waiting }: Lane, stands: boolean): Waiter | null {
  return stands && crowd.sum() >= enough.most ? waiting.next((team) => crowd.of(team) > 1) : null
}

function isBusy({ state }: Lane, now: number): boolean {
  return state.heldUntil > now || (state.limits.delay > 0 && startsIn(state, now) > 0)
}

/**
 * Limits the concurrent pages per host by the rules of `domain/fetching/politeness`: teams in turn, the pages of each in order of
 * arrival. A team without a page under way need not wait for those of others.
 */
export function hosts(now: () => number): Hosts {
  const lanes = new Map<string, Lane>()
  /** When any host answered last. */
  let heardAt = Number.NEGATIVE_INFINITY

  const forget = (): void => {
    for (const [host, { state, crowd }] of lanes) {
      if (lanes.size <= maxHosts) return
      if (state.inFlight === 0 && crowd.sum() === 0 && state.heldUntil <= now()) lanes.delete(host)
    }
  }

  const laneOf = (host: string, limits: HostLimits): Lane => {
    const lane = lanes.get(host) ?? { state: newHost(limits), schemes: new Set(), waiting: fairQueue(), crowd: teamCounts(), under: teamCounts(), timer: null, begunAt: now(), thinning: null, given: 0 }
    // The host served last is forgotten last.
    lanes.delete(host)
    lanes.set(host, lane)
    forget()
    return lane
  }

  const pump = (lane: Lane): void => {
    if (lane.timer !== null) clearTimeout(lane.timer)
    lane.timer = null
    let soonest = Number.POSITIVE_INFINITY
    const may = (team: string, { limits }: Waiter): boolean => {
      adopt(lane, limits)
      const ms = heldFor(lane, now()) > 0 ? 0 : startsIn(lane.state, now(), { hasNone: lane.under.of(team) === 0 })
      soonest = Math.min(soonest, ms)
      return ms === 0
    }
    for (let waiter = lane.waiting.next(may); waiter !== null; waiter = lane.waiting.next(may)) {
      lane.crowd.add(waiter.team, -1)
      const held = heldFor(lane, now())
      if (held > 0) {
        waiter.later(held)
        continue
      }
      lane.state = opened(lane.state)
      lane.under.add(waiter.team, 1)
      lane.begunAt = now()
      waiter.start()
      soonest = Number.POSITIVE_INFINITY
    }
    if (soonest < Number.POSITIVE_INFINITY) lane.timer = setTimeout(() => pump(lane), Math.min(soonest, lookAgainMs)).unref()
  }

  /** While many pages wait, looks whether any begins, and otherwise sends pages back: they keep places that pages of other hosts could have. */
  const thin = (lane: Lane): void => {
    if (lane.crowd.sum() < enough.most || lane.thinning !== null) return
    lane.thinning = setTimeout(() => {
      lane.thinning = null
      const stands = now() - lane.begunAt >= patienceMs
      for (let waiter = surplus(lane, stands); waiter !== null; waiter = surplus(lane, stands)) {
        lane.crowd.add(waiter.team, -1)
        waiter.later(patienceMs)
      }
      thin(lane)
    }, patienceMs).unref()
  }

  const turnOf = (lane: Lane, { team, url }: HostPage): HostTurn => {
    const startedAt = now()
    const scheme = url.slice(0, url.indexOf(':'))
    const end = (outcome: HostOutcome): void => {
      if (outcome.kind === 'answered') {
        lane.schemes.add(scheme)
        heardAt = now()
      }
      lane.state = closed(lane.state, outcome, now())
      lane.under.add(team, -1)
      pump(lane)
    }
    return {
      startedAt,
      hasAnswered: lane.schemes.has(scheme),
      nobodyAnswers: () => now() - heardAt > silentMs,
      isSilent: () => lane.state.heardAt < (startedAt + now()) / 2,
      end,
      away(kind) {
        end({ kind, startedAt })
        return backIn(lane.state, now())
      },
    }
  }

  return {
    enter(page, limits, signal) {
      const { team, host } = page
      if (signal.aborted) return Promise.reject(signal.reason)
      const lane = laneOf(host, limits)
      adopt(lane, limits)
      const inMs = laterIn(lane, now())
      if (inMs > 0) return Promise.resolve({ inMs })
      return new Promise((resolve, reject) => {
        const stop = (): void => {
          if (lane.waiting.drop(team, waiter)) lane.crowd.add(team, -1)
          reject(signal.reason)
          pump(lane)
        }
        const waiter: Waiter = {
          team,
          limits,
          start: () => {
            signal.removeEventListener('abort', stop)
            resolve(turnOf(lane, page))
          },
          later: (ms) => {
            signal.removeEventListener('abort', stop)
            resolve({ inMs: ms })
          },
        }
        signal.addEventListener('abort', stop, { once: true })
        lane.waiting.push(team, waiter)
        lane.crowd.add(team, 1)
        pump(lane)
        thin(lane)
      })
    },
    busy: () => [...lanes].filter(([, lane]) => isBusy(lane, now())).map(([host]) => host),
    crowded() {
      const crowded = new Map<string, string[]>()
      for (const [host, lane] of lanes) {
        if (lane.crowd.sum() < enough.ofTeam) continue
        for (const team of Object.keys(lane.crowd.byTeam())) if (isCrowded(lane, team)) crowded.set(team, [...(crowded.get(team) ?? []), host])
      }
      return crowded
    },
  }
}
