/** Work for some worker. */
export interface NewTask {
  readonly id: string
  readonly team: string
  readonly kind: string
  /** Tasks with smaller numbers run first. */
  readonly priority: number
  readonly runAt: number
  readonly payload: string
  readonly maxAttempts: number
  readonly createdAt: number
}

/** A task leased to a worker. */
export interface Task extends NewTask {
  readonly attempt: number
  /** Fencing token of this lease: renewals and results with an older token are refused. */
  readonly token: string
  readonly leaseUntil: number
}

/** Kind of the task that reads a crawl's sitemaps; its id is the crawl's. */
export const seedTask = 'crawl-seed'

/** Kind of the task that adds pages which the team tracked before and the crawl did not find; its payload is the crawl's id. */
export const recallTask = 'crawl-recall'

/** Why a task failed whose last worker died or stalled. */
export const workerGone = 'The worker stopped before the task was done.'

/** How a task ended; `reply` is for the process that waits for it. */
export type TaskOutcome = { readonly kind: 'waiting' } | { readonly kind: 'done'; readonly reply: string } | { readonly kind: 'failed'; readonly reason: string }

/** Durable tasks. At most one worker holds the lease of a task. */
export interface Queue {
  push(tasks: readonly NewTask[]): Promise<void>
  /**
   * Leases up to `limit` due tasks by priority, then age; tasks with an expired lease are due again until they have had
   * `maxAttempts`, then they fail.
   */
  take(worker: string, kinds: readonly string[], limit: number, leaseMs: number, now: number): Promise<readonly Task[]>
  /** False when the lease was lost. */
  renew(id: string, token: string, leaseUntil: number): Promise<boolean>
  /** The ids of those whose leases are still valid; the others belong to another worker now, or were removed. */
  held(tasks: readonly Pick<Task, 'id' | 'token'>[]): Promise<readonly string[]>
  /** All tasks leased to the worker, including those that it does not know of. */
  leasedTo(worker: string): Promise<readonly Pick<Task, 'id' | 'token'>[]>
  /** Gives a task back, due at once, as if it had not been leased. False when the lease was lost. */
  giveBack(id: string, token: string): Promise<boolean>
  /** False when the lease was lost meanwhile: the new holder's result counts. */
  done(id: string, token: string, reply: string, now: number): Promise<boolean>
  /** The task is due again at `runAt`, or fails when no attempt is left. False when the lease was lost. */
  retry(id: string, token: string, reason: string, runAt: number, now: number): Promise<boolean>
  outcome(id: string): Promise<TaskOutcome | null>
  /** Deletes the task in any state: nobody waits for it any more. Returns whether a worker had started it. */
  remove(id: string): Promise<boolean>
  /** The number of waiting and leased tasks, of one team or of all. */
  depth(team?: string): Promise<{ waiting: number; leased: number }>
  /**
   * Calls back when tasks may be due or done (in this process at once, in others within a second); returns a function that
   * unsubscribes.
   */
  onChange(listener: () => void): () => void
}
