import { integer } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** How often the lease of a delivery has run out, since whoever had it died: the receiver is not to blame for that. */
export const statements: readonly Sql[] = [sql`alter table outbox add column lapses ${integer} not null default 0`]
