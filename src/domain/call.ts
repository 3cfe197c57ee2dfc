/** Values that a log line may carry: typed fields, never bodies, headers or page text. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** On whose behalf something is done: passed last to everything that waits. */
export interface Call {
  /** The request id that the caller and the log see. */
  readonly id: string
  readonly team: string
  /** Aborts when the caller's time is up or the caller is gone. */
  readonly signal: AbortSignal
  /** When the time is up, in the clock's milliseconds. */
  readonly deadline: number
  /** `zero`: nothing of the request may outlive it, and no URL reaches a log. */
  readonly retention: 'normal' | 'zero'
  /** Writes one structured line; `event` is a constant string, values go into `fields`. */
  log(event: string, fields?: LogFields): void
}
