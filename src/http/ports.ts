import type { Duplex } from 'node:stream'
import type { Admission } from '../app/admission.ts'
import type { BodyRoom } from '../app/body-room.ts'
import type { Answer, IdempotencyPorts } from '../app/idempotency.ts'
import type { SessionService } from '../app/interact/service.ts'
import type { StartedBatch } from '../app/jobs/start-batch.ts'
import type { MadeOptions, WishedCrawl } from '../app/jobs/wish.ts'
import type { MapJob } from '../app/map/ports.ts'
import type { RateLimits } from '../app/rate-limits.ts'
import type { ResultPorts } from '../app/results.ts'
import type { TeamPorts } from '../app/team/view.ts'
import type { ParseJob } from '../app/parse.ts'
import type { ScrapeJob } from '../app/scrape/settlement.ts'
import type { SearchJob } from '../app/search/ports.ts'
import type { Call, LogFields } from '../domain/call.ts'
import type { Jobs } from '../domain/jobs/jobs.ts'
import type { LiveSessions } from '../domain/live-browser.ts'
import type { Accounts } from '../domain/accounts.ts'
import type { Blobs } from '../domain/blobs.ts'
import type { SandboxLevels } from '../domain/sandbox.ts'
import type { SessionOwner } from '../domain/sessions.ts'
import type { Profiles } from '../domain/profiles.ts'
import type { Store } from '../domain/store.ts'
import type { Versions } from '../domain/versions.ts'
import type { BatchRequest } from '../spec/batch.ts'
import type { CrawlRequest } from '../spec/crawl.ts'
import type { Pace } from './changes.ts'

/** Writes one structured line. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: LogFields) => void

/** Counters of the process; a no-op where nobody reads them. */
export interface Metrics {
  request(route: string, method: string, status: number, ms: number): void
  /** Text in the Prometheus exposition format. */
  text(): Promise<string>
}

/** On whose behalf something is started, and what for. */
export interface Caller {
  /** Of the job to be, or of the answer. */
  readonly id: string
  readonly team: string
  readonly key?: Call['key']
  /** Base of the URLs that answers hand out. */
  readonly baseUrl: string
  /** What the caller is to be told about the request itself. */
  readonly warnings: readonly string[]
}

/** A request as it is sent on to another process of the fleet. */
export interface PeerRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly team: string
  readonly key: string | null
  /** Base of the URLs that its answer hands out. */
  readonly base: string
  readonly body: Uint8Array | null
}

/** In which a process of the fleet says on whose behalf it asks another one, and proves it. */
export const peerHeader = 'x-trawl-peer'

/** The other processes of the fleet. */
export interface Peers {
  /** Null where the request does not come from one of them. Throws `UNAUTHORIZED` where it says so and cannot prove it. */
  sender(request: { readonly method: string; readonly path: string; readonly header: string | undefined }): { readonly team: string; readonly key: string | null; readonly base: string; /** Throws `UNAUTHORIZED`. */ assertBody(body: Uint8Array): void } | null
  /** Has another process do it; answers its status and body. Rejects where it does not answer, with `Unreachable` where it was not asked. */
  send(request: PeerRequest, to: SessionOwner, signal: AbortSignal): Promise<{ readonly status: number; readonly body: Uint8Array; readonly retryAfter: string | undefined }>
  /** A bare connection to another process. */
  connect(to: SessionOwner, signal: AbortSignal): Promise<Duplex>
}

/** What the edge needs of the service. */
export interface HttpPorts {
  readonly accounts: Accounts
  readonly results: ResultPorts
  readonly idempotency: IdempotencyPorts
  readonly admission: Admission
  /** Memory for large bodies: an answer counts until it is sent. */
  readonly bodies: BodyRoom
  readonly rates: RateLimits
  /** Answers the bytes of the response body. */
  readonly scrape: (job: ScrapeJob, call: Call) => Promise<Uint8Array>
  /** Answers the bytes of the response body. */
  readonly parse: (job: ParseJob, call: Call) => Promise<Uint8Array>
  /** Answers the id of the batch: a new one, or the one that the URLs were added to. */
  readonly startBatch: (request: BatchRequest, caller: Caller) => Promise<StartedBatch>
  readonly startCrawl: (request: CrawlRequest, caller: Caller) => Promise<{ readonly id: string }>
  /** Options of a crawl from words. */
  readonly crawlOptions: (wished: WishedCrawl, call: Call) => Promise<MadeOptions>
  /** Answers the bytes of the response body. */
  readonly map: (job: MapJob, call: Call) => Promise<Uint8Array>
  /** Answers the bytes of the response body. */
  readonly search: (job: SearchJob, call: Call) => Promise<Uint8Array>
  readonly sessions: SessionService
  /** Null: this process knows no others. */
  readonly peers: Peers | null
  readonly profiles: Profiles
  readonly jobs: Jobs
  /** The sessions of this process, for those who come with a token of one. */
  readonly live: LiveSessions
  readonly team: TeamPorts
  readonly versions: Versions
  readonly blobs: Blobs
  readonly blobsInUse: Store['blobsInUse']
  /** Calls back when something may have changed in the store; answers a function that takes that back. */
  readonly onChange: (listener: () => void) => () => void
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
  /** Only other processes of the fleet are answered. */
  readonly peersOnly?: boolean
  /** How the code of users is confined, once that is known. */
  readonly code?: () => SandboxLevels | null
  /** How long an answer may be left unread; 20 s where not given. */
  readonly stalledMs?: number
  /** How often who follows a job hears that the connection lives; 15 s where not given. */
  readonly heartbeatMs?: number
  /** How often followers of jobs look for news; ten times a second at most and every two seconds at least where not given. */
  readonly pace?: Pace
  /** How many followers a team may have in this process; 200 where not given. */
  readonly followers?: number
}

export type { Answer }
