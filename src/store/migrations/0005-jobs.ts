import { clustered, digest, integer, sequence, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Batches and crawls: jobs with their counters, pages, skipped URLs, failures, events and deliveries. */
export const statements: readonly Sql[] = [
  // Narrow, because the end of each page rewrites it. No index contains a column that this changes, so that Postgres need not update any.
  sql`create table jobs (
    id text primary key,
    team text not null,
    kind text not null check (kind in ('batch', 'crawl')),
    state text not null check (state in ('scraping', 'completed', 'failed', 'cancelled')),
    retention text not null check (retention in ('normal', 'zero')),
    retention_ms ${integer} not null,
    page_limit ${integer} not null,
    max_concurrency ${integer} not null,
    delay_ms ${integer} not null,
    wanted text not null,
    receiver text not null,
    created_at ${integer} not null,
    ended_at ${integer},
    expires_at ${integer},
    error text,
    seeding ${integer} not null,
    open ${integer} not null,
    waiting ${integer} not null default 0,
    leased ${integer} not null default 0,
    done ${integer} not null default 0,
    failed ${integer} not null default 0,
    skipped ${integer} not null default 0,
    credits ${integer} not null default 0,
    last_page ${integer} not null default 0,
    last_event ${integer} not null default 0,
    last_result ${integer} not null default 0,
    last_error ${integer} not null default 0,
    last_skip ${integer} not null default 0,
    served ${integer} not null default 0,
    next_at ${integer} not null default 0,
    progress_at ${integer} not null
  ) ${strict}`,
  // Open: running, or with pages under way after a cancel.
  sql`create index jobs_open on jobs (team, created_at) where open = 1`,
  sql`create index jobs_by_expiry on jobs (expires_at) where expires_at is not null`,
  sql`create table job_details (
    job text primary key,
    url text,
    request text not null,
    base_url text not null,
    webhook text,
    warnings text not null,
    start text
  ) ${strict}`,

  // Swept jobs: enough to answer that the job has expired.
  sql`create table former_jobs (id text primary key, team text not null, kind text not null, until ${integer} not null) ${strict}`,
  sql`create index former_jobs_by_expiry on former_jobs (until)`,

  sql`create table job_pages (
    job text not null,
    seq ${integer} not null,
    url text not null,
    key text not null,
    host text not null,
    depth ${integer} not null,
    external ${integer} not null,
    state text not null check (state in ('waiting', 'leased', 'done', 'failed', 'skipped', 'dropped')),
    run_at ${integer} not null,
    attempt ${integer} not null default 0,
    postponed ${integer} not null default 0,
    worker text,
    token text,
    alias ${integer},
    primary key (job, seq)
  ) ${strict}${clustered}`,
  sql`create unique index job_pages_by_key on job_pages (job, ${digest('key')})`,
  sql`create index job_pages_waiting on job_pages (job, seq) where state = 'waiting'`,
  sql`create index job_pages_waiting_by_host on job_pages (job, host, seq) where state = 'waiting'`,
  sql`create index job_pages_leased on job_pages (worker) where state = 'leased'`,
  sql`create table workers (id text primary key, until ${integer} not null) ${strict}`,

  sql`create table job_skipped (
    job text not null,
    seq ${integer} not null,
    url text not null,
    reason text not null,
    code text,
    key text,
    primary key (job, seq)
  ) ${strict}${clustered}`,
  sql`create unique index job_skipped_by_url on job_skipped (job, ${digest('url')})`,
  sql`create index job_skipped_by_robots on job_skipped (job, seq) where reason = 'robots'`,
  sql`create table job_errors (
    job text not null,
    seq ${integer} not null,
    id text not null,
    page ${integer},
    at ${integer} not null,
    url text not null,
    code text not null,
    error text not null,
    primary key (job, seq)
  ) ${strict}${clustered}`,

  sql`alter table results add column job text`,
  sql`alter table results add column seq ${integer}`,
  sql`alter table results add column page ${integer}`,
  sql`alter table results add column bytes ${integer}`,
  sql`create unique index results_by_job on results (job, seq) where job is not null`,

  sql`create table job_events (
    job text not null,
    seq ${integer} not null,
    id text not null,
    type text not null,
    at ${integer} not null,
    result ${integer},
    error ${integer},
    primary key (job, seq)
  ) ${strict}${clustered}`,
  sql`create table outbox (
    n ${sequence},
    id text not null unique,
    team text not null,
    job text not null,
    seq ${integer} not null,
    type text not null,
    receiver text not null,
    state text not null check (state in ('waiting', 'delivered', 'given-up', 'stopped')),
    attempts ${integer} not null default 0,
    tried ${integer} not null default 0,
    run_at ${integer} not null,
    token text,
    reason text
  ) ${strict}`,
  // Also finds the deliveries of a job that were not tried yet, however many were.
  sql`create index outbox_by_job on outbox (job, tried, state, seq)`,
  sql`create index outbox_due on outbox (receiver, run_at, n) where state = 'waiting'`,
  sql`create index outbox_next on outbox (run_at) where state = 'waiting'`,
  sql`create index outbox_sent on outbox (receiver) where state = 'waiting' and token is not null`,

  // Marks a request that found no slot, for a moment: pages leave the next free slot to it.
  sql`alter table slots add column waiting ${integer} not null default 0`,
]
