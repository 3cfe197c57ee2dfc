import type { EventType } from './events.ts'

/** What kinds of job are made of pages. */
export type JobKind = 'batch' | 'crawl'

/** `scraping` goes to one of the others and stays there (contract §5.2). */
export type JobState = 'scraping' | 'completed' | 'failed' | 'cancelled'

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
