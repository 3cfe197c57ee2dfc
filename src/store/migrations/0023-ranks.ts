import { integer } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Pages of a crawl that wait are leased by rank, and then by discovery: both are in the order of the indexes. */
export const statements: readonly Sql[] = [
  sql`alter table job_pages add column rank ${integer} not null default 0`,
  sql`drop index job_pages_waiting`,
  sql`drop index job_pages_waiting_by_host`,
  sql`create index job_pages_waiting on job_pages (job, rank, seq) where state = 'waiting'`,
  sql`create index job_pages_waiting_by_host on job_pages (job, host, rank, seq) where state = 'waiting'`,
]
