import { type Sql, type Value, either, sql } from './sql.ts'

/** A row as a driver gives it. */
export type Row = Readonly<Record<string, Value>>

/**
 * A store operation: yields statements, receives their rows, returns the answer.
 * Whoever runs it puts the whole of it into one transaction; operations that call others with `yield*` are therefore one transaction too.
 */
export type Op<T> = Generator<Sql, T, readonly Row[]>

/** All rows of a statement; `R` states what its columns are. */
export function* all<R>(statement: Sql): Op<readonly R[]> {
  const rows = yield statement
  return rows as readonly unknown[] as readonly R[] // The column list in the statement is the only proof there is; the contract suite checks it.
}

/** The first row of a statement, or null. */
export function* first<R>(statement: Sql): Op<R | null> {
  return (yield* all<R>(statement))[0] ?? null
}

/** Runs a statement whose rows do not matter. */
export function* run(statement: Sql): Op<void> {
  yield statement
}

/** Runs independent writes, on Postgres in one round trip. None sees the effects of another, and no two may write the same row. */
export function* together(writes: readonly Sql[]): Op<void> {
  const texts = writes.map((_, i) => `${i === 0 ? 'with' : '),'} write_${i} as (`)
  yield sql`${either({ sqlite: sql``, postgres: { texts: [...texts, ') select 1'], parts: writes } })}`
  for (const write of writes) yield sql`${either({ sqlite: write, postgres: sql`` })}`
}

/** Makes operations of the same name wait for each other until the end of their transaction. SQLite has one writer anyway. */
export function* exclusively(name: string): Op<void> {
  yield sql`${either({ sqlite: sql``, postgres: sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))` })}`
}
