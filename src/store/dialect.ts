import { either, sql } from './sql.ts'

/** Rows that another transaction is about to change are passed over. SQLite has one writer, hence no such rows. */
export const skipLocked = either({ sqlite: sql``, postgres: sql`for update skip locked` })

/** Holds the rows read until the end of the transaction. */
export const forUpdate = either({ sqlite: sql``, postgres: sql`for update` })

/** The larger of its arguments. */
export const greatest = either({ sqlite: sql`max`, postgres: sql`greatest` })

/** Column type for times, sums and counters. */
export const integer = either({ sqlite: sql`integer`, postgres: sql`bigint` })

/** Column that numbers rows in the order of their creation. */
export const sequence = either({ sqlite: sql`integer primary key autoincrement`, postgres: sql`bigint generated always as identity primary key` })

/** Makes SQLite check column types as strictly as Postgres does. */
export const strict = either({ sqlite: sql`strict`, postgres: sql`` })

/** Tells other processes that tasks may be due or done. One process owns an embedded store, so SQLite has nobody to tell. */
export const notifyQueue = either({ sqlite: sql``, postgres: sql`select pg_notify('trawl_queue', '')` })
