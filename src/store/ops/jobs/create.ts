import type { NewJob } from '../../../domain/jobs/job.ts'
import type { Jobs } from '../../../domain/jobs/jobs.ts'
import type { NewPage, SkippedUrl } from '../../../domain/jobs/pages.ts'
import { notifyQueue, storable } from '../../dialect.ts'
import { type Op, first, run } from '../../op.ts'
import { sql } from '../../sql.ts'
import { addEvent, endIfOver, newEventId } from './end.ts'
import { addPages, addSkipped, holdLast, releaseHeld, releaseLast } from './frontier.ts'
import { type JobRow, insertJob, lockJob, saveJob, seeding } from './row.ts'
import { queue } from '../queue.ts'

const notify = sql`${notifyQueue}`

/** Pages and skipped URLs of a new job. */
export type Part = Pick<Parameters<Jobs['create']>[1], 'pages' | 'skipped'>

/** What a new job begins with. */
export interface Beginning extends Omit<Parameters<Jobs['create']>[1], keyof Part> {
  /** Each a `Part`, as JSON. */
  readonly parts: readonly string[]
}

/** One transaction's part of an addition: all of it, the `last` part, or one with more to come. */
export interface Addition {
  readonly pages: readonly NewPage[]
  readonly skipped: readonly SkippedUrl[]
  readonly place: 'whole' | 'before-more' | 'last'
}

/** Creates jobs and adds their pages. */
export const creation = {
  *create(job: NewJob, begin: Beginning): Op<boolean> {
    if ((yield* first(sql`select id from former_jobs where id = ${job.id}`)) !== null) return false
    const row = yield* insertJob(job)
    if (!row) return false
    yield* addEvent(row, { id: begin.eventId, type: 'started', at: job.createdAt })
    for (const text of begin.parts) {
      const part: Part = JSON.parse(text)
      yield* addPages(row, part.pages, job.createdAt)
      yield* addSkipped(row, part.skipped, job.createdAt)
    }
    if (begin.seed) yield* queue.push([begin.seed])
    yield* endIfOver(row, newEventId(), job.createdAt)
    yield* saveJob(row)
    yield* run(notify)
    return true
  },

  *append(id: string, { pages, skipped, place }: Addition, now: number): Op<boolean> {
    const job = yield* lockJob(id)
    if (job?.state !== 'scraping') return false
    const added = yield* addPages(job, pages, now)
    yield* addSkipped(job, skipped, now)
    if (job.kind === 'batch') {
      job.limit += added
      // A crawl does not end while somebody adds to it.
      if (place === 'before-more' && added > 0) yield* holdLast(job, now)
      if (place === 'last') yield* releaseLast(job, now)
    }
    job.progressAt = now
    yield* saveJob(job)
    yield* run(notify)
    return true
  },

  *seeded(id: string, warnings: readonly string[], endEventId: string, now: number): Op<void> {
    const job = yield* lockJob(id)
    // The task may run again: it must not end what came after it.
    if (job?.state !== 'scraping' || job.seeding !== seeding.sitemaps) return
    yield* endSeeding(job, warnings, endEventId, now)
    yield* saveJob(job)
    yield* run(notify)
  },

  *recalled(id: string, endEventId: string, now: number): Op<void> {
    const job = yield* lockJob(id)
    // The task may run again.
    if (job?.state !== 'scraping' || job.seeding !== seeding.recall) return
    yield* endSeeding(job, [], endEventId, now)
    yield* saveJob(job)
    yield* run(notify)
  },
}

/** No more pages come to this locked job from sitemaps or earlier versions. */
export function* endSeeding(job: JobRow, warnings: readonly string[], endEventId: string, now: number): Op<void> {
  job.seeding = seeding.none
  job.progressAt = now
  yield* releaseHeld(job, now)
  if (warnings.length > 0) yield* addWarnings(job, warnings)
  yield* endIfOver(job, endEventId, now)
}

/** Adds new warnings to a locked job. */
export function* addWarnings(job: JobRow, warnings: readonly string[]): Op<void> {
  const known = yield* first<{ warnings: string }>(sql`select warnings from job_details where job = ${job.id}`)
  const before: readonly string[] = JSON.parse(known?.warnings ?? '[]')
  const after = [...new Set([...before, ...warnings.map(storable)])]
  if (after.length > before.length) yield* run(sql`update job_details set warnings = ${JSON.stringify(after)} where job = ${job.id}`)
}
