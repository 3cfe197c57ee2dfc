import type { Call } from '../domain/call.ts'
import { queueError, ServiceError } from '../domain/errors.ts'
import type { Slots } from '../domain/teams/team-slots.ts'
import { timeLeft } from '../lib/deadline.ts'
import { fairQueue } from '../lib/fair-queue.ts'
import { hasRoom, teamCounts } from '../lib/team-counts.ts'
import { type FleetOptions, fleetPlaces } from './fleet-places.ts'

/** A place in the process; release it exactly once. */
export interface Place {
  /** How long the call waited for it, in milliseconds. */
  readonly waitedMs: number
  /**
   * Whether the queue caused the call's timeout: two thirds of its time had passed when it got the place, and now its time
   * is up, or nearly so.
   */
  isQueueToBlame(): boolean
  release(): void
}

/** Gives places to run in, to requests and to pages of jobs. */
export interface Admission {
  /**
   * Waits for a place, teams taking turns. Throws `QUEUE_FULL` (team), `OVERLOADED` (process), `CONCURRENCY_QUEUE_TIMEOUT`
   * when the call's time is up first, or nearly so.
   */
  enter(call: Call): Promise<Place>
  /**
   * Waits for a place behind everyone in `enter`, teams taking turns: for pages of jobs, which the store has already
   * counted against the team. Throws the signal's reason.
   */
  enterBehind(team: string, signal: AbortSignal): Promise<Place>
  /** Places used and waited for through `enter`, by one team or by all. */
  load(team?: string): { readonly running: number; readonly waiting: number }
  /** Places in use, those of pages of jobs among them. */
  inUse(): number
  /** Places used through `enter`, by team. */
  running(): Readonly<Record<string, number>>
}

export interface AdmissionOptions extends Omit<FleetOptions, 'slots'> {
  /** Places of the process. */
  readonly places: number
  /** Places of one team; over the whole fleet when `slots` is set. */
  readonly teamPlaces: number
  readonly processQueue: number
  readonly teamQueue: number
  /** Counts places over the fleet; null when there is only this process. */
  readonly slots: Slots | null
  /** How many more there are for teams that have none, given how many places the process or its queue has; none by default. */
  readonly spare?: (most: number) => number
}

/** A request that waits for its turn. */
interface Waiter {
  readonly start: () => void
}

const retryAfterSeconds = 1

/** Too little time for any work: a place that comes later than this is useless. */
const leastMs = 100

/** Room in the process, and in its queue. */
function roomOf({ places, processQueue, spare = () => 0 }: AdmissionOptions) {
  return { places: { places, spare: spare(places) }, seats: { places: processQueue, spare: spare(processQueue) } }
}

export function admission(options: AdmissionOptions): Admission {
  const all = teamCounts()
  const entered = teamCounts()
  const waiting = teamCounts()
  const ahead = fairQueue<Waiter>()
  const behind = fairQueue<Waiter>()
  const { places, seats } = roomOf(options)
  const teamFree = (team: string): boolean => options.slots !== null || all.of(team) < options.teamPlaces
  /** Whether the team may have a place at once. Nobody of whom this is true waits: `pump` runs whenever a place is given back. */
  const isFree = (team: string): boolean => hasRoom(all, places, team) && teamFree(team)

  const next = (): Waiter | null => ahead.next(isFree) ?? behind.next(isFree)
  const pump = (): void => {
    for (let waiter = next(); waiter !== null; waiter = next()) waiter.start()
  }

  const leave = (team: string): void => {
    all.add(team, -1)
    pump()
  }

  /** Takes a place for the team if there is one, otherwise waits in that queue. */
  function localPlace(queue: typeof ahead, team: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason)
    if (isFree(team)) {
      all.add(team, 1)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        queue.drop(team, waiter)
        reject(signal.reason)
      }
      const waiter: Waiter = {
        start: () => {
          signal.removeEventListener('abort', stop)
          all.add(team, 1)
          resolve()
        },
      }
      signal.addEventListener('abort', stop, { once: true })
      queue.push(team, waiter)
      pump()
    })
  }

  /** Counts the team's request as waiting during `work`. Throws when no queue has room for it. */
  async function queued(team: string, work: () => Promise<void>): Promise<void> {
    assertRoom(team)
    waiting.add(team, 1)
    try {
      await work()
    } finally {
      waiting.add(team, -1)
    }
  }

  const fleetPlace = options.slots === null ? null : fleetPlaces({ ...options, slots: options.slots })

  function assertRoom(team: string): void {
    if (!hasRoom(waiting, seats, team)) throw new ServiceError('OVERLOADED', undefined, { retryAfterSeconds })
    if (waiting.of(team) >= options.teamQueue) throw new ServiceError('QUEUE_FULL', undefined, { retryAfterSeconds })
  }

  function placeOf(waitedMs: number, isQueueToBlame: () => boolean, giveBack: () => void): Place {
    let held = true
    return {
      waitedMs,
      isQueueToBlame,
      release: () => {
        if (held) giveBack()
        held = false
      },
    }
  }

  return {
    async enter(call) {
      if (call.signal.aborted) throw queueError(call.signal.reason)
      // While others wait, the queue may be full: then the fleet's count, which costs a write, is not queried.
      if (options.slots !== null && waiting.sum() > 0) assertRoom(call.team)
      const started = options.now()
      let waited = false
      const wait: typeof queued = (team, work) => {
        waited = true
        return queued(team, work)
      }
      let releaseFleet: () => void = () => undefined
      try {
        if (fleetPlace !== null) releaseFleet = await fleetPlace(call, wait)
        const local = (): Promise<void> => localPlace(ahead, call.team, call.signal)
        await (isFree(call.team) ? local() : wait(call.team, local))
      } catch (error) {
        releaseFleet()
        throw call.signal.aborted ? queueError(call.signal.reason) : error
      }
      // Calls of a burst time out together: each place released then would go to one whose time is up at the same moment.
      // Its fetch may time out slightly before the call itself.
      const isOver = (): boolean => call.signal.aborted || timeLeft(call, options.now()) < leastMs
      if (waited && isOver()) {
        releaseFleet()
        leave(call.team)
        throw call.signal.aborted ? queueError(call.signal.reason) : new ServiceError('CONCURRENCY_QUEUE_TIMEOUT')
      }
      entered.add(call.team, 1)
      const waitedMs = waited ? options.now() - started : 0
      const isLate = waitedMs > 2 * timeLeft(call, options.now())
      return placeOf(waitedMs, () => isLate && isOver(), () => {
        releaseFleet()
        entered.add(call.team, -1)
        leave(call.team)
      })
    },
    async enterBehind(team, signal) {
      const started = options.now()
      const waits = !isFree(team)
      await localPlace(behind, team, signal)
      return placeOf(waits ? options.now() - started : 0, () => false, () => leave(team))
    },
    load: (team) => (team === undefined ? { running: entered.sum(), waiting: waiting.sum() } : { running: entered.of(team), waiting: waiting.of(team) }),
    inUse: all.sum,
    running: () => entered.byTeam(),
  }
}

/** Does the work of a call in a place; if the queue caused a timeout, the call's error says so. */
export async function inPlace<T>({ enter }: Pick<Admission, 'enter'>, call: Call, work: (place: Place) => Promise<T>): Promise<T> {
  const place = await enter(call)
  try {
    return await work(place)
  } catch (error) {
    throw place.isQueueToBlame() ? queueError(error) : error
  } finally {
    place.release()
  }
}
