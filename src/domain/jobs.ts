import type { NewTask, Settlement, StoredResult } from './ports.ts'

/** What kinds of job are made of pages. */
export type JobKind = 'batch' | 'crawl'

/** `scraping` goes to one of the others and stays there (contract §5.2). */
export type JobState = 'scraping' | 'completed' | 'failed' | 'cancelled'

/** Short names of the events of a job, in the order in which they may come (contract §6.2). */
export const eventTypes = ['started', 'page', 'completed', 'failed', 'cancelled'] as const
export type EventType = (typeof eventTypes)[number]

/** Why a URL that was seen is not fetched (contract §15.20). */
const skipReasons = ['depth', 'path', 'excluded', 'not-included', 'external', 'subdomain', 'robots', 'duplicate', 'limit', 'scheme', 'invalid', 'cancelled'] as const
export type SkipReason = (typeof skipReasons)[number]

/** Where the events of a job are sent. */
export interface Webhook {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Echoed in every delivery. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Which events are wanted; never empty. */
  readonly events: readonly EventType[]
}

/** A job as it is asked for. */
export interface NewJob {
  readonly id: string
  readonly team: string
  /** The key that pays for it; absent where keys are off. */
  readonly key?: string | null | undefined
  readonly kind: JobKind
  /** Where a crawl starts; null for a batch. */
  readonly url: string | null
  /** The request as it was understood, as JSON. */
  readonly request: string
  /** Base of the URLs that answers about this job hand out. */
  readonly baseUrl: string
  readonly retention: 'normal' | 'zero'
  /** How long the job is kept after its end; with zero retention an hour at most. */
  readonly retentionMs: number
  /** How many pages may be delivered; never more, though more URLs may wait for those that fail. What is appended to a batch raises it. */
  readonly limit: number
  /** Pages at once over the whole fleet. */
  readonly maxConcurrency: number
  /** Milliseconds between the end of a page and the start of the next; 0: none. */
  readonly delayMs: number
  readonly webhook: Webhook | null
  /** What the caller is to be told in every status answer. */
  readonly warnings: readonly string[]
  /** True while more pages may come from elsewhere (sitemaps); the job does not end before `seeded`. */
  readonly seeding: boolean
  /** Whether pages that the team tracked before are looked at once nothing else is left, before the job ends. */
  readonly recalls?: boolean
  readonly createdAt: number
}

/** A job as it stands. */
export interface Job extends NewJob {
  readonly state: JobState
  /** Pages accepted so far: delivered, failed, under way, and as many of the waiting as the limit leaves room for. */
  readonly total: number
  /** Pages delivered; never goes down (R11). */
  readonly completed: number
  readonly failed: number
  /** URLs seen and not fetched. */
  readonly skipped: number
  readonly creditsUsed: number
  /** Calls to language models that were not needed, as templates of pages were known. */
  readonly modelCallsSaved: number
  /** Number of the newest event. */
  readonly lastEvent: number
  readonly endedAt: number | null
  /** Null while the job runs. */
  readonly expiresAt: number | null
  /** Why it failed. */
  readonly error: string | null
  /** Where the start of a crawl answered from; null until its first page has ended, and of a batch. */
  readonly start: string | null
}

/** A URL for the frontier of a job. */
export interface NewPage {
  readonly url: string
  /** Canonical form: the frontier holds each once (R8). */
  readonly key: string
  readonly host: string
  /** Links from the start; sitemap pages have 0. */
  readonly depth: number
  /** Outside of the site: fetched, its links not followed. */
  readonly external: boolean
  /** Known from before, and not found by this crawl: its links are not followed. */
  readonly recalled?: true
  /** The crawl has a greatest depth: of a page that waits a shorter way found later counts, and one that links lead to waits a while for what the sitemaps name. */
  readonly depthLimited?: true
  /** What has less is leased first; 0 where absent, and never more than `maxRank` of `crawl/variants`. */
  readonly rank?: number
  /** Key of the same address without a query, where its being a page of the job makes this one a variant of it. */
  readonly variantOf?: string
}

/** A URL that was seen and will not be fetched. */
export interface SkippedUrl {
  readonly url: string
  readonly reason: SkipReason
  /** Canonical form, where another way to the URL may still bring it into the frontier: it is not listed as skipped then. */
  readonly key?: string | undefined
  /** Set where the skip is listed among the errors as well (`EXTERNAL_LINK`). */
  readonly code?: string | undefined
}

/** A URL as it is listed as skipped. */
export interface SkippedRow extends SkippedUrl {
  /** Position in the order of discovery; with gaps. */
  readonly seq: number
}

/** A page leased to a worker. */
export interface PageTask extends NewPage {
  readonly job: string
  readonly team: string
  /** Number of the page within its job, by discovery. */
  readonly seq: number
  /** Fencing token: what is done under an older one is refused (R8). */
  readonly token: string
  /** How many workers have died or stopped with this page, this one counted. */
  readonly attempt: number
  /** How often the site asked us to come again later. */
  readonly postponed: number
}

/** How a page ended. */
export type PageOutcome =
  | {
      readonly kind: 'delivered'
      /** Result (its id is the scrape id), charge, cache entry, artifacts. */
      readonly settlement: Settlement & { readonly result: StoredResult }
      /** Bytes of the document as it is served, for paging. */
      readonly bytes: number
      /** What was learned about its template stood in for a language model. */
      readonly modelCallSaved?: true
      /** Key of the URL that answered: where the frontier has it already as fetched or under way, the page is a duplicate; where it waits there, it is done by this. */
      readonly finalKey: string
    }
  | { readonly kind: 'failed'; readonly scrapeId: string; readonly code: string; readonly message: string; readonly charge: Settlement['charge'] }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }

/** The end of a page, and what was found on it. */
export interface PageEnd {
  readonly task: Pick<PageTask, 'job' | 'seq' | 'token'>
  readonly outcome: PageOutcome
  /** Found on the page; those whose key is known already are passed over. */
  readonly pages: readonly NewPage[]
  readonly skipped: readonly SkippedUrl[]
  /** Of the first page of a crawl: where it answered from; absent where it did not. */
  readonly start?: string | undefined
  /** The site did not give the page, or not all of it. Of the first page of a crawl, and where that fails: nothing says what is not found any more (`recalls`). */
  readonly withheld?: boolean
  /** Milliseconds that the site asks to be left between pages: from then on the delay of a job that has none (contract §5.1). */
  readonly delayMs?: number | undefined
  /** Ids for the event of this page and, should the job end with it, of its end. */
  readonly eventId: string
  readonly endEventId: string
  readonly now: number
}

/** What became of a page's end: `lost` when the lease was (nothing is written), `duplicate` when another page had delivered it, `outdated` when another version of it came between (nothing is written either). */
export type PageSettled = 'settled' | 'duplicate' | 'lost' | 'outdated'

/** A delivered page as it is listed. */
export interface PageRow {
  /** Position in the order of commits, from 1, without gaps. */
  readonly seq: number
  readonly scrapeId: string
  readonly url: string
  readonly blob: string
  readonly frame: string
  readonly bytes: number
}

/** A page that failed, or a link listed as such. */
export interface ErrorRow {
  readonly id: string
  readonly at: number
  readonly url: string
  readonly code: string
  readonly error: string
}

/** One event of a job's log. */
export interface JobEvent {
  readonly job: string
  /** Position in the log, from 1, without gaps. */
  readonly seq: number
  /** The `webhookId`: the same in every delivery. */
  readonly id: string
  readonly type: EventType
  readonly at: number
  /** Of a page that was delivered. */
  readonly page: PageRow | null
  /** Of a page that failed. */
  readonly failure: ErrorRow | null
}

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

/** An event on its way to its receiver. */
export interface Delivery {
  /** The `webhookId`. */
  readonly id: string
  readonly team: string
  readonly job: Job
  readonly event: JobEvent
  /** How often it was tried, this time counted; not when whoever tried died. */
  readonly attempt: number
  readonly token: string
  /** Why it is not to be tried any more: too many have died with it. It has ended with that, nothing is leased. */
  readonly givenUp?: string
}

/** How an attempt ended: `again` at `runAt` (`counted` false: the receiver was not asked, or not to its end; `pauseUntil`: it wants nothing at all before), `given-up` after the last, `stopped` when the receiver wants no more of this job (410). */
export type Attempted =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'again'; readonly runAt: number; readonly reason: string; readonly counted?: false; readonly pauseUntil?: number }
  | { readonly kind: 'given-up' | 'stopped'; readonly reason: string }

/** A delivery as operators see it. */
export interface DeliveryRow {
  readonly id: string
  readonly team: string
  readonly job: string
  readonly type: EventType
  readonly url: string
  readonly state: 'waiting' | 'delivered' | 'given-up' | 'stopped'
  readonly attempts: number
  readonly runAt: number
  readonly reason: string | null
}

/** Webhook deliveries: rows are written with the event they carry (R9), one queue per receiver (R14). */
export interface Outbox {
  /**
   * Leases deliveries that are due. Of one job: `started` alone first, the end only after every page was tried once;
   * of one receiver (scheme, host and port) at most `perReceiver` at once over the fleet.
   * What too many have died with it gives up instead, and answers it once with `givenUp`.
   */
  take(terms: { readonly worker: string; readonly limit: number; readonly perReceiver: number; readonly leaseMs: number }, now: number): Promise<readonly Delivery[]>
  /** False when the lease was lost. */
  attempted(delivery: Pick<Delivery, 'id' | 'token'>, outcome: Attempted, now: number): Promise<boolean>
  /** Newest first. */
  list(filter: { readonly team?: string | undefined; readonly job?: string | undefined; readonly state?: DeliveryRow['state'] | undefined; readonly limit: number }): Promise<readonly DeliveryRow[]>
  /** Due again now, attempts counted anew; by id whatever became of it, by job what was not delivered, and what is yet to come of it as if its receiver had never refused. Answers how many. */
  redeliver(filter: { readonly id?: string; readonly job?: string }, now: number): Promise<number>
  /** When the next delivery is due; null when none waits. In the past where one waits for another of its job or receiver. */
  next(): Promise<number | null>
}
