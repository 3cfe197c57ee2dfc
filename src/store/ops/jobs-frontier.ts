import { randomUUID } from 'node:crypto'
import type { NewPage, SkippedUrl } from '../../domain/jobs.ts'
import { anyOf, rowsOf, storable } from '../dialect.ts'
import { type Op, all, run } from '../op.ts'
import { type Either, either, sql } from '../sql.ts'
import type { JobRow } from './jobs-row.ts'

/** Rows of one statement. */
const chunkRows = 5_000

/** Skipped URLs of a job that are listed; beyond them they are only counted. */
const maxSkipped = 100_000

/** A name that is longer resolves nowhere; indexes hold it whole. */
const maxHost = 253

/** More URLs than the limit may wait, for some will fail; beyond this many they are skipped. */
const maxWaiting = (limit: number): number => 2 * limit + 100

/** What a skip with a code says in the list of errors. */
const skipErrors: Readonly<Record<string, string>> = {
  EXTERNAL_LINK: 'The link leads to the start page of another site.',
  CRAWL_DENIAL: 'robots.txt does not allow the start URL.',
}

/** Adds pages whose key is new to a locked job, and lists those for which there is no room as skipped; answers how many wait now that did not. */
export function* addPages(job: JobRow, pages: readonly NewPage[], now: number): Op<number> {
  const room = job.kind === 'batch' ? Infinity : Math.max(0, maxWaiting(job.limit) - job.waiting)
  const fitting = pages.length <= room ? pages : yield* unknownOf(job, pages)
  let added = 0
  for (const chunk of chunksOf(fitting.length <= room ? fitting : fitting.slice(0, room))) added += yield* insertPages(job, chunk, now)
  job.waiting += added
  if (fitting.length > room) yield* addSkipped(job, fitting.slice(room).map(({ url }) => ({ url, reason: 'limit' })), now)
  return added
}

function* insertPages(job: JobRow, pages: readonly NewPage[], now: number): Op<number> {
  const rows = rowsOf(pages.map((p) => [storable(p.url), storable(p.key), storable(p.host).slice(0, maxHost), p.depth, p.external ? 1 : 0]))
  const added = yield* all(sql`insert into job_pages (job, seq, url, key, host, depth, external, state, run_at)
    select ${job.id}, cast(${job.lastPage} as bigint) + c.n, c.value ->> 0, c.value ->> 1, c.value ->> 2, cast(c.value ->> 3 as bigint), cast(c.value ->> 4 as bigint),
      'waiting', cast(${now} as bigint)
    from ${rows} where true order by c.n on conflict do nothing returning seq`)
  // Numbers of pages known already stay unused: what counts is their order.
  job.lastPage += pages.length
  return added.length
}

/** The pages whose key the frontier does not hold, each once. */
function* unknownOf(job: JobRow, pages: readonly NewPage[]): Op<readonly NewPage[]> {
  const byKey = new Map<string, NewPage>()
  for (const page of pages) if (!byKey.has(storable(page.key))) byKey.set(storable(page.key), page)
  for (const chunk of chunksOf([...byKey.keys()])) {
    const known = yield* all<{ key: string }>(sql`select key from job_pages where job = ${job.id} and ${hasKeyOf(chunk)}`)
    for (const { key } of known) byKey.delete(key)
  }
  return [...byKey.values()]
}

/** By the index of keys. */
function hasKeyOf(keys: readonly string[]): Either {
  return either({ sqlite: sql`key in ${anyOf(keys)}`, postgres: sql`md5(key) in (select md5(k) from ${anyOf(keys)} as asked(k))` })
}

/** Lists URLs of a locked job as skipped, each URL once; those with a code among the errors as well. */
export function* addSkipped(job: JobRow, skipped: readonly SkippedUrl[], now: number): Op<void> {
  for (const chunk of chunksOf(skipped)) {
    const room = maxSkipped - job.skipped
    const listed = room <= 0 ? [] : chunk.slice(0, room)
    const added = listed.length === 0 ? [] : yield* insertSkipped(job, listed)
    job.skipped += added.length + (chunk.length - listed.length)
    for (const row of added) if (row.code !== null) yield* addError(job, { page: null, at: now, url: row.url, code: row.code, error: skipErrors[row.code] ?? 'The URL was not fetched.' })
  }
}

interface SkippedRow {
  readonly seq: number
  readonly url: string
  readonly code: string | null
}

function* insertSkipped(job: JobRow, skipped: readonly SkippedUrl[]): Op<readonly SkippedRow[]> {
  const rows = rowsOf(skipped.map((s) => [storable(s.url), s.reason, s.code ?? null]))
  const added = yield* all<SkippedRow>(sql`insert into job_skipped (job, seq, url, reason, code)
    select ${job.id}, cast(${job.lastSkip} as bigint) + c.n, c.value ->> 0, c.value ->> 1, c.value ->> 2
    from ${rows} where true order by c.n on conflict do nothing returning seq, url, code`)
  job.lastSkip += skipped.length
  return [...added].sort((a, b) => a.seq - b.seq)
}

/** What is to be listed as an error; `page` is the number of the page that failed. */
export interface NewError {
  readonly id?: string
  readonly page: number | null
  readonly at: number
  readonly url: string
  readonly code: string
  readonly error: string
}

/** Lists an error of a locked job; answers its number. */
export function* addError(job: JobRow, error: NewError): Op<number> {
  job.lastError += 1
  yield* run(sql`insert into job_errors (job, seq, id, page, at, url, code, error)
    values (${job.id}, ${job.lastError}, ${error.id ?? randomUUID()}, ${error.page}, ${error.at}, ${error.url}, ${error.code}, ${storable(error.error)})`)
  return job.lastError
}

function* chunksOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < rows.length; i += chunkRows) yield rows.slice(i, i + chunkRows)
}
