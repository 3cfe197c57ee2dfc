import { integer, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Templates of hosts, as learned from the answers of language models. */
export const statements: readonly Sql[] = [
  sql`create table templates (
    team text not null,
    host text not null,
    shape text not null,
    ask text not null,
    state text not null,
    version ${integer} not null,
    uses ${integer} not null,
    at ${integer} not null,
    primary key (team, host, shape, ask)
  ) ${strict}`,
  sql`create index templates_by_age on templates (at)`,
  sql`create table abilities (
    model text primary key,
    state text not null,
    at ${integer} not null
  ) ${strict}`,
]
