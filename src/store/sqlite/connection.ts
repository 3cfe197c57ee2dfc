import { statSync } from 'node:fs'
import { type Op, type Row, first } from '../op.ts'
import { type Sql, render, sql } from '../sql.ts'
import { type Statement, openDatabase } from './driver.ts'

/** How long a statement waits for another process (an admin command) to finish writing. */
const busyTimeoutMs = 5_000

/** How long to wait before trying again to clear a journal. */
const clearAgainMs = 100

/** Lists of parameters create new SQL texts; beyond this number the cache is emptied. */
const maxStatements = 300

/** One database handle, with its prepared statements. */
export interface Connection {
  /** Runs an operation; its writes belong to the transaction that the caller has begun. */
  execute<T>(op: Op<T>): T
  /** Runs a statement without parameters: transaction control, pragmas. */
  exec(text: string): void
  close(): void
}

/** A connection that writes. */
export interface WritingConnection extends Connection {
  /**
   * Whether the file and its journal are still where they were opened. SQLite writes on into a file that was deleted or
   * replaced beneath it, and all of that is gone with the process. What a deleted journal holds is saved here.
   */
  isInPlace(): boolean
  /**
   * Call it after each commit, saying whether the commit deleted data that must not remain in any file. That data is still
   * in the journal, and in the database until the journal is written back: both are cleared here, or at a later commit if a
   * reader is in the way.
   */
  committed(erased: boolean): void
}

/** Opens the database for writing, with every commit on disk before it returns; creates the file when missing. */
export function writingConnection(file: string): WritingConnection {
  const connection = connect(file, false)
  const opened = identityOf(file)
  connection.exec('pragma journal_mode = wal')
  connection.exec('pragma synchronous = full')
  connection.exec('pragma foreign_keys = on')
  connection.exec('pragma journal_size_limit = 16777216')
  // Each operation is a savepoint, for which SQLite copies the original pages: in a file, that would be more writing than
  // the whole journal.
  connection.exec('pragma temp_store = memory')
  // Deleted rows must leave no data behind in the file.
  connection.exec('pragma secure_delete = on')
  /** Whether erased data is still in the journal, and when clearing it was last tried. */
  let owed = false
  let triedAt = 0
  /** The journal, once there is one: it stays while this connection is open. */
  let journal: string | null = null
  const hasJournal = (): boolean => {
    const found = identityOf(`${file}-wal`)
    journal ??= found
    if (found === null && journal !== null) connection.exec('pragma wal_checkpoint(passive)')
    return found === journal
  }
  return {
    ...connection,
    isInPlace: () => identityOf(file) === opened && hasJournal(),
    committed: (erased) => {
      owed ||= erased
      if (!owed || (!erased && performance.now() - triedAt < clearAgainMs)) return
      // Writers must not wait for a reader, such as a backup.
      connection.exec('pragma busy_timeout = 0')
      try {
        owed = !connection.execute(clearJournal())
      } catch {
        // The commit holds; a failure such as a full disk is retried like a reader in the way.
      } finally {
        connection.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
      }
      triedAt = performance.now()
    },
    close: () => {
      // The driver keeps a closed handle half open until its statements are collected, so that SQLite's own clearing of the
      // journal may not happen.
      connection.exec('pragma busy_timeout = 200')
      connection.exec('pragma wal_checkpoint(truncate)')
      connection.close()
    },
  }
}

/** The same for a file as long as it is not replaced by another; null when none can be seen. */
function identityOf(file: string): string | null {
  try {
    const { dev, ino } = statSync(file, { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return null // Whatever the reason, nothing that is written can be found there.
  }
}

/** Returns whether the journal could be cleared. */
function* clearJournal(): Op<boolean> {
  return (yield* first<{ busy: number }>(sql`pragma wal_checkpoint(truncate)`))?.busy === 0
}

/** Opens the database for reading: it sees committed data and waits for nobody. */
export function readingConnection(file: string): Connection {
  return connect(file, true)
}

function connect(file: string, readOnly: boolean): Connection {
  const db = openDatabase(file, { readOnly, timeout: busyTimeoutMs })
  db.exec('pragma cache_size = -4000')
  const statements = new Map<string, Statement>()
  const prepare = (text: string): Statement => {
    const known = statements.get(text)
    if (known) return known
    if (statements.size >= maxStatements) statements.clear()
    const made = db.prepare(text)
    statements.set(text, made)
    return made
  }
  const rowsOf = (statement: Sql): readonly Row[] => {
    const { text, values } = render(statement, 'sqlite')
    if (text === '') return []
    const rows: readonly Row[] = prepare(text).all(...values)
    // The driver's rows have no prototype; ours are always plain objects.
    return rows.map((row) => ({ ...row }))
  }
  return {
    execute: (op) => drive(op, rowsOf),
    exec: (text) => {
      prepare(text).all()
    },
    close: () => {
      statements.clear()
      db.close()
    },
  }
}

function drive<T>(op: Op<T>, rowsOf: (statement: Sql) => readonly Row[]): T {
  let step = op.next([])
  while (!step.done) step = op.next(rowsOf(step.value))
  return step.value
}
