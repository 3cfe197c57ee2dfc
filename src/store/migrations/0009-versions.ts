import { integer, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Versions of tracked pages. */
export const statements: readonly Sql[] = [
  // The number allows one successor per version: of two scrapes that compared with the same version, only one is written.
  sql`create table versions (
    team text not null,
    page text not null,
    number ${integer} not null,
    id text not null unique,
    url text not null,
    tag text,
    at ${integer} not null,
    status text not null check (status in ('new', 'same', 'changed', 'removed')),
    blob text not null,
    frame text not null,
    head text not null,
    body text not null,
    bytes ${integer} not null,
    asked text not null,
    read text not null,
    primary key (team, page, number)
  ) ${strict}`,
  sql`create index versions_by_time on versions (team, page, at)`,
  sql`create index versions_by_blob on versions (blob)`,
  sql`create index versions_by_body on versions (body)`,
]
