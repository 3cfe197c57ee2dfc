import { integer } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Workers that ended while they had this page and no other. */
export const statements: readonly Sql[] = [sql`alter table job_pages add column alone ${integer} not null default 0`]
