import { integer } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Calls to language models that a job went without, as templates of its pages were known. */
export const statements: readonly Sql[] = [sql`alter table jobs add column saved_calls ${integer} not null default 0`]
