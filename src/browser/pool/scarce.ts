import { readFileSync } from 'node:fs'
import { ServiceError } from '../../domain/errors.ts'
import { type Slots, slots, type Waiter } from '../../lib/slots.ts'
import { containerKills } from '../chromium/container.ts'
import { PageLost } from '../page-lost.ts'

/** How long pages come one after the other once the kernel has killed for want of memory. */
const scarceMs = 60_000

/**
 * How many processes the kernel has killed for want of memory: of our control group, so that another service's are not taken
 * for ours, or else of the machine. 0 where it does not say.
 */
export function kernelKills(): number {
  const ours = containerKills()
  if (ours !== null) return ours
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'latin1'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Keeps pages from killing each other on a machine that has no memory for all of them. */
export interface Scarcity {
  /** Waits until the other pages have ended if memory is scarce; returns the function that lets the next one in. */
  enter(waiter: Waiter): Promise<() => void>
  /** Does the work of a page. Throws `OVERLOADED` for a page that was lost while the kernel killed for want of memory. */
  watch<T>(work: () => Promise<T>): Promise<T>
}

export function scarcity(now: () => number, kills: () => number): Scarcity {
  const line: Slots = slots(1)
  let until = 0
  return {
    enter: (waiter) => (now() < until ? line.enter(waiter) : Promise.resolve(() => undefined)),
    async watch(work) {
      const before = kills()
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof PageLost) || kills() === before) throw error
        until = now() + scarceMs
        throw new ServiceError('OVERLOADED', 'The memory of the machine did not suffice for the page.', { cause: error, retryAfterSeconds: 5 })
      }
    },
  }
}
