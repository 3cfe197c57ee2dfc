import type { NewTask } from '../queue.ts'
import type { JobEvent } from './events.ts'
import type { Job, JobKind, NewJob } from './job.ts'
import type { ErrorRow, NewPage, PageEnd, PageRow, PageSettled, PageTask, SkippedRow, SkippedUrl, SkipReason } from './pages.ts'

/** What a worker asks for. */
export interface TakeTerms {
  readonly worker: string
  readonly limit: number
  /** Pages (and synchronous scrapes) of one team at once over the fleet. */
  readonly teamPlaces: number
  /** Hosts that are not to be asked at the moment. */
  readonly busyHosts: readonly string[]
  /** Synchronous scrapes that run in this process, by team, where no other process counts. */
  readonly running: Readonly<Record<string, number>>
}

/** What ended a job that is not to go on. */
export type Cancelled = 'cancelled' | 'finished' | 'unknown'

/** What the watch over jobs found to do; all of it is worth a line in the log. */
export interface Watched {
  /** Jobs looked at. */
  readonly seen: number
  /** Jobs whose counters did not agree with their rows, and do now. */
  readonly repaired: readonly string[]
  /** Jobs whose sitemap task has gone: they go on without it. */
  readonly unseeded: readonly string[]
  /** Jobs that had nothing left and were ended. */
  readonly ended: readonly string[]
}

/** Batches and crawls: their frontier, results and events, written so that they cannot disagree (R8 to R11). Every method is one transaction, but for `append`, `take`, `leave` and `cancel`. */
export interface Jobs {
  /** Job, first pages, `started` event and, for a job that is `seeding`, the task that looks for more. False when the id is known, or is that of a former job: nothing is changed. */
  create(job: NewJob, first: { readonly pages: readonly NewPage[]; readonly skipped: readonly SkippedUrl[]; readonly eventId: string; readonly seed: NewTask | null }): Promise<boolean>
  /**
   * Adds pages whose key is new; a batch's limit grows with them. Of those known that are `depthLimited` and wait, the smaller depth counts. False when the job is not
   * running, or no longer. Where there are very many they are added step by step: where this throws some may be there, and adding all of them again adds the others.
   */
  append(id: string, pages: readonly NewPage[], skipped: readonly SkippedUrl[], now: number): Promise<boolean>
  /** No more pages come from sitemaps; ends the job when nothing is left. `warnings` are added to the job's. */
  seeded(id: string, warnings: readonly string[], endEventId: string, now: number): Promise<void>
  /** The pages known from before are all there (`recalls`); ends the job when nothing is left. */
  recalled(id: string, endEventId: string, now: number): Promise<void>
  /** Null when unknown; an expired one is answered until it is swept. */
  find(id: string): Promise<Job | null>
  /** Whose a job was that has been swept, for 30 days after it expired; null when unknown. */
  former(id: string): Promise<Pick<Job, 'team' | 'kind'> | null>
  /** Jobs of the team that run, newest first. */
  active(team: string, kind: JobKind): Promise<readonly Job[]>
  /**
   * Leases pages, jobs taking turns, within the limits of job, team and delay; pages of dead workers are due again, at most three times, then they fail (R10).
   * A worker that has not said by `beat` that it lives gets none.
   */
  take(terms: TakeTerms, now: number): Promise<readonly PageTask[]>
  /** Says that the worker lives until then: its leases hold as long. */
  beat(worker: string, until: number, now: number): Promise<void>
  /** What is leased to the worker, whether it knows of that or not. */
  leasedTo(worker: string): Promise<readonly Pick<PageTask, 'job' | 'seq' | 'token'>[]>
  /** Gives the worker's pages back at once, as if they had not been taken. */
  leave(worker: string, now: number): Promise<void>
  /** Gives a page back, due again at `runAt`; `postponed` counts when the site asked for it, `counted` that this try was in vain. False when the lease was lost. */
  giveBack(task: Pick<PageTask, 'job' | 'seq' | 'token'>, terms: { readonly runAt: number; readonly postponed: boolean; readonly counted?: boolean }, now: number): Promise<boolean>
  /** One transaction for everything that a page leaves behind, the end of the job included. */
  settle(end: PageEnd): Promise<PageSettled>
  /** Waiting pages are dropped, data so far stays. Those of a large job are listed as skipped step by step: from the first on it is cancelled, after the last this is answered. */
  cancel(id: string, eventId: string, now: number): Promise<Cancelled>
  /** Removes what a job with zero retention has gathered, once it has ended; its row stays, to say what became of it. Answers the blobs of its results. */
  erase(id: string): Promise<readonly string[]>
  /** Ends a running job as failed. */
  fail(id: string, error: string, eventId: string, now: number): Promise<void>
  /** Delivered pages after `skip` of them, in order of commit, until `limit` rows or `maxBytes` are reached (at least one). */
  results(id: string, page: { readonly skip: number; readonly limit: number; readonly maxBytes: number }): Promise<readonly PageRow[]>
  /** In order of commit. */
  errors(id: string, page: { readonly skip: number; readonly limit: number }): Promise<readonly ErrorRow[]>
  /** In order of discovery, after the row of that number; of one reason, or of all. */
  skipped(id: string, page: { readonly after: number; readonly limit: number; readonly reason?: SkipReason }): Promise<readonly SkippedRow[]>
  /** After that number, in order. */
  events(id: string, after: number, limit: number): Promise<readonly JobEvent[]>
  /** Looks after jobs without progress since `before`: frees pages that nobody works on, ends jobs with nothing left (R10). */
  watch(before: number, now: number): Promise<Watched>
  /** Pages that wait (of each job no more than its limit leaves room for), and that are under way, of one team. */
  load(team: string): Promise<{ readonly waiting: number; readonly running: number }>
}
