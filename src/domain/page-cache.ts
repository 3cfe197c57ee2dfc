/** Names the cache entries that may answer one request of a team. */
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

/** Captures kept to answer later requests; which request may use one is decided in `cache.ts`. */
export interface Cache {
  /** The newest entry fetched in [oldest, newest], with the memo of that name when there is one. Counts as a use for eviction. */
  find(key: CacheKey, oldest: number, newest: number, memo: string, now: number): Promise<{ entry: CacheEntry; memo: string | null } | null>
  /** Blob keys of memoised outputs, by name; adding to an entry that is gone does nothing. */
  addMemo(team: string, entry: string, name: string, blob: string, bytes: number): Promise<void>
  /** Evicts the entries used longest ago until the rest fits; answers how many went. */
  evict(maxBytes: number): Promise<number>
}
