import type { Jobs } from './jobs/jobs.ts'
import type { Outbox } from './jobs/outbox.ts'
import type { Accounts } from './teams/accounts.ts'
import type { BlobMarker, BlobRows } from './blobs.ts'
import type { Lessons } from './fetching/engine-memory.ts'
import type { Ledger } from './teams/ledger.ts'
import type { TeamRemoval } from './teams/removal.ts'
import type { Cache } from './pages/page-cache.ts'
import type { Queue } from './queue.ts'
import type { Results } from './pages/results.ts'
import type { Slots } from './teams/team-slots.ts'
import type { Idempotency } from './teams/repeats.ts'
import type { ProfileRows } from './sessions/profiles.ts'
import type { SearchIndex } from './search/search-index.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { Abilities } from './model.ts'
import type { Teams } from './teams/teams.ts'
import type { Versions } from './pages/versions.ts'
import type { Templates } from './pages/templates.ts'

/** Work in the store that nobody has in hand. */
export interface Backlog {
  /** Pages of jobs. */
  readonly pages: number
  /** Deliveries of webhooks, those that are tried again later among them. */
  readonly webhooks: number
}

/** All durable state, in one transactional place (R7). Every method is one transaction. */
export interface Store {
  readonly name: 'sqlite' | 'postgres'
  readonly accounts: Accounts
  readonly ledger: Ledger
  readonly results: Results
  readonly cache: Cache
  readonly idempotency: Idempotency
  readonly queue: Queue
  readonly slots: Slots
  readonly lessons: Lessons
  readonly profiles: ProfileRows
  readonly jobs: Jobs
  readonly outbox: Outbox
  readonly sessions: Sessions
  readonly teams: Teams
  readonly removal: TeamRemoval
  readonly versions: Versions
  readonly search: SearchIndex
  readonly templates: Templates
  readonly abilities: Abilities
  readonly blobRows: BlobRows
  readonly blobMarker: BlobMarker
  /**
   * Deletes what has expired: results, idempotency keys, holds, orphaned tasks, jobs, sessions. Returns the blobs of jobs
   * with zero retention, which must be deleted at once rather than by the sweep.
   */
  sweep(now: number): Promise<readonly string[]>
  /** Makes leases that end later than this end then: no process can have asked for them, unless by a clock that was set back since. Those of living processes are renewed long before. */
  shortenLeases(latest: number): Promise<void>
  /** Which of these blobs a row refers to. */
  blobsInUse(keys: readonly string[]): Promise<ReadonlySet<string>>
  /** The time by the clock of the database, in milliseconds since 1970. */
  time(): Promise<number>
  /** What waits, for the whole fleet. */
  backlog(): Promise<Backlog>
  /** Resolves when the store can be read and written; rejects otherwise. */
  ping(): Promise<void>
  /** Whether any work since the start found what is stored damaged. */
  isDamaged(): boolean
  close(): Promise<void>
}
