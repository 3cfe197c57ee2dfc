import type { NewJob } from '../../domain/jobs/job.ts'
import type { Jobs, TakeTerms } from '../../domain/jobs/jobs.ts'
import type { PageEnd, PageTask } from '../../domain/jobs/pages.ts'
import type { Store } from '../../domain/store.ts'
import type { TeamRemoval } from '../../domain/teams/removal.ts'
import type { Op } from '../op.ts'
import { accounts } from './accounts.ts'
import { blobMarker, blobRows, blobsInUse } from './blobs.ts'
import { cache } from './cache.ts'
import { idempotency } from './idempotency.ts'
import type { Addition, Beginning } from './jobs/create.ts'
import type { Cancelling } from './jobs/end.ts'
import { type Settled, settlePages } from './jobs/settle.ts'
import type { Taken, Turn } from './jobs/take.ts'
import { jobs } from './jobs/index.ts'
import { ledger } from './ledger.ts'
import { lessons } from './lessons.ts'
import { outbox } from './outbox.ts'
import { profiles } from './profiles.ts'
import { queue } from './queue.ts'
import { results } from './results.ts'
import { search } from './search.ts'
import { sessions } from './sessions.ts'
import { slots } from './slots.ts'
import { removal } from './team-removal.ts'
import { teams } from './teams.ts'
import { abilities, templates } from './templates.ts'
import { upkeep } from './upkeep.ts'
import { versions } from './versions.ts'

type Nouns = Pick<Store, 'accounts' | 'ledger' | 'results' | 'cache' | 'idempotency' | 'queue' | 'slots' | 'lessons' | 'profiles' | 'outbox' | 'sessions' | 'teams' | 'versions' | 'search' | 'templates' | 'abilities' | 'blobRows' | 'blobMarker'>

/** Maps each port method that returns a promise of R to an operation that returns R. */
type OperationsOf<T> = {
  readonly [M in keyof T as T[M] extends (...args: never[]) => Promise<unknown> ? M : never]: T[M] extends (...args: infer A) => Promise<infer R> ? (...args: A) => Op<R> : never // Leaves out what answers no promise, such as `onChange`.
}

/** Settling a page also returns whether to wake anybody. The pages of a new job come in parts. Taking, leaving, large additions and ending large jobs take several operations. */
type JobOperations = Omit<OperationsOf<Jobs>, 'create' | 'append' | 'leave' | 'settle' | 'take' | 'cancel' | 'fail'> & {
  create(job: NewJob, begin: Beginning): Op<boolean>
  append(id: string, part: Addition, now: number): Op<boolean>
  leave(...args: Parameters<Jobs['leave']>): Op<readonly string[]>
  settle(...args: Parameters<Jobs['settle']>): Op<Settled>
  take(terms: TakeTerms, except: readonly string[], now: number): Op<Taken>
  cancel(...args: Parameters<Jobs['cancel']>): Op<Cancelling>
  fail(...args: Parameters<Jobs['fail']>): Op<boolean>
  skipMore(id: string, now: number): Op<boolean>
  halfEnded(before: number): Op<readonly string[]>
  takePassed(turn: Turn, terms: TakeTerms, now: number): Op<readonly PageTask[] | null>
}

/** A team is removed in several operations. */
type RemovalOperations = Omit<OperationsOf<TeamRemoval>, 'remove'> & { removeSome(team: string): Op<boolean> }

/** Every method of the ports as an operation, plus the store's own upkeep. A missing one fails the build. */
export const operations = { accounts, ledger, results, cache, idempotency, queue, slots, lessons, profiles, outbox, sessions, teams, versions, search, templates, abilities, blobRows, blobMarker, jobs, removal, blobs: { inUse: blobsInUse }, upkeep } satisfies {
  readonly [N in keyof Nouns]: OperationsOf<Nouns[N]>
} & { readonly jobs: JobOperations; readonly removal: RemovalOperations; readonly blobs: { inUse(keys: readonly string[]): Op<ReadonlySet<string>> }; readonly upkeep: typeof upkeep }

/** Read-only operations: they run beside the writer, never behind it. Their connection cannot write, so a write among them would fail. */
export const reads: ReadonlySet<string> = new Set([
  'accounts.team', 'accounts.teams', 'accounts.keyByHash', 'accounts.keys', 'accounts.terms',
  'ledger.balance', 'ledger.allowance', 'ledger.months', 'results.find', 'results.artifact', 'cache.find',
  'queue.held', 'queue.leasedTo', 'queue.outcome', 'queue.depth', 'slots.inUse', 'lessons.recall', 'templates.recall', 'abilities.recall', 'profiles.find', 'blobs.inUse', 'outbox.list', 'outbox.next',
  'jobs.find', 'jobs.former', 'jobs.active', 'jobs.results', 'jobs.errors', 'jobs.skipped', 'jobs.events', 'jobs.load', 'jobs.orphaned', 'jobs.leasedTo', 'jobs.halfEnded',
  'sessions.owner', 'sessions.hosts', 'sessions.find', 'sessions.ofScrape', 'sessions.list', 'ledger.find', 'teams.load', 'teams.activity', 'teams.feedback',
  'upkeep.time', 'blobMarker.find', 'blobRows.find', 'blobRows.keptAt', 'blobRows.old', 'versions.latest', 'versions.find', 'versions.at', 'versions.list', 'search.search', 'search.languages', 'search.pages', 'removal.work',
])

/** Operations that neither wait for a lock nor are retried: they answer null if another transaction is in the way. */
export const impatient: ReadonlySet<string> = new Set(['jobs.takePassed', 'jobs.recoverPassed'])

/** The operations of one noun as promises instead of generators. */
type Promised<T> = { readonly [M in keyof T]: T[M] extends (...args: infer A) => Op<infer R> ? (...args: A) => Promise<R> : never }

/** All operations as promises. */
export type Promises = { readonly [N in keyof typeof operations]: Promised<(typeof operations)[N]> }

/** Runs the operation of that name (`noun.verb`); the arguments must be copyable between threads. */
export type RunOperation = (name: string, args: readonly unknown[]) => Promise<unknown>

/** The generator of an operation; throws for an unknown name. */
export function operation(name: string, args: readonly unknown[]): Op<unknown> {
  const [noun = '', verb = ''] = name.split('.')
  const table: Readonly<Record<string, Readonly<Record<string, (...args: never[]) => Op<unknown>>>>> = operations
  const make = table[noun]?.[verb]
  if (!make) throw new Error(`There is no store operation ${name}.`)
  return make(...(args as readonly never[])) // The arguments come from `promises`, whose types are those of the operations.
}

/** Operations that come in bursts: several in a row run as one, which reads and writes their common rows once, with the same answers as one by one. If one fails, all must be run one by one. */
const joint: Readonly<Record<string, (args: readonly (readonly unknown[])[]) => Op<readonly unknown[]>>> = {
  'jobs.settle': (args) => settlePages(args.map(([end]) => end as PageEnd)), // As for `operation`.
}

/** Several operations of one name as one; undefined if they must run one by one. */
export function jointly(name: string, args: readonly (readonly unknown[])[]): Op<readonly unknown[]> | undefined {
  return args.length > 1 ? joint[name]?.(args) : undefined
}

/** Makes every operation callable; the public store is built from these. */
export function promises(runOperation: RunOperation): Promises {
  const nouns = Object.entries(operations).map(([noun, verbs]) => [
    noun,
    Object.fromEntries(Object.keys(verbs).map((verb) => [verb, (...args: readonly unknown[]) => runOperation(`${noun}.${verb}`, args)])),
  ])
  return Object.fromEntries(nouns) as Promises // Same keys as `operations`; each function runs the operation of its own name.
}
