import type { CacheEntry, CacheKey, CacheMemo, Reindexing } from '../../domain/pages/page-cache.ts'
import type { Settlement } from '../../domain/pages/results.ts'
import { forNoKeyUpdate, greatest } from '../dialect.ts'
import { type Op, all, first, run } from '../op.ts'
import { sql } from '../sql.ts'
import { putPage } from './search-put.ts'

/** The use of an entry, for eviction. */
export interface CacheUse extends CacheKey {
  readonly at: number
}

/** Entries deleted per transaction: few enough that a scrape's commit never waits long behind an eviction, as behind a sweep. */
const evictionBatch = 500

/** Captures and their memoised outputs. */
export const cache = {
  *find(key: CacheKey, oldest: number, newest: number, memo: string): Op<{ entry: CacheEntry; memo: string | null } | null> {
    const row = yield* first<CacheEntry & { memo: string | null }>(sql`select
        e.team, e.key, e.id, e.fetched_at as "fetchedAt", e.head, e.blob, e.bytes, m.blob as memo
      from cache_entries e left join cache_memos m on m.team = e.team and m.key = e.key and m.name = ${memo} and m.entry = e.id
      where e.team = ${key.team} and e.key = ${key.key} and e.fetched_at between ${oldest} and ${newest}`)
    if (!row) return null
    const { memo: found, ...entry } = row
    return { entry, memo: found }
  },

  /** Records uses; separate from `find`, which thus is a plain read. */
  *touch(uses: readonly CacheUse[]): Op<void> {
    // In order, so that two processes never deadlock.
    const order = ({ team, key }: CacheKey): string => `${team}\n${key}`
    for (const use of [...uses].sort((a, b) => (order(a) < order(b) ? -1 : 1))) {
      yield* run(sql`update cache_entries set used_at = ${greatest}(used_at, ${use.at}) where team = ${use.team} and key = ${use.key}`)
    }
  },

  *addMemo(team: string, entry: string, name: string, blob: string, bytes: number): Op<void> {
    // Locked, so that of two memos added at once each is counted, and none is added to an entry that is just being replaced.
    const owner = yield* first<{ key: string }>(sql`select key from cache_entries where team = ${team} and id = ${entry} ${forNoKeyUpdate}`)
    if (!owner) return
    yield* putMemo({ team, key: owner.key, id: entry }, { name, blob, bytes })
    yield* measure({ team, key: owner.key })
  },

  *reindex(team: string, entry: string, { page, memo, instead }: Reindexing): Op<void> {
    const owner = yield* first<{ key: string; fetchedAt: number }>(sql`select e.key, e.fetched_at as "fetchedAt" from cache_entries e
      join search_pages p on p.team = e.team and p.key = e.key and p.entry = e.id
      where e.team = ${team} and e.id = ${entry} and p.memo = ${instead} ${forNoKeyUpdate}`)
    if (owner) yield* putPage({ team, id: entry, ...owner, search: page, memo: { name: memo } })
  },

  /** Deletes a batch of entries at most; returns how many. */
  *evict(maxBytes: number): Op<number> {
    const sum = yield* first<{ total: number }>(sql`select coalesce(sum(size), 0) as total from cache_entries`)
    let excess = (sum?.total ?? 0) - maxBytes
    let evicted = 0
    const oldest = excess <= 0 ? [] : yield* all<CacheKey & { size: number }>(sql`select team, key, size from cache_entries order by used_at, size, team, key limit ${evictionBatch}`)
    for (const entry of oldest) {
      if (excess <= 0) break
      excess -= entry.size
      const gone = yield* all(sql`delete from cache_entries where team = ${entry.team} and key = ${entry.key} returning key`)
      evicted += gone.length
    }
    return evicted
  },
}

/** Stores a capture in place of an older one of the same key, or renews it; a newer one stays. */
export function* putEntry(entry: NonNullable<Settlement['cache']>): Op<void> {
  const stored = yield* all(sql`insert into cache_entries (team, key, id, fetched_at, used_at, head, blob, bytes, size)
    values (${entry.team}, ${entry.key}, ${entry.id}, ${entry.fetchedAt}, ${entry.fetchedAt}, ${entry.head}, ${entry.blob}, ${entry.bytes}, ${entry.bytes})
    on conflict (team, key) do update set id = excluded.id, fetched_at = excluded.fetched_at, used_at = excluded.used_at,
      head = excluded.head, blob = excluded.blob, bytes = excluded.bytes, size = excluded.size
    where cache_entries.fetched_at < excluded.fetched_at or (cache_entries.fetched_at = excluded.fetched_at and cache_entries.id <> excluded.id)
    returning id`)
  if (stored.length === 0) return
  yield* run(sql`delete from cache_memos where team = ${entry.team} and key = ${entry.key} and entry <> ${entry.id}`)
  for (const memo of [entry.memo, entry.shot]) if (memo) yield* putMemo(entry, memo)
  yield* putPage(entry)
  yield* measure(entry)
}

function* putMemo(owner: CacheKey & { readonly id: string }, memo: CacheMemo): Op<void> {
  yield* run(sql`insert into cache_memos (team, key, name, entry, blob, bytes)
    values (${owner.team}, ${owner.key}, ${memo.name}, ${owner.id}, ${memo.blob}, ${memo.bytes})
    on conflict (team, key, name) do update set entry = excluded.entry, blob = excluded.blob, bytes = excluded.bytes`)
}

/** Adds the size of memos to their capture's. */
function* measure({ team, key }: CacheKey): Op<void> {
  yield* run(sql`update cache_entries set size = bytes + (select coalesce(sum(bytes), 0) from cache_memos where team = ${team} and key = ${key})
    where team = ${team} and key = ${key}`)
}
