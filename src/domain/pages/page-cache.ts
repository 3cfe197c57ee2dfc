import type { IndexedPage } from '../search/search-index.ts'

/** Identifies the cache entries that may answer one request of a team. */
export interface CacheKey {
  readonly team: string
  /** Hash of the canonical URL and all options of the request that affect the capture. */
  readonly key: string
}

/** A capture in the cache, with the outputs derived from it so far. */
export interface CacheEntry extends CacheKey {
  readonly id: string
  readonly fetchedAt: number
  /** The capture without its body, as JSON; `blob` holds the body. */
  readonly head: string
  readonly blob: string
  readonly bytes: number
}

/** A blob that is deleted with its cache entry. */
export interface CacheMemo {
  readonly name: string
  readonly blob: string
  readonly bytes: number
}

/** A page for the search index, the name of the memo that holds its text, and that of the memo whose place it takes. */
export interface Reindexing {
  readonly page: IndexedPage
  readonly memo: string
  readonly instead: string
}

/** Stores captures to answer later requests; `cache.ts` decides which request may use which. */
export interface Cache {
  /** The newest entry fetched in [oldest, newest], and its memo with that name, if any. Counts as a use for eviction. */
  find(key: CacheKey, oldest: number, newest: number, memo: string, now: number): Promise<{ entry: CacheEntry; memo: string | null } | null>
  /** Stores the blob key of a derived output under a name; does nothing when the entry is gone. */
  addMemo(team: string, entry: string, name: string, blob: string, bytes: number): Promise<void>
  /** Indexes the page of an entry anew; does nothing when the entry is gone, or is not indexed by the memo `instead`. */
  reindex(team: string, entry: string, reading: Reindexing): Promise<void>
  /** Evicts the least recently used entries until the rest fits; returns how many. */
  evict(maxBytes: number): Promise<number>
}
