import { bytes, integer, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Small blobs, packed as in a file. The bytes are the last column, so that the others can be read without them. */
export const statements: readonly Sql[] = [
  sql`create table blobs (
    key text primary key,
    at ${integer} not null,
    packed ${bytes} not null
  ) ${strict}`,
  sql`create index blobs_by_age on blobs (at, key)`,
]
