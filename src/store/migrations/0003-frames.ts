import { type Sql, sql } from '../sql.ts'

/** The part of a response that is not in its blob, which several responses may share. */
export const statements: readonly Sql[] = [sql`alter table results add column frame text`]
