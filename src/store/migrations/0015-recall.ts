import { integer } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Crawls that track changes look, once the site shows nothing more, at the pages that were tracked before. */
export const statements: readonly Sql[] = [
  sql`alter table jobs add column recalls ${integer} not null default 0`,
  sql`alter table job_pages add column recalled ${integer} not null default 0`,
]
