import { integer } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Recalled pages: crawls with change tracking finally request the formerly tracked pages that they did not find. */
export const statements: readonly Sql[] = [
  sql`alter table jobs add column recalls ${integer} not null default 0`,
  sql`alter table job_pages add column recalled ${integer} not null default 0`,
]
