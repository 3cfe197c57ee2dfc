import type { EnclosedBlob } from '../../domain/blobs.ts'
import { anyOf } from '../dialect.ts'
import { type Op, all, first, run } from '../op.ts'
import { list, sql } from '../sql.ts'

/** Which of these blobs any row names. */
export function* blobsInUse(keys: readonly string[]): Op<ReadonlySet<string>> {
  const used = new Set<string>()
  for (let i = 0; i < keys.length; i += 200) {
    const some = list(keys.slice(i, i + 200))
    const rows = yield* all<{ blob: string }>(sql`select blob from results where blob in ${some}
      union select blob from cache_entries where blob in ${some}
      union select blob from cache_memos where blob in ${some}
      union select blob from artifacts where blob in ${some}
      union select blob from profiles where blob in ${some}
      union select blob from versions where blob in ${some}
      union select body as blob from versions where body in ${some}
      union select blob from idempotency where blob in ${some}
      union select blob from blob_marker where blob in ${some}`)
    for (const row of rows) used.add(row.blob)
  }
  return used
}

/** The marker blob that must exist wherever this database's blobs are. */
export const blobMarker = {
  *find(): Op<string | null> {
    return (yield* first<{ blob: string }>(sql`select blob from blob_marker where id = 1`))?.blob ?? null
  },

  *replace(instead: string | null, key: string): Op<string> {
    yield* run(sql`insert into blob_marker (id, blob) values (1, ${key}) on conflict (id) do update set blob = excluded.blob where blob_marker.blob = ${instead ?? ''}`)
    return (yield* blobMarker.find()) ?? key
  },
}

/** Small blobs in rows of their own. */
export const blobRows = {
  *find(key: string): Op<Uint8Array | null> {
    return (yield* first<{ packed: Uint8Array }>(sql`select packed from blobs where key = ${key}`))?.packed ?? null
  },

  *keptAt(key: string): Op<number | null> {
    return (yield* first<{ at: number }>(sql`select at from blobs where key = ${key}`))?.at ?? null
  },

  *keep(key: string, at: number): Op<boolean> {
    return (yield* first(sql`update blobs set at = ${at} where key = ${key} returning key`)) !== null
  },

  *old(before: number, after: { at: number; key: string } | null, limit: number): Op<readonly { at: number; key: string }[]> {
    const beyond = after === null ? sql`` : sql`and (at, key) > (${after.at}, ${after.key})`
    return yield* all<{ at: number; key: string }>(sql`select at, key from blobs where at < ${before} ${beyond} order by at, key limit ${limit}`)
  },

  *remove(keys: readonly string[], before: number): Op<number> {
    return (yield* all(sql`delete from blobs where key in ${anyOf(keys)} and at < ${before} returning key`)).length
  },
}

/** Stores the blobs enclosed in a settlement. An existing one is written again, which repairs it. */
export function* keepEnclosed(blobs: readonly EnclosedBlob[] = []): Op<void> {
  for (const { key, packed, at } of blobs) {
    yield* run(sql`insert into blobs (key, at, packed) values (${key}, ${at}, ${packed}) on conflict (key) do update set at = excluded.at, packed = excluded.packed`)
  }
}
