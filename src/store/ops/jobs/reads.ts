import type { EventType, JobEvent } from '../../../domain/jobs/events.ts'
import type { Job, JobKind } from '../../../domain/jobs/job.ts'
import type { Jobs } from '../../../domain/jobs/jobs.ts'
import type { ErrorRow, PageRow, SkippedRow, SkipReason } from '../../../domain/jobs/pages.ts'
import { byIndex, greatest, sameText } from '../../dialect.ts'
import { type Op, all, first } from '../../op.ts'
import { type Sql, sql } from '../../sql.ts'
import { maxSkipped } from './frontier.ts'
import { type JobRead, jobColumns, jobOf } from './row.ts'

const left = sql`page_limit - done - leased`
/** Pages of the jobs chosen that wait. More URLs of a crawl may wait than its limit allows; the surplus is in nobody's way. */
export const pagesWaiting = sql`coalesce(sum(case when state <> 'scraping' then 0 when waiting < ${left} then waiting else ${greatest}(${left}, 0) end), 0)`

/** Queries about jobs. */
export const readings = {
  *find(id: string): Op<Job | null> {
    const row = yield* first<JobRead>(sql`select ${jobColumns} from jobs j join job_details d on d.job = j.id where j.id = ${id}`)
    return row && jobOf(row)
  },

  *former(id: string): Op<Pick<Job, 'team' | 'kind'> | null> {
    return yield* first<Pick<Job, 'team' | 'kind'>>(sql`select team, kind from former_jobs where id = ${id}`)
  },

  *active(team: string, kind: JobKind): Op<readonly Job[]> {
    const rows = yield* all<JobRead>(sql`select ${jobColumns} from jobs j join job_details d on d.job = j.id
      where j.open = 1 and j.team = ${team} and j.kind = ${kind} and j.state = 'scraping' order by j.created_at desc, j.id desc`)
    return rows.map(jobOf)
  },

  *results(id: string, page: { readonly skip: number; readonly limit: number; readonly maxBytes: number }): Op<readonly PageRow[]> {
    const rows = yield* all<PageRow>(sql`select r.seq, r.id as "scrapeId", p.url, r.blob, coalesce(r.frame, '') as frame, r.bytes, r.created_at as at from results r join job_pages p on p.job = r.job and p.seq = r.page
      where r.job = ${id} and r.seq > ${page.skip} order by r.seq limit ${page.limit}`)
    let bytes = 0
    const fitting = rows.findIndex((row, i) => (bytes += row.bytes) > page.maxBytes && i > 0)
    return fitting === -1 ? rows : rows.slice(0, fitting)
  },

  *answered(id: string): Op<readonly string[]> {
    const rows = yield* all<{ origin: string }>(sql`select distinct case when url like 'https:%' then 'https://' else 'http://' end || host as origin from job_pages where job = ${id} and state = 'done'`)
    return rows.map(({ origin }) => origin)
  },

  *errors(id: string, page: { readonly skip: number; readonly limit: number }): Op<readonly ErrorRow[]> {
    return yield* all<ErrorRow>(sql`select id, at, url, code, error from job_errors where job = ${id} and seq > ${page.skip} order by seq limit ${page.limit}`)
  },

  *skipped(id: string, page: { readonly after: number; readonly limit: number; readonly reason?: SkipReason }): Op<readonly SkippedRow[]> {
    const half = page.reason === 'robots' ? null : yield* first(sql`select id from jobs where id = ${id} and state <> 'scraping' and waiting > 0`)
    const rows = yield* all<SkippedRead>(half === null ? listed(id, page) : listedHalf(id, page))
    return rows.map(({ code, ...row }) => (code === null ? row : { ...row, code }))
  },

  *events(id: string, after: number, limit: number): Op<readonly JobEvent[]> {
    return (yield* all<EventRead>(sql`select ${eventColumns} ${eventTables} where e.job = ${id} and e.seq > ${after} order by e.seq limit ${limit}`)).map(eventOf)
  },

  *load(team: string): Op<{ readonly waiting: number; readonly running: number }> {
    const row = yield* first<{ waiting: number; running: number }>(sql`select ${pagesWaiting} as waiting, coalesce(sum(leased), 0) as running from jobs where open = 1 and team = ${team}`)
    return row ?? { waiting: 0, running: 0 }
  },
}

interface SkippedRead {
  readonly seq: number
  readonly url: string
  readonly reason: SkipReason
  readonly code: string | null
}

type SkippedPage = Parameters<Jobs['skipped']>[1]

function listed(id: string, { after, limit, reason }: SkippedPage): Sql {
  const { from, of } = reason === 'robots' ? deniedByRobots : { from: sql``, of: reason === undefined ? sql`` : sql`and ${reasonNow} = ${reason}` }
  return sql`select s.seq, s.url, ${reasonNow} as reason, s.code from job_skipped as s ${from}
    where s.job = ${id} and s.seq > ${after} ${of} and (s.key is null or not exists (select 1 from job_pages p where p.job = s.job and ${sameKey} and ${isFetched})) order by s.seq limit ${limit}`
}

/** For a job that has ended, while its remaining pages are being skipped: pages still waiting are listed where the next steps will put them, with the same numbers. */
function listedHalf(id: string, { after, limit, reason: wanted }: SkippedPage): Sql {
  const reason = sql`case when j.state = 'completed' then 'limit' else 'cancelled' end`
  const waits = sql`exists (select 1 from job_pages w where w.job = s.job and ${sameText('w.key', sql`s.key`)} and w.url = s.url and w.state = 'waiting')`
  const same = sql`s.job = w.job and ${sameText('s.url', sql`w.url`)}`
  return sql`select seq, url, reason, code from (
      select s.seq, s.url, case when s.key is not null and ${waits} then ${reason} else ${reasonNow} end as reason, s.code from job_skipped as s join jobs j on j.id = s.job
      where s.job = ${id} and s.seq > ${after} and (s.key is null or ${waits} or not exists (select 1 from job_pages p where p.job = s.job and ${sameKey} and ${isFetched}))
      union all select * from (select j.last_skip + row_number() over (order by w.rank, w.seq) as seq, w.url, ${reason}, null
        from jobs j join job_pages w on w.job = j.id and w.state = 'waiting'
        where j.id = ${id} and not exists (select 1 from job_skipped s where ${same}) order by w.rank, w.seq limit (select case when skipped < ${maxSkipped} then ${maxSkipped} - skipped else 0 end from jobs where id = ${id})) as waiting
    ) as rows_of_both where seq > ${after} ${wanted === undefined ? sql`` : sql`and reason = ${wanted}`} order by seq limit ${limit}`
}

/** Matches the partial index used by every status answer; written as a literal, since planners do not match a parameter to it. */
const deniedByRobots = { from: byIndex('job_skipped_by_robots'), of: sql`and s.reason = 'robots'` }

const sameKey = sameText('p.key', sql`s.key`)

/** The URL entered the frontier by another route after all. */
const isFetched = sql`(p.url = s.url or p.alias is not null)`

/** A URL that the frontier has under another spelling counts as a duplicate, whatever was recorded before. */
const reasonNow = sql`case when s.key is not null and exists (select 1 from job_pages p where p.job = s.job and ${sameKey} and p.url <> s.url) then 'duplicate' else s.reason end`

/** Columns of an event with its page or failure; for `eventTables`. */
export const eventColumns: Sql = sql`e.job, e.seq, e.id, e.type, e.at, r.seq as "resultSeq", r.id as "scrapeId", p.url, r.blob, r.frame, r.bytes, r.created_at as "resultAt",
  x.id as "errorId", x.at as "errorAt", x.url as "errorUrl", x.code, x.error`

/** Events `e` joined with results, pages and errors. */
export const eventTables: Sql = sql`from job_events e left join results r on r.job = e.job and r.seq = e.result left join job_pages p on p.job = r.job and p.seq = r.page
  left join job_errors x on x.job = e.job and x.seq = e.error`

/** The row that `eventColumns` select. */
export interface EventRead {
  readonly job: string
  readonly seq: number
  readonly id: string
  readonly type: EventType
  readonly at: number
  readonly resultSeq: number | null
  readonly scrapeId: string | null
  readonly url: string | null
  readonly blob: string | null
  readonly frame: string | null
  readonly bytes: number | null
  readonly resultAt: number | null
  readonly errorId: string | null
  readonly errorAt: number | null
  readonly errorUrl: string | null
  readonly code: string | null
  readonly error: string | null
}

/** An event as its readers see it. */
export function eventOf(row: EventRead): JobEvent {
  const { job, seq, id, type, at } = row
  return { job, seq, id, type, at, page: pageOf(row), failure: failureOf(row) }
}

function pageOf({ resultSeq, scrapeId, url, blob, frame, bytes, resultAt }: EventRead): PageRow | null {
  if (resultSeq === null || scrapeId === null || url === null || blob === null || bytes === null || resultAt === null) return null
  return { seq: resultSeq, scrapeId, url, blob, frame: frame ?? '', bytes, at: resultAt }
}

function failureOf({ errorId, errorAt, errorUrl, code, error }: EventRead): JobEvent['failure'] {
  if (errorId === null || errorAt === null || errorUrl === null || code === null || error === null) return null
  return { id: errorId, at: errorAt, url: errorUrl, code, error }
}
