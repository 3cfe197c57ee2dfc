import type { Jobs } from '../domain/jobs/jobs.ts'
import type { Promises } from './ops/index.ts'

/** Pages, and as many that are skipped, added in one transaction: the row of the job is locked for some 50 ms. A crawl adds no more at once, so that its pages are ranked beside each other. */
const atOnce = 2_000

/**
 * Adds to a job in transactions of their own, so that nobody waits long for the row of a job to which very much is added. Where the process dies
 * between two of them, what the first brought stays: adding all of it once more brings the rest.
 */
export function appending(append: Promises['jobs']['append']): Jobs['append'] {
  return async (...[id, pages, skipped, now]) => {
    for (let at = 0; ; at += atOnce) {
      const after = at + atOnce
      const more = after < Math.max(pages.length, skipped.length)
      const part = { pages: pages.slice(at, after), skipped: skipped.slice(at, after), place: more ? 'before-more' : at > 0 ? 'last' : 'whole' } as const // `const`: of the type of places
      if (!(await append(id, part, now))) return false
      if (!more) return true
    }
  }
}
