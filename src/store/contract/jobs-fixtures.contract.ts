import { randomUUID } from 'node:crypto'
import type { NewJob, Webhook } from '../../domain/jobs/job.ts'
import type { TakeTerms } from '../../domain/jobs/jobs.ts'
import type { NewPage, PageEnd, PageOutcome, PageTask, SkippedUrl } from '../../domain/jobs/pages.ts'
import type { Settlement } from '../../domain/pages/results.ts'
import type { Store } from '../../domain/store.ts'
import { now, result } from './fixtures.contract.ts'

/** A sample job: a crawl of ten pages. */
export function newJob(id: string, more: Partial<NewJob> = {}): NewJob {
  return {
    id, team: 'a', kind: 'crawl', url: 'https://site/', request: '{"limit":10}', baseUrl: 'http://trawl', retention: 'normal', retentionMs: 1_000,
    limit: 10, maxConcurrency: 10, delayMs: 0, webhook: null, warnings: [], seeding: false, createdAt: now, ...more,
  }
}

/** A sample page; its key is its path. */
export function newPage(name: string, more: Partial<NewPage> = {}): NewPage {
  return { url: `https://site/${name}`, key: name, host: 'site', depth: 0, external: false, ...more }
}

/** A webhook that subscribes to everything. */
export const hook: Webhook = { url: 'https://hooks.example:8443/in', headers: { a: 'b' }, metadata: { n: 1 }, events: ['started', 'page', 'completed', 'failed', 'cancelled'] }

/** Starts a job with these pages. */
export async function start(store: Store, id: string, setup: { readonly job?: Partial<NewJob>; readonly pages?: readonly string[] } = {}): Promise<void> {
  await store.accounts.ensureTeam(setup.job?.team ?? 'a', null, now)
  await store.jobs.create(newJob(id, setup.job), { pages: (setup.pages ?? ['']).map((name) => newPage(name)), skipped: [], eventId: `${id}-started`, seed: null })
}

/** Takes pages as a live worker. */
export async function take(store: Store, limit: number, more: Partial<TakeTerms> = {}, at = now): Promise<readonly PageTask[]> {
  const worker = more.worker ?? 'w'
  await store.jobs.beat(worker, at + 1_000, at)
  return store.jobs.take({ worker, limit, teamPlaces: 1_000, busyHosts: [], crowdedHosts: new Map(), running: {}, ...more }, at)
}

/** Takes the only page that is due. */
export async function takeOne(store: Store, more: Partial<TakeTerms> = {}, at = now): Promise<PageTask> {
  const [task] = await take(store, 1, more, at)
  if (!task) throw new Error('There was no page to take.')
  return task
}

/** The outcome of a delivered page; its scrape id is `job/key`. */
export function delivered(task: PageTask, more: { readonly modelCallSaved?: true; readonly finalKey?: string; readonly bytes?: number; readonly settlement?: Partial<Settlement> } = {}): PageOutcome {
  const id = `${task.job}/${task.key}`
  const stored = result(id, { team: task.team })
  return {
    kind: 'delivered',
    settlement: { team: task.team, charge: { ref: id, kind: 'crawl', credits: 1, at: now }, cache: null, ...more.settlement, result: stored },
    bytes: more.bytes ?? 100,
    finalKey: more.finalKey ?? task.key,
    ...(more.modelCallSaved === undefined ? {} : { modelCallSaved: true }),
  }
}

/** The outcome of a failed page. */
export function failed(task: PageTask, code = 'SCRAPE_SITE_ERROR'): PageOutcome {
  return { kind: 'failed', scrapeId: `${task.job}/${task.key}`, code, message: `${task.key} failed`, charge: null }
}

/** The end of a page. */
export function pageEnd(task: PageTask, outcome: PageOutcome = delivered(task), more: Partial<PageEnd> = {}): PageEnd {
  return { task, outcome, pages: [], skipped: [], eventId: randomUUID(), endEventId: randomUUID(), now, ...more }
}

/** The skipped URLs of a job, without their numbers. */
export async function skippedOf(store: Store, id: string): Promise<readonly SkippedUrl[]> {
  return (await store.jobs.skipped(id, { after: 0, limit: 1_000 })).map(({ seq: _seq, ...row }) => row)
}

/** The counters of a job. */
export async function counts(store: Store, id: string): Promise<Record<string, unknown>> {
  const job = await store.jobs.find(id)
  if (!job) throw new Error('There is no such job.')
  const { state, total, completed, failed: failures, skipped, creditsUsed, lastEvent } = job
  return { state, total, completed, failed: failures, skipped, creditsUsed, lastEvent }
}
