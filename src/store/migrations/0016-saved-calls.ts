import { integer } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** The number of model calls that a job saved by known templates. */
export const statements: readonly Sql[] = [sql`alter table jobs add column saved_calls ${integer} not null default 0`]
