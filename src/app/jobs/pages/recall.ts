import type { Task } from '../../../domain/queue.ts'
import type { Versions } from '../../../domain/pages/versions.ts'
import { lateFrom, sorted } from './follow.ts'
import type { SeedPorts } from '../start/seed.ts'

/** URLs read from the store, and sent to the frontier, in one transaction. */
const chunk = 500

/** Runs that task, unless the crawl follows no links; the crawl can end once these pages have. Idempotent. Throws what a retry may fix. */
export async function runRecall({ payload: id }: Task, { memory, jobs, versions, newId, now }: Pick<SeedPorts, 'memory' | 'jobs' | 'newId' | 'now'> & { readonly versions: Pick<Versions, 'tracked'> }): Promise<string> {
  const known = await memory.of(id)
  if (known === null || known.job.state !== 'scraping') return ''
  const { job } = known
  const start = new URL(job.start ?? job.url ?? '')
  const tracking = known.page(start.href).formats.find((format) => format.type === 'changeTracking') ?? null
  const prefix = `${start.origin}/`
  let after = ''
  for (;;) {
    const urls: readonly string[] = tracking === null || known.crawl?.rules().maxDepth === 0 ? [] : await versions.tracked({ team: job.team, tag: tracking.tag ?? null, prefix, after, limit: chunk })
    const { pages, count } = sorted(urls, null, { ...known, isLate: lateFrom(now) })
    if (pages.length > 0 && !(await jobs.append(id, pages.map((page) => ({ ...page, recalled: true })), [], now()))) return ''
    const last = urls[count - 1]
    if (last === undefined || (count === urls.length && urls.length < chunk)) break
    after = last
  }
  await jobs.recalled(id, newId(), now())
  return ''
}
