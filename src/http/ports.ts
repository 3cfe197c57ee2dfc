import type { Admission } from '../app/admission.ts'
import type { Answer, IdempotencyPorts } from '../app/idempotency.ts'
import type { RateLimits } from '../app/rate-limits.ts'
import type { ResultPorts } from '../app/results.ts'
import type { ScrapeJob } from '../app/scrape/settlement.ts'
import type { Call } from '../domain/call.ts'
import type { Accounts } from '../domain/ports.ts'

/** Writes one structured line. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: Readonly<Record<string, unknown>>) => void

/** Counters of the process; a no-op where nobody reads them. */
export interface Metrics {
  request(route: string, method: string, status: number, ms: number): void
  /** Text in the Prometheus exposition format. */
  text(): Promise<string>
}

/** What the edge needs of the service. */
export interface HttpPorts {
  readonly accounts: Accounts
  readonly results: ResultPorts
  readonly idempotency: IdempotencyPorts
  readonly admission: Admission
  readonly rates: RateLimits
  /** Answers the bytes of the response body. */
  readonly scrape: (job: ScrapeJob, call: Call) => Promise<Uint8Array>
  readonly keyUsed: (id: string) => void
  readonly log: Log
  readonly metrics: Metrics
  readonly now: () => number
  readonly newId: () => string
}

/** How the edge is set up. */
export interface HttpOptions {
  readonly version: string
  readonly roles: readonly string[]
  /** False: every request is team `default` (contract §1.5). */
  readonly auth: boolean
  /** Bearer token of `/metrics`; null: public. */
  readonly metricsToken: string | null
  /** Base of URLs handed out; null: taken from the request. */
  readonly publicUrl: string | null
  /** How long an answer may be left unread; 20 s where not given. */
  readonly stalledMs?: number
}

export type { Answer }
