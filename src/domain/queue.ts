/** Work to be done by some worker. */
export interface NewTask {
  readonly id: string
  readonly team: string
  readonly kind: string
  /** Smaller runs first. */
  readonly priority: number
  readonly runAt: number
  readonly payload: string
  readonly maxAttempts: number
  readonly createdAt: number
}

/** A task leased to a worker. */
export interface Task extends NewTask {
  readonly attempt: number
  /** Fencing token of this lease: renewals and results under an older token are refused. */
  readonly token: string
  readonly leaseUntil: number
}

/** How a task ended; `reply` is what the waiting process gets. */
export type TaskOutcome = { readonly kind: 'waiting' } | { readonly kind: 'done'; readonly reply: string } | { readonly kind: 'failed'; readonly reason: string }

/** Durable work. A task is leased by one worker at a time. */
export interface Queue {
  push(tasks: readonly NewTask[]): Promise<void>
  /** Leases up to `limit` due tasks by priority, then age; tasks whose lease ran out are due again, until `maxAttempts` (then they fail). */
  take(worker: string, kinds: readonly string[], limit: number, leaseMs: number, now: number): Promise<readonly Task[]>
  /** False when the lease is lost. */
  renew(id: string, token: string, leaseUntil: number): Promise<boolean>
  /** The ids of those whose lease is held still: the others are another worker's, or wanted by nobody any more. */
  held(tasks: readonly Pick<Task, 'id' | 'token'>[]): Promise<readonly string[]>
  /** What is leased to the worker, whether it knows of that or not. */
  leasedTo(worker: string): Promise<readonly Pick<Task, 'id' | 'token'>[]>
  /** Gives a task back, due at once, as if it had not been taken. False when the lease was lost. */
  giveBack(id: string, token: string): Promise<boolean>
  /** False when the lease was lost in the meantime: the other holder's result counts. */
  done(id: string, token: string, reply: string, now: number): Promise<boolean>
  /** Due again at `runAt`, or failed when no attempt is left. False when the lease was lost. */
  retry(id: string, token: string, reason: string, runAt: number, now: number): Promise<boolean>
  outcome(id: string): Promise<TaskOutcome | null>
  /** Deletes the task, whatever its state: its reader has gone or is served. Answers whether any worker had begun it. */
  remove(id: string): Promise<boolean>
  /** Tasks waiting or leased, of one team or of all. */
  depth(team?: string): Promise<{ waiting: number; leased: number }>
  /** Calls back when tasks may be due or done (in this process at once, in others within a second); answers an unsubscribe function. */
  onChange(listener: () => void): () => void
}
