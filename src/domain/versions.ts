import type { ChangeTracking } from '../spec/changes.ts'

/** What became of a page since the version before (contract §3.6). */
export type ChangeStatus = ChangeTracking['changeStatus']

/** A difference of two texts: a unified diff, and the same as chunks of changes. */
export type Diff = NonNullable<ChangeTracking['diffDetail']>

/** Two texts to be compared. */
export interface CompareOrder {
  readonly previous: string
  readonly current: string
  /** Whether what differs is wanted. */
  readonly diff: boolean
}

/** What comparing found; `diff` only where it was wanted and there is one. */
export interface Compared {
  readonly same: boolean
  readonly diff: Diff | null
}

/** Whose versions: those of a page under a tag, for a team. */
export interface VersionKey {
  readonly team: string
  /** Digest of URL and tag. */
  readonly page: string
}

/** A page as it once was, kept without expiry. */
export interface Version extends VersionKey {
  /** Id of the scrape. */
  readonly id: string
  /** 1 for the first of its page. */
  readonly number: number
  readonly url: string
  readonly tag: string | null
  readonly at: number
  readonly status: ChangeStatus
  /** Blob of the page as it was derived. */
  readonly blob: string
  /** What the answer said beyond the blob, as JSON. */
  readonly frame: string
  /** The capture without its body, as JSON; `body` is the blob that holds it. */
  readonly head: string
  readonly body: string
  readonly bytes: number
  /** Name of how the capture was asked for, and of how it was read. */
  readonly asked: string
  readonly read: string
}

/** A version as it is listed. */
export type VersionRow = Pick<Version, 'id' | 'at' | 'status'>

/** Which tracked pages: those of a team under a tag whose URL begins so, in the order of their bytes. */
export interface TrackedPages {
  readonly team: string
  readonly tag: string | null
  readonly prefix: string
  /** The last one that is known already; empty for none. */
  readonly after: string
  readonly limit: number
}

/** Versions of tracked pages. They are written with the scrape that they are of (`Settlement`). */
export interface Versions {
  /** The newest of a page that is not of that scrape; null when there is none. */
  latest(key: VersionKey, except: string): Promise<Version | null>
  find(id: string): Promise<Version | null>
  /** The newest that is not younger than that moment. */
  at(key: VersionKey, at: number): Promise<Version | null>
  /** URLs of pages whose newest version is one of a page that was there. */
  tracked(which: TrackedPages): Promise<readonly string[]>
  /** Forgets a version of that team. Answers the blobs that it named; null where there is no such version. */
  remove(id: string, team: string): Promise<readonly string[] | null>
  /** Forgets the oldest of a page, so many at most. */
  removeSome(key: VersionKey, limit: number): Promise<{ readonly count: number; readonly blobs: readonly string[] }>
  /** Newest first. */
  list(key: VersionKey, window: { readonly skip: number; readonly limit: number }): Promise<readonly VersionRow[]>
}
