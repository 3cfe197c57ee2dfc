import type { PausableClock } from '../lib/pausable-clock.ts'

/** Values that a log line may contain: typed fields, never bodies, headers or page text. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** One call's share of the process's memory for large bodies; all of it is returned when the call's work ends. */
export interface Room {
  /**
   * Waits until that many bytes are available; throws the signal's reason when it aborts first. A call that already holds
   * some does not wait: two calls waiting for each other would deadlock.
   */
  take(bytes: number, signal: AbortSignal): Promise<void>
  /** Counts bytes that are already in memory: other calls wait for them, this one does not. */
  add(bytes: number): void
  give(bytes: number): void
}

/** The clock of a call, which can be paused: the deadline moves by as much as it stood still. */
export type CallClock = Omit<PausableClock, 'dispose'>

/** Reports that a call waits for its turn. */
export interface Queueing {
  /** The call waits from now on, until the returned function is called. */
  begin(): () => void
}

/** On whose behalf something is done; the last parameter of every function that waits. */
export interface Call {
  /** The request id shown to the caller and in the log. */
  readonly id: string
  readonly team: string
  /** The API key of the request; absent when keys are off. */
  readonly key?: string | null | undefined
  /** Aborts when the caller's time is up or the caller has disconnected. */
  readonly signal: AbortSignal
  /** When the time is up, in milliseconds of the clock; later if the call's clock was paused (`timeLeft`). */
  readonly deadline: number
  /** `zero`: no data of the request outlives it, and no URL is logged. */
  readonly retention: 'normal' | 'zero'
  /** Set for pages of jobs, for instance: a request that a client waits for goes first. */
  readonly background?: true
  /** For pages of jobs: a clock that stands still while the page waits only for other work of this process. */
  readonly clock?: CallClock
  /**
   * Notified while the call waits for a place; the error of an expired deadline depends on it. Absent when nobody needs it.
   */
  readonly queue?: Queueing
  /** Memory for large bodies; absent when the process does not limit it. */
  readonly room?: Room
  /** Writes one structured line; `event` is a constant, values go into `fields`. */
  log(event: string, fields?: LogFields): void
}
