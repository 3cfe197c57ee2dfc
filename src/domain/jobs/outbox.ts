import type { EventType, JobEvent } from './events.ts'
import type { Job } from './job.ts'

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
