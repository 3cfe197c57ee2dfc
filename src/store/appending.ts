import type { Jobs } from '../domain/jobs/jobs.ts'
import type { Promises } from './ops/index.ts'

/** Pages, and as many skipped URLs, added in one transaction, which locks the job's row for some 50 ms. A crawl adds at most this many at once, so that they are ranked together. */
const atOnce = 2_000

/**
 * Adds to a job in several transactions, so that a large addition does not lock the job's row for long. If the process dies between two of
 * them, the first ones stay: repeating the whole addition adds the rest.
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
