import type { Op } from '../op.ts'
import type { Connection } from './connection.ts'
import { asRefusal } from './refusal.ts'

/** How one operation of a group ended. */
export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

/** Makes an operation anew, for each try. */
export type Maker = () => Op<unknown>

/** Runs one operation after the other in a transaction. */
export const oneByOne = (connection: Connection, makers: readonly Maker[]): readonly Outcome[] => makers.map((make) => inSavepoint(connection, make))

/**
 * Runs operations in one transaction with one physical commit, each as a savepoint: one that throws is undone alone.
 * Answers in order, after the commit. When the commit itself fails, so have all.
 */
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

/** Runs an operation so that it is undone alone when it throws. */
export function inSavepoint(connection: Connection, make: () => Op<unknown>): Outcome {
  connection.exec('savepoint operation')
  let outcome: Outcome
  try {
    outcome = { ok: true, value: connection.execute(make()) }
  } catch (error) {
    outcome = { ok: false, error: asRefusal(error) }
    // Throws when the error has ended the whole transaction (disk full, for one): then the group has failed, not this operation alone.
    connection.exec('rollback to operation')
  }
  connection.exec('release operation')
  return outcome
}

/** Ends the transaction without a trace; where an error has done so already (disk full, for one), it is done. */
export function rollBack(connection: Connection): void {
  try {
    connection.exec('rollback')
  } catch {
    // SQLite has rolled back by itself already.
  }
}
