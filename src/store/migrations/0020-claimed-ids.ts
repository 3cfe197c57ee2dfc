import { integer } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** The id of what the request of an idempotency key creates, and the time of its first claim. */
export const statements: readonly Sql[] = [
  sql`alter table idempotency add column id text not null default ''`,
  sql`alter table idempotency add column since ${integer} not null default 0`,
]
