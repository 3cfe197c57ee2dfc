import type { NewTask } from '../queue.ts'
import type { JobEvent } from './events.ts'
import type { Job, JobKind, NewJob } from './job.ts'
import type { ErrorRow, NewPage, PageEnd, PageRow, PageSettled, PageTask, SkippedRow, SkippedUrl, SkipReason } from './pages.ts'

/** What a worker asks for. */
export interface TakeTerms {
  readonly worker: string
  readonly limit: number
  /** Concurrent pages (and synchronous scrapes) per team, over the fleet. */
  readonly teamPlaces: number
  /** Hosts that must not be asked at the moment. */
  readonly busyHosts: readonly string[]
  /** By team, hosts at which enough of its pages wait already. */
  readonly crowdedHosts: ReadonlyMap<string, readonly string[]>
  /** Synchronous scrapes in this process, by team; used when there is no fleet to count them. */
  readonly running: Readonly<Record<string, number>>
}

/** What became of a job that was asked to stop. */
export type Cancelled = 'cancelled' | 'finished' | 'unknown'

/** What the watch over jobs did; each entry is worth a log line. */
export interface Watched {
  /** Number of jobs checked. */
  readonly seen: number
  /** Jobs whose counters disagreed with their rows; corrected. */
  readonly repaired: readonly string[]
  /** Jobs whose sitemap task is gone; they continue without it. */
  readonly unseeded: readonly string[]
  /** Jobs that had nothing left, and were ended. */
  readonly ended: readonly string[]
}

/**
 * Batches and crawls: their frontier, results and events, written consistently (R8 to R11). Every method is one
 * transaction, except `append`, `take`, `leave` and `cancel`.
 */
export interface Jobs {
  /**
   * Creates the job, its first pages, the `started` event and, for a `seeding` job, the task that reads sitemaps. False
   * when the id is in use or was used by a former job: nothing changes.
   */
  create(job: NewJob, first: { readonly pages: readonly NewPage[]; readonly skipped: readonly SkippedUrl[]; readonly eventId: string; readonly seed: NewTask | null }): Promise<boolean>
  /**
   * Adds pages with new keys; a batch's limit grows accordingly. For known pages that are `depthLimited` and wait, the
   * smaller depth is kept. False when the job does not run (any more). Very many pages are added in steps: when this
   * throws, some may have been added, and adding all of them again adds the rest.
   */
  append(id: string, pages: readonly NewPage[], skipped: readonly SkippedUrl[], now: number): Promise<boolean>
  /** The sitemaps are read; ends the job when nothing is left. `warnings` are added to the job's. */
  seeded(id: string, warnings: readonly string[], endEventId: string, now: number): Promise<void>
  /** All previously tracked pages were added (`recalls`); ends the job when nothing is left. */
  recalled(id: string, endEventId: string, now: number): Promise<void>
  /** Null when unknown; an expired job is returned until it is swept. */
  find(id: string): Promise<Job | null>
  /** The owner of a job that has been swept, for 30 days after it expired; null when unknown. */
  former(id: string): Promise<Pick<Job, 'team' | 'kind'> | null>
  /** The team's running jobs, newest first. */
  active(team: string, kind: JobKind): Promise<readonly Job[]>
  /**
   * Leases pages, jobs taking turns, within the limits of job, team and delay. Pages of dead workers are due again, until
   * three workers died with the page alone or twelve with it among others: then it fails (R10). A worker that has not
   * announced itself with `beat` gets none.
   */
  take(terms: TakeTerms, now: number): Promise<readonly PageTask[]>
  /** Announces that the worker is alive until then; its leases are valid as long. */
  beat(worker: string, until: number, now: number): Promise<void>
  /** All pages leased to the worker, including those that it does not know of. */
  leasedTo(worker: string): Promise<readonly Pick<PageTask, 'job' | 'seq' | 'token'>[]>
  /** Gives all of the worker's pages back at once, as if they had not been leased. */
  leave(worker: string, now: number): Promise<void>
  /**
   * Gives a page back, due again at `runAt`; `postponed`: the site asked to come later, `counted`: this attempt counts as
   * failed. False when the lease was lost, or the job has ended: then the page is dropped.
   */
  giveBack(task: Pick<PageTask, 'job' | 'seq' | 'token'>, terms: { readonly runAt: number; readonly postponed: boolean; readonly counted?: boolean }, now: number): Promise<boolean>
  /** Writes everything that a page leaves behind in one transaction, including the end of the job. */
  settle(end: PageEnd): Promise<PageSettled>
  /**
   * Drops the waiting pages and keeps the data so far. For a large job they are listed as skipped in steps: the job is
   * cancelled from the first step on; this returns after the last.
   */
  cancel(id: string, eventId: string, now: number): Promise<Cancelled>
  /**
   * Removes the data of an ended job with zero retention; its row stays, to report its outcome. Returns the blobs of its
   * results.
   */
  erase(id: string): Promise<readonly string[]>
  /** Ends a running job as failed. */
  fail(id: string, error: string, eventId: string, now: number): Promise<void>
  /**
   * Delivered pages in order of commit, after the first `skip`, until `limit` rows or `maxBytes` are reached (at least
   * one).
   */
  results(id: string, page: { readonly skip: number; readonly limit: number; readonly maxBytes: number }): Promise<readonly PageRow[]>
  /** The hosts of its delivered pages, each once for each scheme: `https://host`. */
  answered(id: string): Promise<readonly string[]>
  /** In order of commit. */
  errors(id: string, page: { readonly skip: number; readonly limit: number }): Promise<readonly ErrorRow[]>
  /** In order of discovery, after the row with that number; for one reason, or all. */
  skipped(id: string, page: { readonly after: number; readonly limit: number; readonly reason?: SkipReason }): Promise<readonly SkippedRow[]>
  /** After that number, in order. */
  events(id: string, after: number, limit: number): Promise<readonly JobEvent[]>
  /**
   * Checks jobs without progress since `before`: releases pages that nobody works on, and ends jobs with nothing left
   * (R10). What waits for a time from before the clock was set back, by more than from `before` to `now`, becomes due.
   */
  watch(before: number, now: number): Promise<Watched>
  /** A team's waiting pages (of each job only as many as its limit allows) and running pages. */
  load(team: string): Promise<{ readonly waiting: number; readonly running: number }>
}
