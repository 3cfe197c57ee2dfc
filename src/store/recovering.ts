import type { Promises } from './ops/index.ts'
import type { Wakeups } from './wakeups.ts'

/** A job whose row stays locked is waited for no more often than this. */
const restMs = 500

/**
 * Makes the pages of dead workers due again. Jobs whose row is locked are skipped, then waited for one after the other, each for a moment: a
 * row passed on from page to page would never be found free.
 */
export function recovering(ops: Pick<Promises['jobs'], 'orphaned' | 'recover' | 'recoverPassed'>, wakeups: Pick<Wakeups, 'changed'>): (now: number) => Promise<void> {
  let restUntil = Number.NEGATIVE_INFINITY
  let later: NodeJS.Timeout | null = null
  /** Counts the rounds, so that each job comes first once in a while. */
  let looks = 0

  function lookLater(): void {
    restUntil = performance.now() + restMs
    later ??= setTimeout(() => {
      later = null
      wakeups.changed()
    }, restMs).unref()
  }

  return async (now) => {
    if (!(await ops.orphaned(now)) || performance.now() < restUntil) return
    const { recovered, passed } = await ops.recover(now)
    let found = recovered > 0
    const first = passed.length === 0 ? 0 : looks++ % passed.length
    for (const id of [...passed.slice(first), ...passed.slice(0, first)]) {
      if ((await ops.recoverPassed(id, now)) === null) {
        lookLater()
        break
      }
      found = true
    }
    if (found) wakeups.changed()
  }
}
