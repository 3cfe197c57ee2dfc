import { type Sql, sql } from '../sql.ts'

/** The fencing token of a hold: of several takers under one reference, only the last can release it. */
export const statements: readonly Sql[] = [sql`alter table holds add column fence text not null default ''`]
