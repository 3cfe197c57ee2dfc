import { integer, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Which engine the pages of a host need, as learned from former scrapes. */
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
