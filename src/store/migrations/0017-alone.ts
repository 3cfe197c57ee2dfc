import { integer } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** How many workers died while they ran this page and no other. */
export const statements: readonly Sql[] = [sql`alter table job_pages add column alone ${integer} not null default 0`]
