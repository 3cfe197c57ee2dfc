import { integer, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Browser profiles (cookies and storage) by team and hash of their name, with the lock of the one writer. */
export const statements: readonly Sql[] = [
  sql`create table profiles (
    team text not null,
    name text not null,
    blob text,
    bytes ${integer},
    saved_at ${integer},
    token text,
    until ${integer} not null,
    primary key (team, name)
  ) ${strict}`,
  sql`create index profiles_by_blob on profiles (blob)`,
]
