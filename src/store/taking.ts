import type { Jobs, TakeTerms } from '../domain/jobs/jobs.ts'
import type { PageTask } from '../domain/jobs/pages.ts'
import type { Turn } from './ops/jobs-take.ts'
import type { Promises } from './ops/index.ts'
import type { Wakeups } from './wakeups.ts'

/** A job whose row stays locked is waited for no more often than this, so that nine tenths of the time are left to the others. */
const restMs = 500
/** What was passed over is looked for again so soon where nothing else was to be had. */
const againMs = 100

/**
 * Takes pages of the jobs whose rows are free, at once; of the others one is waited for in line, the one passed over first, for a moment at
 * most: a row that is handed on from page to page would never be found free, and one that is held for long is to hold up nobody.
 */
export function taking(ops: Pick<Promises['jobs'], 'take' | 'takePassed'>, wakeups: Pick<Wakeups, 'changed'>): Jobs['take'] {
  /** In the order in which they are waited for. */
  const passed = new Map<string, Turn>()
  let restUntil = Number.NEGATIVE_INFINITY
  let later: NodeJS.Timeout | null = null

  /** Pages of the job that was passed over first; none while that was in vain just now. */
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
    // What was dealt to the jobs that were passed over goes to others, in a transaction of its own: teams are locked in order.
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
