import type { Task } from '../../../domain/queue.ts'
import type { Versions } from '../../../domain/pages/versions.ts'
import { lateFrom, sorted } from './follow.ts'
import type { SeedPorts } from '../start/seed.ts'

/** URLs read from the store at a time, and sent to the frontier in one transaction. */
const chunk = 500

/** Runs that task, unless the crawl follows no links; the crawl can end once these pages have. Idempotent. Throws what a retry may fix. */
export async function runRecall({ payload: id }: Task, { memory, jobs, versions, newId, now }: Pick<SeedPorts, 'memory' | 'jobs' | 'newId' | 'now'> & { readonly versions: Pick<Versions, 'tracked'> }): Promise<string> {
  const known = await memory.of(id)
  if (known === null || known.job.state !== 'scraping') return ''
  const { job } = known
  const start = new URL(job.start ?? job.url ?? '')
  const tracking = known.page(start.href).formats.find((format) => format.type === 'changeTracking') ?? null
  const prefix = `${start.origin}/`
  const listed = async (after: string): Promise<readonly string[]> => (tracking === null || known.crawl?.rules().maxDepth === 0 ? [] : versions.tracked({ team: job.team, tag: tracking.tag ?? null, prefix, after, limit: chunk }))
  let urls = await listed('')
  while (urls.length > 0) {
    const { pages, count } = sorted(urls, null, { ...known, isLate: lateFrom(now) })
    if (pages.length > 0 && !(await jobs.append(id, pages.map((page) => ({ ...page, recalled: true })), [], now()))) return ''
    urls = count < urls.length ? urls.slice(count) : await listed(urls.at(-1) ?? '')
  }
  await jobs.recalled(id, newId(), now())
  return ''
}
