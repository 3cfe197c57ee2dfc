import { type Sql, sql } from '../sql.ts'

/** What a page is indexed by, in short; empty for pages indexed before. */
export const statements: readonly Sql[] = [sql`alter table search_pages add column digest text not null default ''`]
