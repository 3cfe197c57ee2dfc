import { integer } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Pages that a job had accepted and neither delivered nor failed when it was ended before its time. */
export const statements: readonly Sql[] = [sql`alter table jobs add column unfinished ${integer} not null default 0`]
