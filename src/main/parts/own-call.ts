import { randomUUID } from 'node:crypto'
import type { Call, LogFields } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import { callLog } from '../../http/call.ts'
import type { Log } from '../../http/ports.ts'
import { deadline, type Timed } from '../../lib/deadline.ts'

/** What the service does by itself, for whom, for how long, and what each line of its log names. */
interface OwnTerms extends Pick<Call, 'team' | 'key' | 'retention'> {
  readonly timeoutMs: number
  readonly fields: LogFields
}

/** A call of work that goes on without a request of a client: it aborts when its time is up, by the clock if there is one, and with the signal. */
export function ownCall({ team, key, retention, timeoutMs, fields }: OwnTerms, signal: AbortSignal, { log, now, clock }: { readonly log: Log; readonly now: () => number; readonly clock?: NonNullable<Timed['clock']> }): Call & { end(): void } {
  const limit = deadline(signal, timeoutMs, () => new ServiceError('SCRAPE_TIMEOUT'), clock)
  return { id: randomUUID(), team, key, signal: limit.signal, deadline: now() + timeoutMs, retention, log: callLog({ team, retention, fields }, log), end: limit.dispose }
}
