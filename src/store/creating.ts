import type { Jobs } from '../domain/jobs/jobs.ts'
import { breather } from '../lib/breath.ts'
import type { Beginning, Part } from './ops/jobs/create.ts'
import type { Promises } from './ops/index.ts'

/** Pages, and as many skipped URLs, in one part. */
const atOnce = 2_000
/** How long making parts holds the thread. */
const turnMs = 5

/**
 * Creates a job in one transaction whose pages come as text in parts: to send tens of thousands of objects to the thread of a database would
 * hold up the calling thread, and so would working on all of them at once where there is no such thread.
 */
export function creating(create: Promises['jobs']['create']): Jobs['create'] {
  const breathe = breather(turnMs)
  return async (job, { pages, skipped, ...begin }) => {
    const parts: Beginning['parts'][number][] = []
    for (let at = 0; at < Math.max(pages.length, skipped.length); at += atOnce) {
      await breathe()
      const part: Part = { pages: pages.slice(at, at + atOnce), skipped: skipped.slice(at, at + atOnce) }
      parts.push(JSON.stringify(part))
    }
    return create(job, { ...begin, parts })
  }
}
