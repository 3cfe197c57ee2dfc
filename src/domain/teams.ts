import type { ActivityKind } from '../spec/team.ts'

/** What a team has under way over the fleet, as the store knows it. */
export interface TeamLoad {
  readonly active: number
  readonly waiting: number
  /** When a scrape last succeeded, or a job with results last got on; null when none is kept. */
  readonly lastSuccess: number | null
}

/** Something that a team asked for. */
export interface Activity {
  readonly id: string
  readonly endpoint: ActivityKind
  readonly at: number
  /** The URL asked for, or the words of a search; null where there are many, or none. */
  readonly target: string | null
}

/** Where a list of activities goes on: after this one, towards older ones. */
export type ActivityMark = Pick<Activity, 'at' | 'id'>

/** Which activities are wanted. */
export interface ActivityFilter {
  readonly since: number
  /** All kinds where not given. */
  readonly endpoint?: ActivityKind | undefined
  readonly after?: ActivityMark | undefined
  readonly limit: number
}

/** What somebody said about an answer. */
export interface Feedback {
  readonly id: string
  readonly team: string
  readonly at: number
  readonly endpoint: string
  readonly rating: string
  /** The whole of it as JSON. */
  readonly body: string
}

/** Teams as they look at themselves. */
export interface Teams {
  load(team: string, now: number): Promise<TeamLoad>
  /** Newest first; what is kept nowhere else, such as requests with zero retention, is not in it. */
  activity(team: string, filter: ActivityFilter): Promise<readonly Activity[]>
  /** Keeps it, and of each team the newest ten thousand. */
  addFeedback(feedback: Feedback): Promise<void>
  /** Newest first, of all teams. */
  feedback(limit: number): Promise<readonly Feedback[]>
}
