import { type Sql, sql } from '../sql.ts'

/** The site of a map, in its charge: nothing else of a map is stored, and the activity of a team lists it. */
export const statements: readonly Sql[] = [sql`alter table ledger add column target text`, sql`create index ledger_maps on ledger (team, at) where kind = 'map'`]
