import { integer, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Live browser sessions, and the processes that run them. */
export const statements: readonly Sql[] = [
  sql`create table sessions (
    id text primary key,
    team text not null,
    scrape text,
    state text not null check (state in ('opening', 'live', 'destroyed')),
    owner text not null,
    ttl_ms ${integer} not null,
    idle_ms ${integer} not null,
    streams ${integer} not null,
    secret text not null,
    prompted ${integer} not null default 0,
    created_at ${integer} not null,
    started_at ${integer},
    last_activity_at ${integer} not null,
    ended_at ${integer},
    reason text,
    credits ${integer},
    keep_until ${integer}
  ) ${strict}`,
  // A scrape has at most one session, ever.
  sql`create unique index sessions_by_scrape on sessions (scrape) where scrape is not null`,
  sql`create index sessions_by_team on sessions (team, created_at)`,
  sql`create index sessions_open on sessions (owner) where ended_at is null`,
  sql`create index sessions_by_expiry on sessions (keep_until) where keep_until is not null`,
  sql`create table session_owners (
    id text primary key,
    url text,
    takes ${integer} not null,
    seen_at ${integer} not null,
    until ${integer} not null
  ) ${strict}`,
]
