import type { Op } from '../op.ts'
import type { Connection } from './connection.ts'
import { classified } from './faults.ts'

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
    return allFailed(makers, error)
  }
  try {
    const outcomes = run()
    connection.exec('commit')
    return outcomes
  } catch (error) {
    rollBack(connection)
    return allFailed(makers, error)
  }
}

function allFailed(makers: readonly Maker[], fault: unknown): readonly Outcome[] {
  const error = classified(fault)
  return makers.map(() => ({ ok: false, error }))
}

/** Runs an operation in a savepoint, rolled back alone if it throws. */
export function inSavepoint(connection: Connection, make: () => Op<unknown>): Outcome {
  connection.exec('savepoint operation')
  let outcome: Outcome
  try {
    outcome = { ok: true, value: connection.execute(make()) }
  } catch (error) {
    outcome = { ok: false, error: classified(error) }
    undo(connection, error)
  }
  connection.exec('release operation')
  return outcome
}

/** Takes back what an operation wrote before it failed. Throws that failure if it ended the whole transaction (disk full, for one): then the group has failed, not just this operation. */
function undo(connection: Connection, failure: unknown): void {
  try {
    connection.exec('rollback to operation')
  } catch {
    throw failure
  }
}

/** Rolls the transaction back, unless an error (disk full, for one) has done so already. */
export function rollBack(connection: Connection): void {
  try {
    connection.exec('rollback')
  } catch {
    // SQLite has rolled back by itself.
  }
}
