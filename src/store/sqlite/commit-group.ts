import type { Op } from '../op.ts'
import type { Connection } from './connection.ts'
import { asRefusal } from './refusal.ts'

/** How one operation of a group ended. */
export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

/** Makes an operation anew, for each try. */
export type Maker = () => Op<unknown>

/** Runs operations one after the other within a transaction. */
export const oneByOne = (connection: Connection, makers: readonly Maker[]): readonly Outcome[] => makers.map((make) => inSavepoint(connection, make))

/** Runs operations in one transaction, each in a savepoint: one that throws is rolled back alone. Answers in order, after the commit; if the commit itself fails, all have failed. */
export function commitGroup(connection: Connection, makers: readonly Maker[], run: () => readonly Outcome[] = () => oneByOne(connection, makers)): readonly Outcome[] {
  try {
    connection.exec('begin immediate')
  } catch (error) {
    return makers.map(() => ({ ok: false, error }))
  }
  try {
    const outcomes = run()
    connection.exec('commit')
    return outcomes
  } catch (error) {
    rollBack(connection)
    return makers.map(() => ({ ok: false, error }))
  }
}

/** Runs an operation in a savepoint, rolled back alone if it throws. */
export function inSavepoint(connection: Connection, make: () => Op<unknown>): Outcome {
  connection.exec('savepoint operation')
  let outcome: Outcome
  try {
    outcome = { ok: true, value: connection.execute(make()) }
  } catch (error) {
    outcome = { ok: false, error: asRefusal(error) }
    // Throws if the error ended the whole transaction (disk full, for one): then the group has failed, not just this operation.
    connection.exec('rollback to operation')
  }
  connection.exec('release operation')
  return outcome
}

/** Rolls the transaction back, unless an error (disk full, for one) has done so already. */
export function rollBack(connection: Connection): void {
  try {
    connection.exec('rollback')
  } catch {
    // SQLite has rolled back by itself.
  }
}
