import type { Clock } from '../domain/clock.ts'
import type { Store } from '../domain/store.ts'
import type { Log } from '../http/ports.ts'
import { steadyNow } from '../lib/steady-now.ts'

/** By how much the time of this process may differ from that of the fleet: leases last several times as long. */
const toleratedMs = 2_000
/** How often it is compared, in milliseconds. */
const everyMs = 5_000
/** An answer that took longer tells too little. */
const slowMs = 1_000

/** A clock that can be set by another. */
export interface FollowingClock extends Clock {
  /**
   * Asks the other clock for its time, and goes by that from then on. Returns the correction in milliseconds; 0 for one that
   * does not matter.
   */
  follow(theirs: () => Promise<number>): Promise<number>
}

/**
 * A clock with its own time until it follows another; from then on, setting its own does not matter: between two answers
 * it counts by `steady`, which nobody sets.
 */
export function followingClock(own: () => number, steady: () => number): FollowingClock {
  let offset: number | null = null
  const now = (): number => (offset === null ? own() : steady() + offset)
  return {
    now,
    async follow(theirs) {
      const asked = steady()
      const time = await theirs()
      const took = steady() - asked
      if (took > slowMs) return 0
      const there = Math.round(time + took / 2)
      const correction = there - now()
      const matters = Math.abs(correction) > toleratedMs
      if (matters || offset === null) offset = there - steady()
      return matters ? correction : 0
    },
  }
}

/**
 * The time by which this process decides: everything in it must agree on that. Processes that share a database compare
 * times that others wrote, so they all follow its clock.
 */
export const systemClock: FollowingClock = followingClock(Date.now, steadyNow)

/** Keeps the clock of this process with that of a shared database; an embedded one has the same. */
export function databaseClock(store: Pick<Store, 'name' | 'time'>, log: Log): { start(): Promise<void>; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let asking = false
  async function follow(): Promise<void> {
    if (asking) return
    asking = true
    // A database that is away stops all that would need its time; others say so.
    const correctionMs = await systemClock.follow(() => store.time()).catch(() => 0)
    asking = false
    if (correctionMs !== 0) log('warn', 'clock-corrected', { ms: correctionMs, hint: 'the clock of this machine or that of the database is wrong, or the latter was set' })
  }
  return {
    async start() {
      if (store.name !== 'postgres') return
      await follow()
      timer = setInterval(() => void follow(), everyMs).unref()
    },
    stop: () => clearInterval(timer),
  }
}
