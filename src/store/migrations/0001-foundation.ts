import { integer, sequence, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Teams, keys, ledger, results, cache, idempotency, queue, slots. */
export const statements: readonly Sql[] = [
  sql`create table teams (
    id text primary key,
    created_at ${integer} not null,
    credits_granted ${integer}
  ) ${strict}`,

  sql`create table keys (
    id text primary key,
    hash text not null unique,
    team text not null references teams (id),
    prefix text not null,
    name text not null,
    created_at ${integer} not null,
    last_used_at ${integer},
    revoked_at ${integer}
  ) ${strict}`,
  sql`create index keys_by_team on keys (team, created_at)`,

  sql`create table ledger (
    team text not null references teams (id),
    ref text not null,
    kind text not null,
    credits ${integer} not null,
    at ${integer} not null,
    primary key (team, ref)
  ) ${strict}`,
  // Sums per calendar month, kept in step with the ledger, so that a balance never scans it.
  sql`create table ledger_months (
    team text not null references teams (id),
    start ${integer} not null,
    credits ${integer} not null,
    primary key (team, start)
  ) ${strict}`,
  sql`create table holds (
    team text not null references teams (id),
    ref text not null,
    credits ${integer} not null check (credits >= 0),
    until ${integer} not null,
    primary key (team, ref)
  ) ${strict}`,
  sql`create index holds_by_until on holds (until)`,

  sql`create table results (
    id text primary key,
    team text not null,
    kind text not null,
    blob text not null,
    request text not null,
    created_at ${integer} not null,
    expires_at ${integer} not null
  ) ${strict}`,
  sql`create index results_by_expiry on results (expires_at)`,
  sql`create index results_by_blob on results (blob)`,

  sql`create table cache_entries (
    team text not null,
    key text not null,
    id text not null,
    fetched_at ${integer} not null,
    used_at ${integer} not null,
    head text not null,
    blob text not null,
    bytes ${integer} not null,
    size ${integer} not null,
    primary key (team, key)
  ) ${strict}`,
  sql`create unique index cache_entries_by_id on cache_entries (team, id)`,
  // Covers the sum of sizes and the order of eviction.
  sql`create index cache_entries_by_use on cache_entries (used_at, size)`,
  sql`create index cache_entries_by_blob on cache_entries (blob)`,
  sql`create table cache_memos (
    team text not null,
    key text not null,
    name text not null,
    entry text not null,
    blob text not null,
    bytes ${integer} not null,
    primary key (team, key, name),
    foreign key (team, key) references cache_entries (team, key) on delete cascade
  ) ${strict}`,
  sql`create index cache_memos_by_blob on cache_memos (blob)`,

  sql`create table idempotency (
    scope text primary key,
    team text not null,
    body_hash text not null,
    lease_until ${integer} not null,
    status ${integer},
    blob text,
    expires_at ${integer}
  ) ${strict}`,
  sql`create index idempotency_running on idempotency (lease_until) where status is null`,
  sql`create index idempotency_by_expiry on idempotency (expires_at)`,
  sql`create index idempotency_by_blob on idempotency (blob)`,

  sql`create table tasks (
    seq ${sequence},
    id text not null unique,
    team text not null,
    kind text not null,
    priority ${integer} not null,
    run_at ${integer} not null,
    payload text not null,
    max_attempts ${integer} not null,
    created_at ${integer} not null,
    state text not null check (state in ('waiting', 'leased', 'done', 'failed')),
    attempt ${integer} not null,
    worker text,
    token text,
    lease_until ${integer},
    reply text,
    reason text,
    finished_at ${integer}
  ) ${strict}`,
  sql`create index tasks_waiting on tasks (priority, seq) where state = 'waiting'`,
  sql`create index tasks_leased on tasks (lease_until) where state = 'leased'`,
  sql`create index tasks_finished on tasks (finished_at) where finished_at is not null`,
  sql`create index tasks_open_by_team on tasks (team, state) where finished_at is null`,

  sql`create table slots (
    holder text primary key,
    team text not null,
    until ${integer} not null
  ) ${strict}`,
  sql`create index slots_by_team on slots (team, until)`,
  sql`create index slots_by_until on slots (until)`,

  sql`create table pings (id ${integer} primary key, count ${integer} not null) ${strict}`,
  sql`insert into pings values (1, 0)`,
]
