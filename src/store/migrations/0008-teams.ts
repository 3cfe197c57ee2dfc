import { integer, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Recent activity and feedback of teams. */
export const statements: readonly Sql[] = [
  // Only single scrapes: pages of jobs are found by their job, so they need no entry in this index.
  sql`create index results_by_team on results (team, created_at) where job is null`,
  sql`create index jobs_by_team on jobs (team, created_at)`,
  sql`create table feedback (
    id text primary key,
    team text not null,
    at ${integer} not null,
    endpoint text not null,
    rating text not null,
    body text not null
  ) ${strict}`,
  sql`create index feedback_by_team on feedback (team, at)`,
  sql`create index feedback_by_time on feedback (at)`,
]
