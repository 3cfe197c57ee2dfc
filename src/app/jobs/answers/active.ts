import type { Job } from '../../../domain/jobs/job.ts'
import type { Jobs } from '../../../domain/jobs/jobs.ts'
import { isoTime } from '../../../lib/time.ts'
import type { ActiveAnswer } from '../../../spec/crawl.ts'

/** Options that are not the crawl's; the webhook may hold its receiver's secrets. */
const notOptions: ReadonlySet<string> = new Set(['url', 'webhook', 'origin', 'integration'])

function shown(job: Job): ActiveAnswer['crawls'][number] {
  const request = JSON.parse(job.request) as Readonly<Record<string, unknown>> // written from a parsed request
  const options = Object.fromEntries(Object.entries(request).filter(([key]) => !notOptions.has(key)))
  const at = isoTime(job.createdAt)
  // The limit of a request that names none, or more than the credits cover, is in the job alone.
  return { id: job.id, teamId: job.team, url: job.url ?? '', createdAt: at, created_at: at, options: { ...options, limit: job.limit } }
}

/** The team's running crawls, newest first (contract §5.8). */
export async function activeCrawls({ jobs }: { readonly jobs: Pick<Jobs, 'active'> }, team: string): Promise<ActiveAnswer> {
  return { success: true, crawls: (await jobs.active(team, 'crawl')).map(shown) }
}
