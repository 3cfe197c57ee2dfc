import type { CrashPoint } from '../crash.ts'
import { type Op, first } from '../op.ts'
import { operation } from '../ops/index.ts'
import { sql } from '../sql.ts'
import type { Connection, WritingConnection } from './connection.ts'
import { asRefusal } from './refusal.ts'

/** How one operation of a group ended. */
export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

/**
 * Runs operations in one transaction with one physical commit, each as a savepoint: one that throws is undone alone.
 * Answers in order, after the commit. When the commit itself fails, so have all.
 */
export function commitGroup(connection: Connection, makers: readonly (() => Op<unknown>)[]): readonly Outcome[] {
  try {
    connection.exec('begin immediate')
  } catch (error) {
    return makers.map(() => ({ ok: false, error }))
  }
  try {
    const outcomes = makers.map((make) => inSavepoint(connection, make))
    connection.exec('commit')
    return outcomes
  } catch (error) {
    rollBack(connection)
    return makers.map(() => ({ ok: false, error }))
  }
}

/** An operation as it is asked for. */
export interface Asked {
  readonly name: string
  readonly args: readonly unknown[]
}

/** Answers how many it deleted; with a file of its own for each, their bytes were gone as soon. */
const erasing = 'blobRows.remove'

/** Runs the operations of these names in one commit; where a crash point counts them each has a commit of its own, and may be the last. */
export function commitAll(connection: WritingConnection, asked: readonly Asked[], crash?: CrashPoint): readonly Outcome[] {
  const outcomes = commitEach(connection, asked, crash)
  connection.committed(asked.some(({ name }, i) => name === erasing && outcomes[i]?.ok === true && outcomes[i].value !== 0))
  return outcomes
}

function commitEach(connection: Connection, asked: readonly Asked[], crash: CrashPoint | undefined): readonly Outcome[] {
  const makers = asked.map(({ name, args }) => () => operation(name, args))
  if (!crash?.counts(asked.map(({ name }) => name))) return commitGroup(connection, makers)
  return makers.flatMap((make, i) => {
    const before = changes(connection)
    const outcomes = commitGroup(connection, [make])
    if (changes(connection) !== before) crash.committed(asked[i]?.name ?? '')
    return outcomes
  })
}

/** Rows that this connection has written since it was opened. */
function changes(connection: Connection): number {
  return connection.execute(first<{ count: number }>(sql`select total_changes() as count`))?.count ?? 0
}

function inSavepoint(connection: Connection, make: () => Op<unknown>): Outcome {
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

function rollBack(connection: Connection): void {
  try {
    connection.exec('rollback')
  } catch {
    // SQLite has rolled back by itself already.
  }
}
