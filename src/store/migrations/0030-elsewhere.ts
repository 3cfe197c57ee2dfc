import { integer } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Whether a page was delivered under another address, and no page since under its own. */
export const statements: readonly Sql[] = [sql`alter table job_pages add column elsewhere ${integer} not null default 0`]
