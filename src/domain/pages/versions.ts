import type { ChangeTracking } from '../../spec/changes.ts'

/** How a page changed since the version before (contract §3.6). */
export type ChangeStatus = ChangeTracking['changeStatus']

/** The difference of two texts: a unified diff, and the same as chunks of changes. */
export type Diff = NonNullable<ChangeTracking['diffDetail']>

/** Two texts to compare. */
export interface CompareOrder {
  readonly previous: string
  readonly current: string
  /** Whether to return the difference. */
  readonly diff: boolean
}

/** The result of a comparison; `diff` only if it was requested and there is one. */
export interface Compared {
  readonly same: boolean
  readonly diff: Diff | null
}

/** The same with the members that the answer gets, as JSON: a difference may have millions of values, which only pass through. */
export interface ComparedBytes {
  readonly same: boolean
  readonly diff: Uint8Array | null
}

/** Identifies the versions of a page under a tag, for a team. */
export interface VersionKey {
  readonly team: string
  /** Digest of URL and tag. */
  readonly page: string
}

/** A page as it was at some time, kept without expiry. */
export interface Version extends VersionKey {
  /** Id of the scrape. */
  readonly id: string
  /** 1 for the first version of its page. */
  readonly number: number
  readonly url: string
  readonly tag: string | null
  readonly at: number
  readonly status: ChangeStatus
  /** Blob of the derived page. */
  readonly blob: string
  /** What the response said beyond the blob, as JSON. */
  readonly frame: string
  /** The capture without its body, as JSON; `body` is the blob that holds it. */
  readonly head: string
  readonly body: string
  readonly bytes: number
  /** Digests of the options of the fetch, of those of reading, and of those of them that matter for a comparison. */
  readonly asked: string
  readonly read: string
  readonly compared: string
}

/** A version as listed. */
export type VersionRow = Pick<Version, 'id' | 'at' | 'status'>

/** Which tracked pages to list: those of a team under a tag whose URL starts with the prefix (at most 300 characters), in an order that stays. */
export interface TrackedPages {
  readonly team: string
  readonly tag: string | null
  readonly prefix: string
  /** The last URL of the previous part; empty for the first part. */
  readonly after: string
  readonly limit: number
}

/** Versions of tracked pages. They are written with the settlement of their scrape (`Settlement`). */
export interface Versions {
  /** The newest version of a page, except that of the given scrape; null when there is none. */
  latest(key: VersionKey, except: string): Promise<Version | null>
  find(id: string): Promise<Version | null>
  /** The newest version that existed at that time. */
  at(key: VersionKey, at: number): Promise<Version | null>
  /** URLs of pages that existed in their newest version. Costs what it returns, and what was removed in between. */
  tracked(which: TrackedPages): Promise<readonly string[]>
  /** Deletes a version of that team. Returns the blobs that it referred to; null when there is no such version. */
  remove(id: string, team: string): Promise<readonly string[] | null>
  /** Deletes the oldest versions of a page, at most `limit`. */
  removeSome(key: VersionKey, limit: number): Promise<{ readonly count: number; readonly blobs: readonly string[] }>
  /** Newest first. */
  list(key: VersionKey, window: { readonly skip: number; readonly limit: number }): Promise<readonly VersionRow[]>
}
