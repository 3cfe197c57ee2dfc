import type { CacheKey } from '../domain/pages/page-cache.ts'
import type { CacheUse } from './ops/cache.ts'

/** Uses are written together, this long after the first, so that a cache hit costs no commit. A crash loses them, which only affects eviction. */
const flushMs = 5_000

/** From this many pending uses on, they are written at once. */
const maxUses = 1_000

/** Collects uses of cache entries. */
export interface CacheUses {
  note(key: CacheKey, at: number): void
  /** Writes the pending uses. */
  flush(): Promise<void>
}

/** `write` stores the uses; a failure only affects the order of eviction. */
export function cacheUses(write: (uses: readonly CacheUse[]) => Promise<void>): CacheUses {
  let uses = new Map<string, CacheUse>()
  let timer: NodeJS.Timeout | undefined
  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (uses.size === 0) return
    const batch = [...uses.values()]
    uses = new Map()
    await write(batch)
  }
  // Nobody waits for this flush, and the entries stay in the cache without it.
  const flushAside = (): void => void flush().catch(() => undefined)
  return {
    note: (key, at) => {
      uses.set(`${key.team}\n${key.key}`, { team: key.team, key: key.key, at })
      if (uses.size >= maxUses) return flushAside()
      timer ??= setTimeout(flushAside, flushMs).unref()
    },
    flush,
  }
}
