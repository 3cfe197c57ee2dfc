import { randomUUID } from 'node:crypto'
import { maxWaiting } from '../../../domain/crawl/discovery.ts'
import { knownWithout, maxRank } from '../../../domain/crawl/variants.ts'
import type { NewPage, SkippedUrl } from '../../../domain/jobs/pages.ts'
import { digest, rowsOf, storable, textsOf } from '../../dialect.ts'
import { type Op, all, run } from '../../op.ts'
import { type Either, either, sql } from '../../sql.ts'
import { type JobRow, seeding } from './row.ts'

/** Rows per statement. */
const chunkRows = 5_000

/** Skipped URLs that are listed per job; beyond them they are only counted. */
export const maxSkipped = 100_000

/** No longer host name resolves, and indexes store it whole. */
const maxHost = 253

/** Variants may not fill the queue: pages found later must find room for a whole limit. */
const maxVariantsWaiting = (limit: number): number => limit + 1_000

/** With limited depth, linked pages wait for the sitemaps, which may name them, but no longer than this; nor does a page wait longer for others added with it. */
const heldMs = 60_000

/** The text in the list of errors for a skip with a code. */
const skipErrors: Readonly<Record<string, string>> = {
  EXTERNAL_LINK: 'The link leads to the start page of another site.',
  CRAWL_DENIAL: 'robots.txt does not allow the start URL.',
}

/**
 * Adds pages with new keys to a locked job. Lists as skipped those for which there is no room, and other spellings of pages
 * that the job has. Returns how many more pages wait now.
 */
export function* addPages(job: JobRow, pages: readonly NewPage[], now: number): Op<number> {
  const { fresh, folded, nearer } = yield* sortedOut(job, pages)
  const { taken, beyond } = withinRoom(job, fresh)
  for (const chunk of chunksOf(taken)) yield* insertPages(job, yield* doubted(job, chunk), now)
  job.waiting += taken.length
  for (const chunk of chunksOf(nearer)) yield* bringNearer(job, chunk, now)
  // There may be room when they are found again.
  const left = beyond.map(({ url, key }): SkippedUrl => ({ url, key, reason: 'limit' }))
  const keysLeft = new Set(left.map(({ key }) => key))
  // What was left out may be found again under another spelling.
  const others = folded.map(({ url, key }): SkippedUrl => (keysLeft.has(key) ? { url, key, reason: 'limit' } : { url, reason: 'duplicate' }))
  yield* addSkipped(job, [...left, ...others], now)
  return taken.length
}

/** The pages for which a locked job has room, in order. */
function withinRoom(job: JobRow, fresh: readonly NewPage[]): { readonly taken: readonly NewPage[]; readonly beyond: readonly NewPage[] } {
  if (job.kind === 'batch') return { taken: fresh, beyond: [] }
  const taken: NewPage[] = []
  const beyond: NewPage[] = []
  for (const page of fresh) {
    const most = (page.rank ?? 0) === 0 ? maxWaiting(job.limit) : maxVariantsWaiting(job.limit)
    ;(job.waiting + taken.length < most ? taken : beyond).push(page)
  }
  return { taken, beyond }
}

/** The pages with their rank in a locked job: an address is more likely a variant if it is known without its query. */
function* doubted(job: JobRow, pages: readonly NewPage[]): Op<readonly NewPage[]> {
  const asked = [...new Set(pages.flatMap(({ variantOf }) => variantOf ?? []))].map(storable)
  if (asked.length === 0) return pages
  const found = yield* all<{ text: string }>(sql`select c.text from ${textsOf(asked)} join ${pageByText(job)} order by c.n`)
  const known = new Set([...found.map(({ text }) => text), ...pages.map(({ key }) => key)])
  return pages.map((page) => (page.variantOf !== undefined && known.has(storable(page.variantOf)) ? asVariant(page) : page))
}

const asVariant = (page: NewPage): NewPage => ({ ...page, rank: Math.min(maxRank, (page.rank ?? 0) + knownWithout) })

/** The rank of a page among those that wait. */
const placeOf = ({ rank = 0, depth, depthLimited }: NewPage): number => (depthLimited === true ? depth * (maxRank + 1) : 0) + rank

/** The rank of a known page, perhaps a variant: it only moves up for what is certain. */
const surePlaceOf = (page: NewPage): number => placeOf(page.variantOf === undefined ? page : asVariant(page))

/** Number of a waiting page, and the smaller depth or rank found for it. */
interface Nearer {
  readonly seq: number
  readonly depth: number
  readonly rank: number
}

interface SortedOut {
  readonly fresh: readonly NewPage[]
  readonly folded: readonly NewPage[]
  readonly nearer: readonly Nearer[]
}

/** Sorts pages by what a locked job has: `fresh` have a new key, each once; `folded` are known under another URL. A plain repeat is neither, except in a batch, where the caller gave every URL. */
function* sortedOut(job: JobRow, pages: readonly NewPage[]): Op<SortedOut> {
  const bySpelling = new Map(pages.map((page) => [`${page.key}\n${page.url}`, { ...page, key: storable(page.key), url: storable(page.url) }]))
  const fresh = new Map<string, NewPage>()
  const folded: NewPage[] = []
  const nearer: Nearer[] = []
  const isOther = sql`(p.alias is null and p.url <> c.value ->> 1)`
  const isNearer = job.kind === 'crawl' ? sql`(p.state = 'waiting' and p.rank > cast(c.value ->> 2 as bigint))` : sql`(1 = 0)`
  // A page that answered for another has been fetched under that key.
  const tells = job.kind === 'batch' ? sql`` : sql`where p.seq is null or ${isOther} or ${isNearer}`
  for (const chunk of chunksOf([...bySpelling.values()])) {
    const rows = yield* all<{ n: number; seq: number | null; other: number; nearer: number }>(sql`select c.n, p.seq, case when ${isOther} then 1 else 0 end as other, case when ${isNearer} then 1 else 0 end as nearer
      from ${rowsOf(chunk.map((page) => [page.key, page.url, surePlaceOf(page)]))} left join ${pageByKey(job)} ${tells} order by c.n`)
    for (const { n, seq, ...is } of rows) {
      const page = chunk[n - 1]
      if (page === undefined) continue
      if (seq !== null && is.nearer === 1) nearer.push({ seq, depth: page.depth, rank: surePlaceOf(page) })
      if (seq !== null && job.kind === 'crawl' && is.other === 0) continue
      if (seq === null && !fresh.has(page.key)) fresh.set(page.key, page)
      // A page known from before was not seen by this crawl.
      else if (page.recalled !== true) folded.push(page)
    }
  }
  return { fresh: [...fresh.values()], folded, nearer }
}

/** Left-joins page `p` to each row `c` with one index lookup each, whatever the planner believes about table sizes. */
function pageByKey({ id }: JobRow): Either {
  const same = sql`job = ${id} and ${digest('key')} = ${digest('c.value ->> 0')}`
  return either({ sqlite: sql`job_pages p on ${same}`, postgres: sql`lateral (select seq, url, alias, state, rank from job_pages where ${same} limit 1) p on true` })
}

/** Left-joins page `p` to each text `c`, as `pageByKey` does. */
function pageByText({ id }: JobRow): Either {
  const same = sql`job = ${id} and ${digest('key')} = ${digest('c.text')}`
  return either({ sqlite: sql`job_pages p on ${same}`, postgres: sql`lateral (select seq from job_pages where ${same} limit 1) p on true` })
}

function* insertPages(job: JobRow, pages: readonly NewPage[], now: number): Op<void> {
  const rows = rowsOf(pages.map((p) => [p.url, p.key, storable(p.host).slice(0, maxHost), p.depth, p.external ? 1 : 0, p.recalled === true ? 1 : 0, now + (isHeld(job, p) ? heldMs : 0), placeOf(p)]))
  yield* run(sql`insert into job_pages (job, seq, url, key, host, depth, external, recalled, state, run_at, rank)
    select ${job.id}, cast(${job.lastPage} as bigint) + c.n, c.value ->> 0, c.value ->> 1, c.value ->> 2, cast(c.value ->> 3 as bigint), cast(c.value ->> 4 as bigint), cast(c.value ->> 5 as bigint),
      'waiting', cast(c.value ->> 6 as bigint), cast(c.value ->> 7 as bigint)
    from ${rows} where true order by c.n`)
  job.lastPage += pages.length
}

const isHeld = (job: JobRow, { depth, depthLimited }: NewPage): boolean => job.seeding === seeding.sitemaps && depthLimited === true && depth > 0

/** Gives waiting pages of a locked job a smaller rank, and depth where that counts; pages that need not be held any more become due. */
function* bringNearer(job: JobRow, pages: readonly Nearer[], now: number): Op<void> {
  yield* run(sql`update job_pages set depth = cast(c.value ->> 1 as bigint), rank = cast(c.value ->> 2 as bigint),
      run_at = case when cast(c.value ->> 1 as bigint) = 0 and attempt = 0 and postponed = 0 then cast(${now} as bigint) else run_at end
    from ${rowsOf(pages.map(({ seq, depth, rank }) => [seq, depth, rank]))} where job = ${job.id} and seq = cast(c.value ->> 0 as bigint)`)
}

/** The sitemaps have been read: makes the pages of a locked job that waited for them due. */
export function* releaseHeld(job: JobRow, now: number): Op<void> {
  yield* run(sql`update job_pages set run_at = ${now} where job = ${job.id} and state = 'waiting' and run_at > ${now} and attempt = 0 and postponed = 0`)
}

/** Holds back the last added page of a locked batch until the whole addition is there, so that the batch cannot end before. */
export function* holdLast(job: JobRow, now: number): Op<void> {
  yield* run(sql`update job_pages set run_at = ${now + heldMs} where job = ${job.id} and seq = ${job.lastPage} and state = 'waiting'`)
}

/** The whole addition is there: makes the pages of a locked batch that waited for it due. */
export function* releaseLast(job: JobRow, began: number): Op<void> {
  yield* run(sql`update job_pages set run_at = ${began} where job = ${job.id} and state = 'waiting' and run_at = ${began + heldMs}`)
}

interface Unlisted {
  readonly fresh: readonly SkippedUrl[]
  /** Listed with a reason that another route could have lifted; now there is a final one. */
  readonly settled: readonly SkippedUrl[]
}

/** What a locked job does not list yet, each URL once. Most links of a page are known, and asking first costs a third of trying to insert them. */
function* unlisted(job: JobRow, skipped: readonly SkippedUrl[]): Op<Unlisted> {
  const byText = new Map<string, SkippedUrl>()
  for (const row of skipped) if (!byText.has(row.url)) byText.set(row.url, row)
  const fresh: SkippedUrl[] = []
  const settled: SkippedUrl[] = []
  for (const chunk of chunksOf([...byText.keys()])) {
    const found = yield* all<{ text: string; seq: number | null }>(sql`select c.text, s.seq from ${textsOf(chunk)} left join ${skippedByUrl(job)} where s.seq is null or s.key is not null order by c.n`)
    for (const { text, seq } of found) {
      const row = byText.get(text)
      if (row && seq === null) fresh.push(row)
      else if (row && row.key === undefined) settled.push(row)
    }
  }
  return { fresh, settled }
}

/** Left-joins the skipped row `s` to each text `c`, as `pageByKey` does. */
function skippedByUrl({ id }: JobRow): Either {
  const same = sql`job = ${id} and ${digest('url')} = ${digest('c.text')}`
  return either({ sqlite: sql`job_skipped s on ${same}`, postgres: sql`lateral (select seq, key from job_skipped where ${same} limit 1) s on true` })
}

/** Lists URLs of a locked job as skipped, each once; those with a code also as errors. A final reason replaces one that another route could lift. */
export function* addSkipped(job: JobRow, skipped: readonly SkippedUrl[], now: number): Op<void> {
  if (skipped.length === 0) return
  const { fresh, settled } = yield* unlisted(job, skipped.map((s) => ({ ...s, url: storable(s.url) })))
  const listed = fresh.slice(0, Math.max(0, maxSkipped - job.skipped))
  job.skipped += fresh.length
  const put = [...listed, ...settled]
  for (const chunk of chunksOf(listed)) {
    yield* putSkipped(job, chunk)
    job.lastSkip += chunk.length
  }
  // They keep their numbers and use up no new ones: readers count ahead what is yet to be listed.
  for (const chunk of chunksOf(settled)) yield* putSkipped(job, chunk)
  for (const { url, code } of put) if (code !== undefined) yield* addError(job, { page: null, at: now, url, code, error: skipErrors[code] ?? 'The URL was not fetched.' })
}

/** Lists pages of a locked job that were under way when it ended, as no longer wanted. */
export function* addDropped(job: JobRow, pages: readonly { readonly seq: number; readonly url: string }[], now: number): Op<void> {
  const inOrder = [...pages].sort((a, b) => a.seq - b.seq)
  yield* addSkipped(job, inOrder.map(({ url }) => ({ url, reason: 'cancelled' })), now)
}

function* putSkipped(job: JobRow, skipped: readonly SkippedUrl[]): Op<void> {
  const rows = rowsOf(skipped.map((s) => [s.url, s.reason, s.code ?? null, s.key === undefined ? null : storable(s.key)]))
  yield* run(sql`insert into job_skipped (job, seq, url, reason, code, key)
    select ${job.id}, cast(${job.lastSkip} as bigint) + c.n, c.value ->> 0, c.value ->> 1, c.value ->> 2, c.value ->> 3 from ${rows} where true order by c.n
    on conflict (job, ${digest('url')}) do update set reason = excluded.reason, code = excluded.code, key = excluded.key`)
}

/** An error to be listed; `page` is the number of the failed page. */
export interface NewError {
  readonly id?: string
  readonly page: number | null
  readonly at: number
  readonly url: string
  readonly code: string
  readonly error: string
}

/** Lists an error of a locked job; returns its number. */
export function* addError(job: JobRow, error: NewError): Op<number> {
  job.lastError += 1
  yield* run(sql`insert into job_errors (job, seq, id, page, at, url, code, error)
    values (${job.id}, ${job.lastError}, ${error.id ?? randomUUID()}, ${error.page}, ${error.at}, ${error.url}, ${error.code}, ${storable(error.error)})`)
  return job.lastError
}

function* chunksOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < rows.length; i += chunkRows) yield rows.slice(i, i + chunkRows)
}
