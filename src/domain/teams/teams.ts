import type { ActivityKind } from '../../spec/team.ts'

/** A team's running work over the fleet, as stored. */
export interface TeamLoad {
  readonly active: number
  readonly waiting: number
  /** When a scrape last succeeded or a job with results last progressed; null when no such record is left. */
  readonly lastSuccess: number | null
}

/** A request of a team. */
export interface Activity {
  readonly id: string
  readonly endpoint: ActivityKind
  readonly at: number
  /** The requested URL, or the words of a search; null when there are many, or none. */
  readonly target: string | null
}

/** The position in a list of activities: the next ones are older. */
export type ActivityMark = Pick<Activity, 'at' | 'id'>

/** Which activities to list. */
export interface ActivityFilter {
  readonly since: number
  /** All kinds when absent. */
  readonly endpoint?: ActivityKind | undefined
  readonly after?: ActivityMark | undefined
  readonly limit: number
}

/** What a user said about a response. */
export interface Feedback {
  readonly id: string
  readonly team: string
  readonly at: number
  readonly endpoint: string
  readonly rating: string
  /** The whole feedback as JSON. */
  readonly body: string
}

/** What teams can see about themselves. */
export interface Teams {
  load(team: string, now: number): Promise<TeamLoad>
  /** Newest first; without requests of which nothing is stored, such as those with zero retention. */
  activity(team: string, filter: ActivityFilter): Promise<readonly Activity[]>
  /** Stores feedback; only the newest ten thousand of each team are kept. */
  addFeedback(feedback: Feedback): Promise<void>
  /** Newest first, of all teams. */
  feedback(limit: number): Promise<readonly Feedback[]>
}
