import type { Agent } from '../../domain/sessions/agent.ts'
import type { Call } from '../../domain/call.ts'
import type { Job } from '../../domain/jobs/job.ts'
import type { LiveBrowser, LiveBrowsers } from '../../domain/sessions/live-browser.ts'
import type { Ledger } from '../../domain/teams/ledger.ts'
import type { Results } from '../../domain/pages/results.ts'
import type { Profiles } from '../../domain/sessions/profiles.ts'
import type { Sandbox } from '../../domain/sessions/sandbox.ts'
import type { Session, SessionEnd, Sessions } from '../../domain/sessions/sessions.ts'
import type { ScrapeRequest } from '../../spec/scrape.ts'
import type { Abilities } from '../scrape/plan.ts'
import type { Interpreters } from './interpreters.ts'

/** The profile of a session that is saved at its end. */
export type OpenProfile = NonNullable<Awaited<ReturnType<Profiles['lock']>>>

/** A session that lives in this process. */
export interface Live {
  readonly session: Session
  readonly browser: LiveBrowser
  /** Null: none, or one that is only read. */
  readonly profile: OpenProfile | null
  readonly interpreters: Interpreters
  /** Aborts when the session ends, with the error that its runs end with. */
  readonly over: AbortController
  /** Runs that are under way or wait, and when the last of them ends. */
  runs: number
  turn: Promise<void>
  lastUsedAt: number
  /** What the store knows of its use. */
  notedAt: number
  prompted: boolean
  /** Credits set aside so far. */
  held: number
  end: SessionEnd | null
  ending: Promise<Session> | null
}

/** What keeping sessions needs of the service. */
export interface SessionPorts {
  readonly sessions: Sessions
  readonly ledger: Ledger
  readonly results: Pick<Results, 'find'>
  /** The scrape of a page of a job; null when the job is gone. */
  readonly pageOfJob: (job: Job['id'], url: string) => Promise<ScrapeRequest | null>
  readonly profiles: Profiles
  /** Null: this process has none, others of the fleet may. */
  readonly browsers: Pick<LiveBrowsers, 'open'> | null
  readonly sandbox: Sandbox
  /** Null: none is configured. */
  readonly agent: Agent | null
  readonly abilities: Abilities
  /** This process, and where others reach it. */
  readonly owner: { readonly id: string; readonly url: string | null }
  /** Whether other processes may have sessions. */
  readonly fleet: boolean
  readonly retentionMs: number
  /** Sessions that a team may have at once. */
  readonly perTeam: number
  readonly defaults: { readonly ttlMs: number; readonly idleMs: number }
  /** How long a process counts as there without being heard of. */
  readonly leaseMs: number
  readonly now: () => number
  readonly newId: () => string
  readonly newSecret: () => string
  /** A call for work that goes on though nobody may wait for it any more. */
  readonly callFor: (terms: { readonly team: string; readonly key?: Call['key']; readonly session: string; readonly timeoutMs: number; readonly signal: AbortSignal }) => Call & { end(): void }
  readonly log: (event: string, fields: Readonly<Record<string, string | number | boolean>>) => void
}
