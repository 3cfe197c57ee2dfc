import type { PausableClock } from '../lib/pausable-clock.ts'

/** Values that a log line may carry: typed fields, never bodies, headers or page text. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** What one call holds of the memory that the process has for large bodies; given back as a whole when the work of the call has ended. */
export interface Room {
  /**
   * Waits until so many bytes may be held, no longer than the signal lasts; throws its reason. Who holds some already does not wait:
   * two calls that wait for each other's part would wait for ever.
   */
  take(bytes: number, signal: AbortSignal): Promise<void>
  /** Counts bytes that are there already: others wait for them, this call does not. */
  add(bytes: number): void
  give(bytes: number): void
}

/** The clock of a call whose time may stand still: its deadline is later by as long as it was paused. */
export type CallClock = Omit<PausableClock, 'dispose'>

/** Whether a call waits for its turn. */
export interface Queueing {
  /** It waits from now on; the answer says that it does no more. */
  begin(): () => void
}

/** On whose behalf something is done: passed last to everything that waits. */
export interface Call {
  /** The request id that the caller and the log see. */
  readonly id: string
  readonly team: string
  /** The key that it was asked for with; absent where keys are off. */
  readonly key?: string | null | undefined
  /** Aborts when the caller's time is up or the caller is gone. */
  readonly signal: AbortSignal
  /** When the time is up, in the clock's milliseconds; later where its clock was paused (`timeLeft`). */
  readonly deadline: number
  /** `zero`: nothing of the request may outlive it, and no URL reaches a log. */
  readonly retention: 'normal' | 'zero'
  /** A page of a job, for one: what a client waits for goes before it where both wait for the same. */
  readonly background?: true
  /** Of a page of a job: a clock that is paused while the page waits for nothing but others of this process. */
  readonly clock?: CallClock
  /** Told while the call waits for a place that others have: what its time runs out in decides what it is answered. Absent where nobody asks. */
  readonly queue?: Queueing
  /** Memory for large bodies; absent where the process has nobody to share it with. */
  readonly room?: Room
  /** Writes one structured line; `event` is a constant string, values go into `fields`. */
  log(event: string, fields?: LogFields): void
}
