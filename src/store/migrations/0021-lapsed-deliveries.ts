import { integer } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** How often the lease of a delivery expired because its process died: the receiver is not to blame. */
export const statements: readonly Sql[] = [sql`alter table outbox add column lapses ${integer} not null default 0`]
