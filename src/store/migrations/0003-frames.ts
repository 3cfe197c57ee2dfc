import { type Sql, sql } from '../sql.ts'

/** What an answer says beyond the blob that it shares with others. */
export const statements: readonly Sql[] = [sql`alter table results add column frame text`]
