import type { EventType, JobEvent } from './events.ts'
import type { Job } from './job.ts'

/** An event to be delivered to its receiver. */
export interface Delivery {
  /** The `webhookId`. */
  readonly id: string
  readonly team: string
  readonly job: Job
  readonly event: JobEvent
  /** The number of attempts, including this one; an attempt whose worker died is not counted. */
  readonly attempt: number
  readonly token: string
  /** Set when it will not be tried again because too many workers died with it: it has ended, and nothing is leased. */
  readonly givenUp?: string
}

/**
 * How long after an event it is waited for if it cannot be read, in milliseconds: the end of its job comes after it, and a
 * page that is not found is looked for again. A store that is away is back by then.
 */
export const eventPatienceMs = 900_000

/** A receiver that asks for a longer pause is asked again after this time. */
export const longestPauseMs = 3_600_000

/**
 * The outcome of an attempt: `again` at `runAt` (`counted` false: the receiver did not get the whole request; `pauseUntil`:
 * it accepts nothing before then), `given-up` after the last attempt, `stopped` when the receiver wants no more events of
 * this job (410).
 */
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

/** Webhook deliveries: written together with their event (R9), one queue per receiver (R14). */
export interface Outbox {
  /**
   * Leases due deliveries. Of one job: first `started` alone, and the end only after every page was tried once (an uncounted try is none, within `eventPatienceMs`); of one
   * receiver (scheme, host and port) at most `perReceiver` at once over the fleet. A delivery with which too many workers
   * died is given up, and returned once with `givenUp`.
   */
  take(terms: { readonly worker: string; readonly limit: number; readonly perReceiver: number; readonly leaseMs: number }, now: number): Promise<readonly Delivery[]>
  /** False when the lease was lost. */
  attempted(delivery: Pick<Delivery, 'id' | 'token'>, outcome: Attempted, now: number): Promise<boolean>
  /** Newest first. */
  list(filter: { readonly team?: string | undefined; readonly job?: string | undefined; readonly state?: DeliveryRow['state'] | undefined; readonly limit: number }): Promise<readonly DeliveryRow[]>
  /**
   * Makes deliveries due again, with attempts counted anew: by id whatever its state, by job all that were not delivered;
   * later events of the job are sent even if its receiver had refused them, and its pause ends. Returns how many.
   */
  redeliver(filter: { readonly id?: string; readonly job?: string }, now: number): Promise<number>
  /** When the next delivery is due; null when none waits. In the past when one waits for another of its job or receiver. */
  next(): Promise<number | null>
}
