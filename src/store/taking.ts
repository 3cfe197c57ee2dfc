import type { Jobs, TakeTerms } from '../domain/jobs/jobs.ts'
import type { PageTask } from '../domain/jobs/pages.ts'
import type { Turn } from './ops/jobs/take.ts'
import type { Promises } from './ops/index.ts'
import type { Wakeups } from './wakeups.ts'

/** How often to wait for a job whose row stays locked: nine tenths of the time are left to the other jobs. */
const restMs = 500
/** When nothing could be leased, skipped jobs are tried again after this time. */
const againMs = 100

/**
 * Leases pages: at once from jobs whose rows are free, and after a short wait from one of the skipped jobs, the longest
 * skipped first. A row that is locked by page after page would never be found free, and one that is locked for long must
 * not delay the others.
 */
export function taking(ops: Pick<Promises['jobs'], 'take' | 'takePassed'>, wakeups: Pick<Wakeups, 'changed'>): Jobs['take'] {
  /** Skipped jobs, in the order in which they will be waited for. */
  const passed = new Map<string, Turn>()
  let restUntil = Number.NEGATIVE_INFINITY
  let later: NodeJS.Timeout | null = null

  /** Pages of the job skipped longest ago; none if waiting for one failed a moment ago. */
  async function waitFor(terms: TakeTerms, now: number): Promise<readonly PageTask[]> {
    const [turn] = passed.values()
    if (!turn || performance.now() < restUntil) return []
    passed.delete(turn.id)
    const tasks = await ops.takePassed(turn, terms, now)
    if (tasks !== null) return tasks
    restUntil = performance.now() + restMs
    passed.set(turn.id, turn)
    return []
  }

  function lookLater(): void {
    later ??= setTimeout(() => {
      later = null
      wakeups.changed()
    }, againMs).unref()
  }

  return async (terms, now) => {
    const tasks: PageTask[] = [...(await waitFor(terms, now))]
    const left = (): TakeTerms => ({ ...terms, limit: terms.limit - tasks.length })
    const held = new Set<string>()
    // The shares of skipped jobs go to others, in a transaction of their own, because teams are locked in order.
    for (let more = true; more && left().limit > 0; ) {
      const turn = await ops.take(left(), [...held], now)
      tasks.push(...turn.tasks)
      for (const { job } of turn.tasks) passed.delete(job)
      for (const one of turn.passed) {
        held.add(one.id)
        if (!passed.has(one.id)) passed.set(one.id, one)
      }
      more = turn.passed.length > 0
    }
    if (tasks.length === 0 && held.size > 0) tasks.push(...(await waitFor(terms, now)))
    if (tasks.length === 0 && held.size > 0) lookLater()
    return tasks
  }
}
