import type { Call } from './call.ts'
import type { EngineLesson } from './engine-memory.ts'
import type { GateName } from './gates.ts'
import type { ProxyTier } from './proxies.ts'
import type { IndexedPage } from './search-index.ts'
import type { Validators } from './validators.ts'
import type { Version } from './versions.ts'

/** Where bytes are kept by their content: the key is the SHA-256 of the uncompressed bytes in hex. */
export interface BlobPlace {
  /** Durable (file and folder synced, or taken by the object store) before it answers; the same bytes give the same key. */
  put(bytes: Uint8Array): Promise<string>
  /** Puts off the sweep of a blob as `put` does, without its bytes; false when there is none. */
  keep(key: string): Promise<boolean>
  /** Null when there is no such blob. */
  get(key: string): Promise<Uint8Array | null>
  /** Deletes every blob that is older than `graceMs` and that `inUse` does not name, some of them for good only with the first sweep another `graceMs` later; answers how many. */
  sweep(inUse: (keys: readonly string[]) => Promise<ReadonlySet<string>>, graceMs: number): Promise<number>
  /** Deletes those of these blobs that `sweep` would delete, by the same rules; answers how many. */
  remove(keys: readonly string[], inUse: (keys: readonly string[]) => Promise<ReadonlySet<string>>, graceMs: number): Promise<number>
}

/** A small blob on its way: packed as it is kept, at the time of the settlement that takes it along. */
export interface EnclosedBlob {
  readonly key: string
  readonly packed: Uint8Array
  readonly at: number
}

/** What was given to be kept: durable by now where nothing is enclosed, else as soon as its settlement is. */
export interface Kept {
  readonly key: string
  readonly enclosed: EnclosedBlob | null
}

/** A place for bytes, small ones of which may be kept in the rows of the store. */
export interface Blobs extends BlobPlace {
  /** As `put`, but leaves a small blob to the settlement that names it, where the store takes such: its rows and its bytes are then written in one commit. */
  enclose(bytes: Uint8Array): Promise<Kept>
}

/** Small blobs within the store itself. `at` is when a blob was put or kept last. */
export interface BlobRows {
  /** As packed; null when there is none. */
  find(key: string): Promise<Uint8Array | null>
  /** Null when there is none. */
  keptAt(key: string): Promise<number | null>
  /** Puts off the sweep; false when there is none. */
  keep(key: string, at: number): Promise<boolean>
  /** Oldest first, up to `limit` of those kept before that time, beyond the one named. */
  old(before: number, after: { readonly at: number; readonly key: string } | null, limit: number): Promise<readonly { readonly at: number; readonly key: string }[]>
  /** Deletes those that were last kept before that time; answers how many. */
  remove(keys: readonly string[], before: number): Promise<number>
}

/** Names the one blob that is there wherever the blobs of this database are. */
export interface BlobMarker {
  /** Its key; null when there is none yet. */
  find(): Promise<string | null>
  /** Takes another for it, if it is still the one that is to be replaced; answers the one that it is now. */
  replace(instead: string | null, key: string): Promise<string>
}

export interface Team {
  readonly id: string
  readonly createdAt: number
  /** Credits granted in all; null where accounting is off. */
  readonly creditsGranted: number | null
}

export interface ApiKey {
  /** Public handle, for listing and revoking. */
  readonly id: string
  readonly team: string
  /** First characters of the key, for display. */
  readonly prefix: string
  readonly name: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
  readonly terms: KeyTerms
}

/** What is set for a team beside what the settings say. */
export interface TeamTerms {
  /** Credits that it may use in a calendar month; null: as many as it has. */
  readonly budget: number | null
  /** Rate limits of the team as a whole, as `domain/rates` reads them. */
  readonly rates: string | null
  /** Features that are on for it. */
  readonly gates: readonly GateName[]
  /** Key of its webhook signatures, in place of that of the settings. */
  readonly webhookSecret: string | null
}

/** The terms of a team. */
export interface TermedTeam extends TeamTerms {
  readonly team: string
  /** Whether anything limits the credits that the team, or one of its keys, may use. */
  readonly limited: boolean
}

/** What is set for a key. */
export interface KeyTerms {
  /** Credits that may be used with it in a calendar month. */
  readonly budget: number | null
  /** Its rate limits, kind by kind in place of those of the settings. */
  readonly rates: string | null
}

/** Teams and their keys; keys are known by their SHA-256 only (R25). */
export interface Accounts {
  /** Creates the team when it does not exist; `creditsGranted` applies to a new team only. */
  ensureTeam(id: string, creditsGranted: number | null, now: number): Promise<Team>
  team(id: string): Promise<Team | null>
  teams(): Promise<readonly Team[]>
  /** False when a key with that hash exists already (nothing is changed). */
  addKey(key: { id: string; hash: string; team: string; prefix: string; name: string; createdAt: number }): Promise<boolean>
  /** The key of that hash, revoked or not; null when unknown. */
  keyByHash(hash: string): Promise<ApiKey | null>
  /** Newest first; of one team, or of all. */
  keys(team?: string): Promise<readonly ApiKey[]>
  /** False when there is no such key, or it is revoked already. */
  revokeKey(id: string, now: number): Promise<boolean>
  touchKeys(uses: readonly { id: string; at: number }[]): Promise<void>
  /** Changes what is given, and leaves the rest; false when there is no such team. */
  setTeam(id: string, terms: Partial<TeamTerms>): Promise<boolean>
  /** The same for a key. */
  setKey(id: string, terms: Partial<KeyTerms>): Promise<boolean>
  /** Teams for which something is set, or that something limits. */
  terms(): Promise<readonly TermedTeam[]>
  /** Adds to what a team was granted; one that nothing was granted to starts with what it has used. Null: nothing limits it any more. False when there is no such team. */
  grant(id: string, credits: number | null): Promise<boolean>
}

/** Who pays for something. */
export interface Payer {
  readonly team: string
  /** The key that it was asked for with; absent where keys are off. */
  readonly key?: string | null | undefined
}

/** One line of the ledger. `ref` is unique per team: a charge repeated under the same ref changes nothing. */
export interface Charge {
  readonly ref: string
  /** Under what credits were set aside for it, where that is not its own reference. */
  readonly heldAs?: string
  readonly kind: string
  readonly credits: number
  readonly at: number
  readonly key?: Payer['key']
}

/** Credits that are set aside. */
export interface Hold {
  readonly ref: string
  /** Tells it from one that another, who has taken over the work, holds under the same ref. */
  readonly fence: string
}

export interface Balance {
  /** Null where accounting is off. */
  readonly granted: number | null
  readonly used: number
  /** Credits set aside for work that is under way. */
  readonly held: number
}

/** The limit that leaves a payer least: what was granted to the team, or a budget by the month. */
export interface Allowance {
  readonly plan: number
  /** Without what is used and set aside; below zero where more was used than planned. */
  readonly left: number
  /** Start of the calendar month (UTC) that it is for; null where it is not by the month. */
  readonly month: number | null
  /** It is the budget of the key, not of the team. */
  readonly byKey?: true
}

/** What was used in a calendar month with one key. */
export interface UsedMonth {
  readonly start: number
  /** Null where it was used without one. */
  readonly key: { readonly id: string; readonly name: string } | null
  readonly credits: number
  /** Tokens of language models. */
  readonly tokens: number
}

export interface Ledger {
  balance(team: string, now: number): Promise<Balance>
  /** Null where nothing limits the payer. */
  allowance(payer: Payer, now: number): Promise<Allowance | null>
  /** Sets credits aside until `until`, in place of what is under that ref; null when what is left of a limit does not cover them. Never null where nothing limits the payer. */
  hold(payer: Payer, ref: string, credits: number, until: number, now: number): Promise<Hold | null>
  /** Drops that hold, charging nothing; does nothing where another has taken its place. */
  release(team: string, hold: Hold): Promise<void>
  /** Writes the line and drops the hold of the same ref, in one transaction; false when the line was there already. */
  charge(team: string, charge: Charge): Promise<boolean>
  /** The line of that ref; null when there is none. */
  find(team: string, ref: string): Promise<Charge | null>
  /** Counts tokens of language models. */
  addTokens(payer: Payer, tokens: number, at: number): Promise<void>
  /** By calendar month (UTC), newest first, and key. */
  months(team: string): Promise<readonly UsedMonth[]>
}

/** A finished synchronous job: what `GET /v2/scrape/{id}` answers, and what a replay needs. */
export interface StoredResult {
  readonly id: string
  readonly team: string
  readonly kind: string
  /** Blob of the page as it was derived, or of the whole response body. Answers with the same formats share one. */
  readonly blob: string
  /** What this answer says beyond the blob, as JSON; null where the blob is the whole body. */
  readonly frame: string | null
  /** The request as JSON, for replay. */
  readonly request: string
  readonly createdAt: number
  readonly expiresAt: number
}

export interface CacheKey {
  readonly team: string
  /** Canonical URL and everything of the request that changes the capture, hashed. */
  readonly key: string
}

/** A capture in the cache, with what was already derived from it. */
export interface CacheEntry extends CacheKey {
  readonly id: string
  readonly fetchedAt: number
  /** The capture without its body, as JSON; `blob` holds the body. */
  readonly head: string
  readonly blob: string
  readonly bytes: number
}

/** A blob that lives and dies with a cache entry. */
export interface CacheMemo {
  readonly name: string
  readonly blob: string
  readonly bytes: number
}

export interface Cache {
  /** The newest entry fetched in [oldest, newest], with the memo of that name when there is one. Counts as a use for eviction. */
  find(key: CacheKey, oldest: number, newest: number, memo: string, now: number): Promise<{ entry: CacheEntry; memo: string | null } | null>
  /** Blob keys of memoised outputs, by name; adding to an entry that is gone does nothing. */
  addMemo(team: string, entry: string, name: string, blob: string, bytes: number): Promise<void>
  /** Evicts the entries used longest ago until the rest fits; answers how many went. */
  evict(maxBytes: number): Promise<number>
}

/** A file that an answer points to: whoever has the token may read it until it expires. */
export interface Artifact {
  readonly token: string
  readonly team: string
  readonly blob: string
  /** Media type. */
  readonly media: string
  readonly expiresAt: number
}

/** Everything that one scrape leaves behind, written in one transaction. */
export interface Settlement {
  readonly team: string
  readonly result: StoredResult | null
  readonly charge: Charge | null
  readonly cache: (CacheEntry & { readonly memo: CacheMemo | null; readonly shot?: CacheMemo | null; readonly search?: IndexedPage | null }) | null
  readonly artifacts?: readonly Artifact[]
  /** Blobs that it names and that are not kept yet. */
  readonly enclosed?: readonly EnclosedBlob[]
  /** Written as long as its number is free; one of the same id is not written twice. */
  readonly version?: Version | null
}

/** What became of a settlement: `outdated` when another version came between; then nothing is written. */
export type SettlementOutcome = 'settled' | 'outdated'

export interface Results {
  /** All or nothing. Replaces an older cache entry of the same key. */
  settle(settlement: Settlement): Promise<SettlementOutcome>
  /** Null when unknown; an expired row is answered until it is swept. */
  find(id: string): Promise<StoredResult | null>
  /** Null when unknown; an expired one is answered until it is swept. */
  artifact(token: string): Promise<Artifact | null>
}

export interface NewTask {
  readonly id: string
  readonly team: string
  readonly kind: string
  /** Smaller runs first. */
  readonly priority: number
  readonly runAt: number
  readonly payload: string
  readonly maxAttempts: number
  readonly createdAt: number
}

export interface Task extends NewTask {
  readonly attempt: number
  /** Fencing token of this lease: renewals and results under an older token are refused. */
  readonly token: string
  readonly leaseUntil: number
}

/** How a task ended; `reply` is what the waiting process gets. */
export type TaskOutcome = { readonly kind: 'waiting' } | { readonly kind: 'done'; readonly reply: string } | { readonly kind: 'failed'; readonly reason: string }

/** Durable work. A task is leased by one worker at a time. */
export interface Queue {
  push(tasks: readonly NewTask[]): Promise<void>
  /** Leases up to `limit` due tasks by priority, then age; tasks whose lease ran out are due again, until `maxAttempts` (then they fail). */
  take(worker: string, kinds: readonly string[], limit: number, leaseMs: number, now: number): Promise<readonly Task[]>
  /** False when the lease is lost. */
  renew(id: string, token: string, leaseUntil: number): Promise<boolean>
  /** The ids of those whose lease is held still: the others are another worker's, or wanted by nobody any more. */
  held(tasks: readonly Pick<Task, 'id' | 'token'>[]): Promise<readonly string[]>
  /** What is leased to the worker, whether it knows of that or not. */
  leasedTo(worker: string): Promise<readonly Pick<Task, 'id' | 'token'>[]>
  /** Gives a task back, due at once, as if it had not been taken. False when the lease was lost. */
  giveBack(id: string, token: string): Promise<boolean>
  /** False when the lease was lost in the meantime: the other holder's result counts. */
  done(id: string, token: string, reply: string, now: number): Promise<boolean>
  /** Due again at `runAt`, or failed when no attempt is left. False when the lease was lost. */
  retry(id: string, token: string, reason: string, runAt: number, now: number): Promise<boolean>
  outcome(id: string): Promise<TaskOutcome | null>
  /** Deletes the task, whatever its state: its reader has gone or is served. Answers whether any worker had begun it. */
  remove(id: string): Promise<boolean>
  /** Tasks waiting or leased, of one team or of all. */
  depth(team?: string): Promise<{ waiting: number; leased: number }>
  /** Calls back when tasks may be due or done (in this process at once, in others within a second); answers an unsubscribe function. */
  onChange(listener: () => void): () => void
}

/** Places of a team in use over the whole fleet (`TRAWL_TEAM_CONCURRENCY`). */
export interface Slots {
  /** False when `limit` live holders exist. A holder not renewed by `until` no longer counts. */
  acquire(team: string, holder: string, limit: number, until: number, now: number): Promise<boolean>
  renew(holder: string, until: number): Promise<void>
  release(holder: string): Promise<void>
  inUse(team: string, now: number): Promise<number>
}

/** Pages of one shape on one host, as one team met them. */
export interface LessonKey {
  readonly team: string
  readonly host: string
  readonly shape: string
}

/** What was learned about which engine the pages of a host need; kept for two months. */
export interface Lessons {
  recall(key: LessonKey): Promise<EngineLesson | null>
  note(key: LessonKey, lesson: EngineLesson): Promise<void>
}

/** Fetches a page, following redirects hop by hop, every hop through the address guard. */
export interface Fetcher {
  /**
   * Throws `SCRAPE_DNS_RESOLUTION_ERROR`, `SCRAPE_SSL_ERROR`, `SCRAPE_SITE_ERROR` (refused, reset, too many redirects, not HTTP),
   * `SCRAPE_PROXY_SELECTION_ERROR` (no proxy that works), `FORBIDDEN` (address not allowed), `SCRAPE_TIMEOUT`.
   */
  fetch(request: FetchRequest, call: Call): Promise<FetchAnswer>
  close(): Promise<void>
}

/** By which of the operator's proxies something is asked for. */
export interface Way {
  /** `basic` when absent. */
  readonly tier?: ProxyTier | undefined
  /** The country that the caller named, where a proxy of it is to be used. */
  readonly country?: string | undefined
}

export interface FetchRequest extends Way {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly languages: readonly string[]
  readonly skipTlsVerification: boolean
  /** Decoded bytes kept; what is beyond is cut and reported. */
  readonly maxBytes: number
  /** By what to ask, at the address that it belongs to, for the page only if it was modified. */
  readonly unless?: Validators | undefined
  /** Told where each redirect leads before it is followed; what it throws ends the fetch. */
  readonly onRedirect?: ((url: string) => void | Promise<void>) | undefined
}

export interface FetchAnswer {
  readonly url: string
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
  readonly truncated: boolean
  readonly tlsVerified: boolean
}
