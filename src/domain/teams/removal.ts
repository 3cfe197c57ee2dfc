/** What a team has under way. */
export interface TeamWork {
  /** Ids of its running jobs. */
  readonly jobs: readonly string[]
  /** Ids of its open sessions. */
  readonly sessions: readonly string[]
  /** How many requests wait for an answer, as far as the store knows of them. */
  readonly requests: number
  /** How many webhooks are yet to be delivered. */
  readonly webhooks: number
}

/** The end of a team. */
export interface TeamRemoval {
  work(team: string, now: number): Promise<TeamWork>
  /** Deletes the team's keys, so that no request of it begins any more. */
  close(team: string): Promise<void>
  /**
   * Deletes the team and every row that is its own, in many transactions; if it is interrupted, the team is still there and
   * can be deleted again. The blobs that nothing names any more are left to their sweep.
   */
  remove(team: string): Promise<void>
}
