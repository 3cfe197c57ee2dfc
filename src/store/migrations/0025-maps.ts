import { type Sql, sql } from '../sql.ts'

/** Nothing of a map is kept but its charge: that says of which site it was, for the list of what a team has done. */
export const statements: readonly Sql[] = [sql`alter table ledger add column target text`, sql`create index ledger_maps on ledger (team, at) where kind = 'map'`]
