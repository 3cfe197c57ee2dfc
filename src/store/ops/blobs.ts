import { type Op, all } from '../op.ts'
import { list, sql } from '../sql.ts'

/** Which of these blobs a row names, of any noun. */
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
      union select blob from idempotency where blob in ${some}`)
    for (const row of rows) used.add(row.blob)
  }
  return used
}
