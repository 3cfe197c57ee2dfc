import type { ErrorRow, PageRow } from './pages.ts'

/** Short names of the events of a job, in the order in which they may come (contract §6.2). */
export const eventTypes = ['started', 'page', 'completed', 'failed', 'cancelled'] as const
export type EventType = (typeof eventTypes)[number]

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
