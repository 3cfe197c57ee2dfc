import { randomUUID } from 'node:crypto'
import type { Call } from '../domain/call.ts'
import { ServiceError } from '../domain/errors.ts'
import type { Slots } from '../domain/ports.ts'

/** A place in the process; give it back exactly once. */
export interface Place {
  /** Milliseconds waited for it. */
  readonly waitedMs: number
  release(): void
}

export interface Admission {
  /**
   * Waits for a place, teams taking turns. Throws `QUEUE_FULL` (team), `OVERLOADED` (process),
   * `CONCURRENCY_QUEUE_TIMEOUT` when the call's time runs out first.
   */
  enter(call: Call): Promise<Place>
  /** What is in use, of a team or in all. */
  load(team?: string): { readonly running: number; readonly waiting: number }
}

export interface AdmissionOptions {
  /** Places of the process. */
  readonly places: number
  /** Places of one team; over the whole fleet when `slots` is given. */
  readonly teamPlaces: number
  readonly processQueue: number
  readonly teamQueue: number
  /** Counts places over the fleet; null where this process is the fleet. */
  readonly slots: Slots | null
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

interface Waiter {
  readonly start: () => void
}

/** How long a fleet place lasts when its process dies. */
const slotSlackMs = 5_000
const slotPollMs = 50
const retryAfterSeconds = 1

/** Waiting for a place is not the page's fault: the code says so (contract §15.21). */
function waitError(call: Call): unknown {
  const { reason } = call.signal
  return reason instanceof ServiceError && reason.code === 'SCRAPE_TIMEOUT' ? new ServiceError('CONCURRENCY_QUEUE_TIMEOUT') : reason
}

/** Turns of teams: a map keeps insertion order, so the team served last goes to the end. */
function fairQueue(): { push(team: string, waiter: Waiter): void; drop(team: string, waiter: Waiter): void; next(free: (team: string) => boolean): Waiter | null; size(team?: string): number } {
  const queues = new Map<string, Set<Waiter>>()
  const drop = (team: string, waiter: Waiter): void => {
    const queue = queues.get(team)
    queue?.delete(waiter)
    if (queue?.size === 0) queues.delete(team)
  }
  return {
    push: (team, waiter) => void queues.set(team, (queues.get(team) ?? new Set()).add(waiter)),
    drop,
    next(free) {
      for (const [team, queue] of queues) {
        if (!free(team)) continue
        const [waiter] = queue
        if (waiter === undefined) continue
        queues.delete(team)
        queue.delete(waiter)
        if (queue.size > 0) queues.set(team, queue)
        return waiter
      }
      return null
    },
    size: (team) => (team === undefined ? [...queues.values()].reduce((sum, queue) => sum + queue.size, 0) : (queues.get(team)?.size ?? 0)),
  }
}

export function admission(options: AdmissionOptions): Admission {
  const running = new Map<string, number>()
  let total = 0
  let waitingAll = 0
  const waitingOf = new Map<string, number>()
  const queue = fairQueue()
  const teamFree = (team: string): boolean => options.slots !== null || (running.get(team) ?? 0) < options.teamPlaces

  const take = (team: string): void => {
    total += 1
    running.set(team, (running.get(team) ?? 0) + 1)
  }

  const pump = (): void => {
    while (total < options.places) {
      const waiter = queue.next(teamFree)
      if (waiter === null) return
      waiter.start()
    }
  }

  const leave = (team: string): void => {
    total -= 1
    const left = (running.get(team) ?? 1) - 1
    if (left === 0) running.delete(team)
    else running.set(team, left)
    pump()
  }

  function localPlace(call: Call): Promise<void> {
    if (call.signal.aborted) return Promise.reject(call.signal.reason)
    if (total < options.places && teamFree(call.team) && queue.size() === 0) {
      take(call.team)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        queue.drop(call.team, waiter)
        reject(call.signal.reason)
      }
      const waiter: Waiter = {
        start: () => {
          call.signal.removeEventListener('abort', stop)
          take(call.team)
          resolve()
        },
      }
      call.signal.addEventListener('abort', stop, { once: true })
      queue.push(call.team, waiter)
      pump()
    })
  }

  async function fleetPlace(call: Call): Promise<() => void> {
    const { slots } = options
    if (slots === null) return () => undefined
    // Not the id of the call, which callers may choose: two requests of one id would share a place, whosever they are.
    const holder = randomUUID()
    while (!(await slots.acquire(call.team, holder, options.teamPlaces, call.deadline + slotSlackMs, options.now()))) {
      await options.sleep(slotPollMs, call.signal)
    }
    return () => void slots.release(holder).catch((error: unknown) => call.log('slot-release-failed', { reason: String(error) }))
  }

  function assertRoom(team: string): void {
    if (waitingAll >= options.processQueue) throw new ServiceError('OVERLOADED', undefined, { retryAfterSeconds })
    if ((waitingOf.get(team) ?? 0) >= options.teamQueue) throw new ServiceError('QUEUE_FULL', undefined, { retryAfterSeconds })
  }

  const countWaiting = (team: string, by: 1 | -1): void => {
    waitingAll += by
    const count = (waitingOf.get(team) ?? 0) + by
    if (count === 0) waitingOf.delete(team)
    else waitingOf.set(team, count)
  }

  return {
    async enter(call) {
      if (call.signal.aborted) throw waitError(call)
      const free = options.slots === null && total < options.places && teamFree(call.team) && queue.size() === 0
      if (!free) assertRoom(call.team)
      const started = options.now()
      countWaiting(call.team, 1)
      let releaseFleet: () => void = () => undefined
      try {
        releaseFleet = await fleetPlace(call)
        await localPlace(call)
      } catch (error) {
        releaseFleet()
        throw call.signal.aborted ? waitError(call) : error
      } finally {
        countWaiting(call.team, -1)
      }
      let held = true
      return {
        waitedMs: free ? 0 : options.now() - started,
        release: () => {
          if (!held) return
          held = false
          releaseFleet()
          leave(call.team)
        },
      }
    },
    load: (team) =>
      team === undefined ? { running: total, waiting: waitingAll } : { running: running.get(team) ?? 0, waiting: waitingOf.get(team) ?? 0 },
  }
}
