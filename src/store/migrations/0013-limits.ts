import { integer, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Terms of single teams and keys; monthly use per key, with model tokens beside credits. */
export const statements: readonly Sql[] = [
  sql`alter table teams add column budget ${integer}`,
  sql`alter table teams add column rates text`,
  sql`alter table teams add column gates text`,
  sql`alter table teams add column webhook_secret text`,
  sql`alter table keys add column budget ${integer}`,
  sql`alter table keys add column rates text`,
  sql`alter table holds add column key text not null default ''`,
  sql`alter table job_details add column key text`,
  sql`alter table sessions add column key text`,
  // Sums per calendar month and key ('' for none), kept in step with the ledger, so that a balance never scans it.
  sql`create table usage_months (
    team text not null references teams (id),
    start ${integer} not null,
    key text not null,
    credits ${integer} not null default 0,
    tokens ${integer} not null default 0,
    primary key (team, start, key)
  ) ${strict}`,
  sql`insert into usage_months (team, start, key, credits) select team, start, '', credits from ledger_months`,
  sql`drop table ledger_months`,
]
