import { integer, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Files that responses link to, such as screenshots; found by a secret token. */
export const statements: readonly Sql[] = [
  sql`create table artifacts (
    token text primary key,
    team text not null,
    blob text not null,
    media text not null,
    expires_at ${integer} not null
  ) ${strict}`,
  sql`create index artifacts_by_expiry on artifacts (expires_at)`,
  sql`create index artifacts_by_blob on artifacts (blob)`,
]
