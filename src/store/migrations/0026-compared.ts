import { type Sql, sql } from '../sql.ts'

/** By which options the compared parts of a version were read; empty for versions that have to be read again. */
export const statements: readonly Sql[] = [sql`alter table versions add column compared text not null default ''`]
