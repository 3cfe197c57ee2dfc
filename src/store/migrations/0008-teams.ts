import { integer, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** What teams did of late, and what they say about it. */
export const statements: readonly Sql[] = [
  // Of single scrapes alone: pages of jobs are found by their job, and pay for no index of their own.
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
