import { integer, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Until when receivers accept no deliveries. */
export const statements: readonly Sql[] = [sql`create table receiver_pauses (receiver text primary key, until ${integer} not null) ${strict}`]
