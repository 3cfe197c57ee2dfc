import { Client } from 'pg'

/**
 * Copies all non-empty tables, and creates a function that restores them. A table that is empty then and now costs
 * nothing.
 */
const prepare = `
  create schema kept;
  do $$
  declare name text; filled boolean;
  begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('select exists (select from public.%I)', name) into filled;
      -- What it learns of the rows of one test is no help with those of the next.
      execute format('alter table public.%I set (autovacuum_enabled = off)', name);
      if filled then execute format('create table kept.%I as table public.%I', name, name); end if;
    end loop;
  end $$;
  create function kept.restore() returns void language plpgsql as $$
  declare touched text; name text;
  begin
    perform pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and query <> 'discard all';
    select string_agg(format('public.%I', relname), ', ') into touched from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0;
    if touched is not null then execute 'truncate ' || touched || ' cascade'; end if;
    for name in select tablename from pg_tables where schemaname = 'kept' loop
      execute format('insert into public.%I table kept.%I', name, name);
    end loop;
    perform setval(format('%I.%I', schemaname, sequencename), start_value, false) from pg_sequences where schemaname = 'public' and last_value is not null;
  end $$`

async function once(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/**
 * Saves the rows of a Postgres database whose sequences are unused. The returned function terminates active connections
 * and restores the rows, in a tenth of the time that a new database takes; it connects to the URL `way`.
 */
export async function restored(url: string, way = url): Promise<() => Promise<void>> {
  await once(url, prepare)
  return () => once(way, 'select kept.restore()')
}
