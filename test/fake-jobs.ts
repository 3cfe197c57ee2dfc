import { randomUUID } from 'node:crypto'
import type { EventType, JobEvent } from '../src/domain/jobs/events.ts'
import { erasedRequest, type Job, type NewJob } from '../src/domain/jobs/job.ts'
import type { Jobs } from '../src/domain/jobs/jobs.ts'
import type { ErrorRow, PageRow, SkippedUrl, SkipReason } from '../src/domain/jobs/pages.ts'
import { pack } from '../src/domain/pages/packed.ts'
import type { Blobs } from '../src/domain/blobs.ts'

const broken = (): never => {
  throw new Error('this fake must not be reached')
}

/** A job with defaults for everything that is not given. */
export function newJob(given: Partial<NewJob> = {}): NewJob {
  return {
    id: randomUUID(), team: 'default', kind: 'crawl', url: 'http://site.test/', request: '{"sitemap":"include"}', baseUrl: 'http://trawl.test', retention: 'normal', retentionMs: 86_400_000, limit: 1_000_000,
    maxConcurrency: 10, delayMs: 0, webhook: null, warnings: [], seeding: false, createdAt: 0, ...given,
  }
}

interface Kept {
  job: Job
  readonly results: PageRow[]
  readonly errors: ErrorRow[]
  readonly skipped: SkippedUrl[]
  readonly events: JobEvent[]
}

/** Jobs in memory, with methods that do what workers would do. */
export interface FakeJobs {
  readonly jobs: Jobs
  readonly onChange: (listener: () => void) => () => void
  /** The number of calls per method. */
  readonly asked: Readonly<Record<string, number>>
  /** Starts a job and returns its id. */
  start(given?: Partial<NewJob>): Promise<string>
  /** Delivers a page with these formats, long ago unless a time is given; returns the document as the service will return it. */
  deliver(id: string, fields: Readonly<Record<string, unknown>>, blobs: Blobs, at?: number): Promise<Record<string, unknown>>
  /** Fails a page. */
  break(id: string, url: string, code: string): void
  skip(id: string, url: string, reason: SkipReason): void
  /** Ends the job. */
  end(id: string, state: 'completed' | 'failed' | 'cancelled', at?: number): void
  /** Deletes the results or the whole job. A sweep also remembers that the job existed. */
  erase(id: string, what: 'results' | 'job' | 'sweep'): void
  set(id: string, change: Partial<Job>): void
}

const facts = { metadata: {}, verdict: 'ok', scriptDemand: null, confidence: null, removals: [], warnings: [] } as const
/** The initial state of a job. */
export const running = { state: 'scraping', total: 0, completed: 0, failed: 0, skipped: 0, creditsUsed: 0, modelCallsSaved: 0, lastEvent: 0, endedAt: null, expiresAt: null, error: null, start: null } as const

export function fakeJobs(): FakeJobs {
  const all = new Map<string, Kept>()
  const former = new Map<string, Pick<Job, 'team' | 'kind'>>()
  const listeners = new Set<() => void>()
  const asked: Record<string, number> = {}
  const kept = (id: string): Kept => all.get(id) ?? broken()
  const changed = (): void => {
    for (const listener of listeners) setImmediate(listener)
  }
  const change = (id: string, by: Partial<Job>): void => {
    const of = kept(id)
    of.job = { ...of.job, ...by }
    changed()
  }
  const log = (id: string, type: EventType, what: Partial<JobEvent> = {}): void => {
    const { events } = kept(id)
    events.push({ job: id, seq: events.length + 1, id: randomUUID(), type, at: 0, page: null, failure: null, ...what })
    change(id, { lastEvent: events.length })
  }
  const end = (id: string, state: 'completed' | 'failed' | 'cancelled', at = 1_000): void => {
    change(id, { state, endedAt: at, expiresAt: at + kept(id).job.retentionMs, error: state === 'failed' ? 'The site cannot be reached.' : null })
    log(id, state)
  }
  const create: Jobs['create'] = async (job, { skipped }) => {
    if (all.has(job.id) || former.has(job.id)) return false
    all.set(job.id, { job: { ...job, ...running, skipped: skipped.length }, results: [], errors: [], skipped: [...skipped], events: [] })
    log(job.id, 'started')
    return true
  }
  const jobs: Jobs = {
    create,
    find: async (id) => all.get(id)?.job ?? null,
    former: async (id) => former.get(id) ?? null,
    active: async (team, kind) => [...all.values()].map(({ job }) => job).filter((job) => job.team === team && job.kind === kind && job.state === 'scraping').reverse(),
    cancel: async (id) => {
      const of = all.get(id)
      if (of === undefined) return 'unknown'
      if (of.job.state !== 'scraping') return 'finished'
      end(id, 'cancelled')
      return 'cancelled'
    },
    erase: async (id) => {
      const of = all.get(id)
      if (of === undefined || of.job.state === 'scraping' || of.job.retention !== 'zero') return []
      change(id, { request: erasedRequest, warnings: [] })
      of.errors.length = 0
      return of.results.splice(0).map(({ blob }) => blob)
    },
    results: async (id, { skip, limit, maxBytes }) => {
      let bytes = 0
      const rows: PageRow[] = []
      for (const row of (all.get(id)?.results ?? []).slice(skip, skip + limit)) {
        bytes += row.bytes
        if (rows.length > 0 && bytes > maxBytes) break
        rows.push(row)
      }
      return rows
    },
    answered: async () => [],
    errors: async (id, { skip, limit }) => kept(id).errors.slice(skip, skip + limit),
    skipped: async (id, { after, limit, reason }) =>
      kept(id).skipped.map((row, i) => ({ ...row, seq: i + 1 })).filter((row) => row.seq > after && (reason === undefined || row.reason === reason)).slice(0, limit),
    events: async (id, after, limit) => (all.get(id)?.events ?? []).slice(after, after + limit),
    append: broken, seeded: broken, recalled: broken, take: broken, beat: broken, leasedTo: broken, leave: broken, giveBack: broken, settle: broken, fail: broken, watch: broken, load: broken,
  }
  const counted = Object.fromEntries(
    Object.entries(jobs).map(([name, method]: [string, (...given: never[]) => unknown]) => [
      name,
      (...given: never[]) => {
        asked[name] = (asked[name] ?? 0) + 1
        return method(...given)
      },
    ]),
  ) as unknown as Jobs // wraps each method in a counter
  return {
    jobs: counted,
    asked,
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async start(given) {
      const job = newJob(given)
      await create(job, { pages: [], skipped: [], eventId: randomUUID(), seed: null })
      return job.id
    },
    async deliver(id, fields, blobs, at = -86_400_000) {
      const { job, results } = kept(id)
      const scrapeId = randomUUID()
      const url = `http://site.test/${results.length + 1}`
      const frame = { metadata: { scrapeId, sourceURL: url, url, statusCode: 200, verdict: 'ok', proxyUsed: 'basic', creditsUsed: 1 } }
      const document = { ...fields, ...frame }
      const row = { seq: results.length + 1, scrapeId, url, blob: await blobs.put(pack({ ...facts, fields }).bytes()), frame: JSON.stringify(frame), bytes: Buffer.byteLength(JSON.stringify(document)), at }
      results.push(row)
      change(id, { total: job.total + 1, completed: results.length, creditsUsed: job.creditsUsed + 1 })
      log(id, 'page', { page: row })
      return document
    },
    break(id, url, code) {
      const { job, errors } = kept(id)
      const row = { id: randomUUID(), at: 500, url, code, error: `It failed: ${code}.` }
      errors.push(row)
      change(id, { total: job.total + 1, failed: errors.length })
      log(id, 'page', { failure: row })
    },
    skip(id, url, reason) {
      const { skipped } = kept(id)
      skipped.push({ url, reason })
      change(id, { skipped: skipped.length })
    },
    end,
    erase(id, what) {
      if (what === 'job') all.delete(id)
      else if (what === 'sweep') {
        former.set(id, kept(id).job)
        all.delete(id)
      } else kept(id).results.length = 0
      changed()
    },
    set: change,
  }
}
