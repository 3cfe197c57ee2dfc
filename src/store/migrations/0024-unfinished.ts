import { integer } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** The number of accepted pages that were neither delivered nor failed when a job ended early. */
export const statements: readonly Sql[] = [sql`alter table jobs add column unfinished ${integer} not null default 0`]
