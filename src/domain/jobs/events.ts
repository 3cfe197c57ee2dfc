import type { ErrorRow, PageRow } from './pages.ts'

/** Short names of a job's events, in the order in which they may occur (contract §6.2). */
export const eventTypes = ['started', 'page', 'completed', 'failed', 'cancelled'] as const
export type EventType = (typeof eventTypes)[number]

/** One event in a job's log. */
export interface JobEvent {
  readonly job: string
  /** Position in the log, from 1, without gaps. */
  readonly seq: number
  /** The `webhookId`: the same in every delivery. */
  readonly id: string
  readonly type: EventType
  readonly at: number
  /** Set when a page was delivered. */
  readonly page: PageRow | null
  /** Set when a page failed. */
  readonly failure: ErrorRow | null
}
