import type { EventType } from './events.ts'

/** The kinds of jobs that consist of pages. */
export type JobKind = 'batch' | 'crawl'

/** `scraping` changes to one of the other states, which are final (contract §5.2). */
export type JobState = 'scraping' | 'completed' | 'failed' | 'cancelled'

/** Jobs with zero retention are erased this long after their end (contract §15.22). */
export const zeroRetentionMs = 3_600_000

/** Where a job's events are sent. */
export interface Webhook {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Returned in every delivery. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Which events to send; never empty. */
  readonly events: readonly EventType[]
}

/** What is left of the request of a job that was erased. */
export const erasedRequest = '{}'

/** A job as requested. */
export interface NewJob {
  readonly id: string
  readonly team: string
  /** The API key that pays for it; absent when keys are off. */
  readonly key?: string | null | undefined
  readonly kind: JobKind
  /** Where a crawl starts; null for a batch. */
  readonly url: string | null
  /** The parsed request, as JSON. */
  readonly request: string
  /** Base of the URLs in responses about this job. */
  readonly baseUrl: string
  readonly retention: 'normal' | 'zero'
  /** How long the job is kept after its end; with zero retention at most an hour. */
  readonly retentionMs: number
  /**
   * The maximum number of delivered pages; more URLs may wait, to replace pages that fail. Appending to a batch raises it.
   */
  readonly limit: number
  /** The maximum number of concurrent pages, over the whole fleet. */
  readonly maxConcurrency: number
  /** Milliseconds between the end of a page and the start of the next; 0: no delay. */
  readonly delayMs: number
  readonly webhook: Webhook | null
  /** Warnings for the caller, in every status response. */
  readonly warnings: readonly string[]
  /** True while sitemaps may add pages; the job does not end before `seeded`. */
  readonly seeding: boolean
  /** Whether pages that the team tracked before are revisited when nothing else is left, before the job ends. */
  readonly recalls?: boolean
  readonly createdAt: number
}

/** A job in its current state. */
export interface Job extends NewJob {
  readonly state: JobState
  /** Pages accepted so far: delivered, failed, running, and as many of the waiting as the limit allows. */
  readonly total: number
  /** Pages delivered; never decreases (R11). */
  readonly completed: number
  readonly failed: number
  /** URLs seen but not fetched. */
  readonly skipped: number
  readonly creditsUsed: number
  /** Language-model calls that were unnecessary because the page's template was known. */
  readonly modelCallsSaved: number
  /** Number of the newest event. */
  readonly lastEvent: number
  readonly endedAt: number | null
  /** Null while the job runs. */
  readonly expiresAt: number | null
  /** Why it failed. */
  readonly error: string | null
  /** The final URL of a crawl's start; null until its first page has ended, and for a batch. */
  readonly start: string | null
}
