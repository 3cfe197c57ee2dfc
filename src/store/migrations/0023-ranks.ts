import { integer } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Waiting pages of a crawl are leased by rank, then in the order of discovery; the indexes have this order. */
export const statements: readonly Sql[] = [
  sql`alter table job_pages add column rank ${integer} not null default 0`,
  sql`drop index job_pages_waiting`,
  sql`drop index job_pages_waiting_by_host`,
  sql`create index job_pages_waiting on job_pages (job, rank, seq) where state = 'waiting'`,
  sql`create index job_pages_waiting_by_host on job_pages (job, host, rank, seq) where state = 'waiting'`,
]
