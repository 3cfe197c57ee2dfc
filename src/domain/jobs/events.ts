import type { eventTypes } from '../../spec/webhook.ts'
import type { ErrorRow, PageRow } from './pages.ts'

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
