import type { Duplex } from 'node:stream'
import type { Admission } from '../app/admission.ts'
import type { BodyRoom } from '../app/body-room.ts'
import type { IdempotencyPorts } from '../app/idempotency.ts'
import type { SessionService } from '../app/interact/service.ts'
import type { StartedBatch } from '../app/jobs/start/start-batch.ts'
import type { MadeOptions, WishedCrawl } from '../app/jobs/start/crawl-options.ts'
import type { MapJob } from '../app/map/ports.ts'
import type { RateLimits } from '../app/rate-limits.ts'
import type { ResultPorts } from '../app/results.ts'
import type { TeamPorts } from '../app/team/view.ts'
import type { ParseJob } from '../app/parse.ts'
import type { ScrapeJob } from '../app/scrape/settlement.ts'
import type { SearchJob } from '../app/search/ports.ts'
import type { Call, LogFields } from '../domain/call.ts'
import type { Jobs } from '../domain/jobs/jobs.ts'
import type { LiveSessions } from '../domain/sessions/live-browser.ts'
import type { Accounts } from '../domain/teams/accounts.ts'
import type { Blobs } from '../domain/blobs.ts'
import type { SandboxLevels } from '../domain/sessions/sandbox.ts'
import type { SessionOwner } from '../domain/sessions/sessions.ts'
import type { Profiles } from '../domain/sessions/profiles.ts'
import type { Store } from '../domain/store.ts'
import type { Versions } from '../domain/pages/versions.ts'
import type { BatchRequest } from '../spec/batch.ts'
import type { CrawlRequest } from '../spec/crawl.ts'
import type { Pace } from './notices.ts'

/** Writes one structured line. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: LogFields) => void

/** Counters of the process; a no-op when nobody reads them. */
export interface Metrics {
  request(route: string, method: string, status: number, ms: number): void
  /** Text in the Prometheus exposition format. */
  text(): Promise<string>
}

/** For whom something is started, and its id. */
export interface Caller {
  /** Of the job to create, or of the response. */
  readonly id: string
  readonly team: string
  readonly key?: Call['key']
  /** Base of the URLs in responses. */
  readonly baseUrl: string
  /** Warnings about the request itself, for the caller. */
  readonly warnings: readonly string[]
  /** Keys that the request itself contains. */
  readonly given: ReadonlySet<string>
}

/** A request forwarded to another process of the fleet. */
export interface PeerRequest {
  readonly method: string
  /** Including its query. */
  readonly path: string
  readonly team: string
  readonly key: string | null
  /** Base of the URLs in its response. */
  readonly base: string
  readonly body: Uint8Array | null
}

/** The header in which a process of the fleet proves who it is, and says for whom it asks. */
export const peerHeader = 'x-trawl-peer'

/** The other processes of the fleet. */
export interface Peers {
  /** Null when the request does not come from one of them. Throws `UNAUTHORIZED` when it claims so without proof. */
  sender(request: { readonly method: string; readonly path: string; readonly header: string | undefined }): { readonly team: string; readonly key: string | null; readonly base: string; /** Throws `UNAUTHORIZED`. */ assertBody(body: Uint8Array): void } | null
  /**
   * Forwards a request to another process; returns the response's status and body. Rejects when there is no response, with
   * `Unreachable` if the request was not sent.
   */
  send(request: PeerRequest, to: SessionOwner, signal: AbortSignal): Promise<{ readonly status: number; readonly body: Uint8Array; readonly retryAfter: string | undefined }>
  /** Opens a raw connection to another process. */
  connect(to: SessionOwner, signal: AbortSignal): Promise<Duplex>
}

/** What the edge needs of the service. */
export interface HttpPorts {
  readonly accounts: Accounts
  readonly results: ResultPorts
  readonly idempotency: IdempotencyPorts
  readonly admission: Admission
  /** Memory for large bodies: a response counts until it is sent. */
  readonly bodies: BodyRoom
  readonly rates: RateLimits
  /** Returns the bytes of the response body. */
  readonly scrape: (job: ScrapeJob, call: Call) => Promise<Uint8Array>
  /** Returns the bytes of the response body. */
  readonly parse: (job: ParseJob, call: Call) => Promise<Uint8Array>
  /** Returns the id of the batch: a new one, or the one to which the URLs were added. */
  readonly startBatch: (request: BatchRequest, caller: Caller) => Promise<StartedBatch>
  readonly startCrawl: (request: CrawlRequest, caller: Caller) => Promise<{ readonly id: string }>
  /** Makes crawl options from a prompt. */
  readonly crawlOptions: (wished: WishedCrawl, call: Call) => Promise<MadeOptions>
  /** Returns the bytes of the response body. */
  readonly map: (job: MapJob, call: Call) => Promise<Uint8Array>
  /** Returns the bytes of the response body. */
  readonly search: (job: SearchJob, call: Call) => Promise<Uint8Array>
  readonly sessions: SessionService
  /** Null: this process knows no others. */
  readonly peers: Peers | null
  readonly profiles: Profiles
  readonly jobs: Jobs
  /** The sessions of this process, for clients with a session's token. */
  readonly live: LiveSessions
  readonly team: TeamPorts
  readonly versions: Versions
  readonly blobs: Blobs
  readonly blobsInUse: Store['blobsInUse']
  /** Calls back when something may have changed in the store; returns a function that unsubscribes. */
  readonly onChange: (listener: () => void) => () => void
  readonly keyUsed: (id: string) => void
  readonly log: Log
  readonly metrics: Metrics
  readonly now: () => number
  readonly newId: () => string
}

/** The settings of the edge. */
export interface HttpOptions {
  readonly version: string
  readonly roles: readonly string[]
  /** False: every request is made by team `default` (contract §1.5). */
  readonly auth: boolean
  /** Bearer token of `/metrics`; null: public. */
  readonly metricsToken: string | null
  /** Base of URLs in responses; null: taken from the request. */
  readonly publicUrl: string | null
  /** Only other processes of the fleet are answered. */
  readonly peersOnly?: boolean
  /** Whether what is stored was found damaged. */
  readonly damaged?: () => boolean
  /** How user code is confined, once that is known. */
  readonly code?: () => SandboxLevels | null
  /** How long a client may leave a response unread; 20 s by default. */
  readonly stalledMs?: number
  /** How long a large body or stored answer may wait for memory; 30 s by default. */
  readonly memoryWaitMs?: number
  /** The interval of signs of life to followers of a job; 15 s by default. */
  readonly heartbeatMs?: number
  /** How often followers of jobs read; by default at most ten times a second and at least every two seconds. */
  readonly pace?: Pace
  /** The maximum number of a team's followers in this process; 200 by default. */
  readonly followers?: number
}
