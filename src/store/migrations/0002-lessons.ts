import { integer, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** What was learned about which engine the pages of a host need. */
export const statements: readonly Sql[] = [
  sql`create table lessons (
    team text not null,
    host text not null,
    shape text not null,
    score ${integer} not null,
    uses ${integer} not null,
    at ${integer} not null,
    primary key (team, host, shape)
  ) ${strict}`,
  sql`create index lessons_by_age on lessons (at)`,
]
