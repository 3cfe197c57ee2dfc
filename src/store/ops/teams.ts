import type { Activity, ActivityFilter, Feedback, TeamLoad } from '../../domain/teams/teams.ts'
import { type Op, all, first, run } from '../op.ts'
import { type Sql, sql } from '../sql.ts'
import { pagesWaiting } from './jobs/reads.ts'

/** Feedback kept per team. */
const maxFeedback = 10_000

/** Teams as they look at themselves. */
export const teams = {
  *load(team: string, now: number): Op<TeamLoad> {
    const row = yield* first<TeamLoad>(sql`select
      (select count(*) from slots where team = ${team} and until > ${now} and waiting = 0) + (select coalesce(sum(leased), 0) from jobs where open = 1 and team = ${team}) as active,
      (select count(*) from slots where team = ${team} and until > ${now} and waiting = 1) + (select ${pagesWaiting} from jobs where open = 1 and team = ${team}) as waiting,
      (select max(at) from (select max(created_at) as at from results where team = ${team} and job is null union all select max(progress_at) as at from jobs where team = ${team} and done > 0) as ends) as "lastSuccess"`)
    return row ?? { active: 0, waiting: 0, lastSuccess: null }
  },

  *activity(team: string, { since, endpoint, after, limit }: ActivityFilter): Op<readonly Activity[]> {
    const [at, id] = [after?.at ?? Number.MAX_SAFE_INTEGER, after?.id ?? '']
    // Each kind gives as many as the answer may need: a busy team has millions of rows.
    const newest = activities(team, since).filter(({ of }) => endpoint === undefined || of.includes(endpoint)).map(({ rows }) => sql`select * from (select * from (${rows}) as those
        where at <= ${at} and (at < ${at} or id < ${id}) ${endpoint === undefined ? sql`` : sql`and endpoint = ${endpoint}`} order by at desc, id desc limit ${limit}) as newest`)
    if (newest.length === 0) return []
    const every: Sql = { texts: ['', ...newest.slice(1).map(() => ' union all '), ''], parts: newest }
    const rows = yield* all<Omit<Activity, 'target'> & { readonly request: string | null; readonly url: string | null }>(sql`select id, endpoint, at, request, url from (${every}) as done order by at desc, id desc limit ${limit}`)
    return rows.map(({ id: one, endpoint: kind, at: when, request, url }) => ({ id: one, endpoint: kind, at: when, target: request === null ? url : urlOf(request) }))
  },

  *addFeedback({ id, team, at, endpoint, rating, body }: Feedback): Op<void> {
    yield* run(sql`insert into feedback (id, team, at, endpoint, rating, body) values (${id}, ${team}, ${at}, ${endpoint}, ${rating}, ${body})`)
    yield* run(sql`delete from feedback where id in (select id from feedback where team = ${team} order by at desc, id desc limit 1000 offset ${maxFeedback})`)
  },

  *feedback(limit: number): Op<readonly Feedback[]> {
    return yield* all<Feedback>(sql`select id, team, at, endpoint, rating, body from feedback order by at desc, id desc limit ${limit}`)
  },
}

/** The activities of a team by where they are stored, and the endpoints that each place has. */
const activities = (team: string, since: number): readonly { readonly of: readonly string[]; readonly rows: Sql }[] => [
  {
    of: ['scrape', 'parse', 'search'],
    rows: sql`select id, kind as endpoint, created_at as at, request, null as url from results where team = ${team} and job is null and kind in ('scrape', 'parse', 'search') and created_at >= ${since}`,
  },
  {
    of: ['batch_scrape', 'crawl'],
    rows: sql`select id, case kind when 'batch' then 'batch_scrape' else kind end as endpoint, created_at as at, null as request, url
      from jobs left join job_details on job_details.job = jobs.id where team = ${team} and retention = 'normal' and created_at >= ${since}`,
  },
  { of: ['map'], rows: sql`select ref as id, kind as endpoint, at, null as request, target as url from ledger where team = ${team} and kind = 'map' and at >= ${since}` },
  {
    of: ['browser', 'interact'],
    rows: sql`select s.id, case when s.scrape is null then 'browser' else 'interact' end as endpoint, s.created_at as at, r.request, null as url
      from sessions s left join results r on r.id = s.scrape where s.team = ${team} and s.started_at is not null and s.created_at >= ${since}`,
  },
]

/** The page, or the words of the search, that a stored request asked for. */
function urlOf(request: string): string | null {
  const { url, query } = JSON.parse(request) as { readonly url?: unknown; readonly query?: unknown } // written by the scrape or the search that it belongs to
  return typeof url === 'string' ? url : typeof query === 'string' ? query : null
}
