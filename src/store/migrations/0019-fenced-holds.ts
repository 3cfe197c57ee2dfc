import { type Sql, sql } from '../sql.ts'

/** Who took a hold last: of several under one reference, only that one gives it back. */
export const statements: readonly Sql[] = [sql`alter table holds add column fence text not null default ''`]
