import { type Op, type Row, first } from '../op.ts'
import { type Sql, render, sql } from '../sql.ts'
import { type Statement, openDatabase } from './driver.ts'

/** How long a statement waits for another process (an admin command) to finish writing. */
const busyTimeoutMs = 5_000

/** How long a journal that could not be cleared is left alone. */
const clearAgainMs = 100

/** Lists of parameters make new texts; beyond this many the cache starts afresh. */
const maxStatements = 300

/** One handle of the database, with its prepared statements. */
export interface Connection {
  /** Runs an operation; what it writes belongs to the transaction that the caller has begun. */
  execute<T>(op: Op<T>): T
  /** Runs a statement without parameters: transaction control, pragmas. */
  exec(text: string): void
  close(): void
}

/** A connection that writes. */
export interface WritingConnection extends Connection {
  /**
   * To be told after each commit whether it deleted what must not be found in any file any more. The journal still has it then, and until that is
   * written back so has the database: both are cleared here, or at a later commit where somebody else is reading.
   */
  committed(erased: boolean): void
}

/** Opens the database for writing, with every commit on disk before it answers; creates the file when missing. */
export function writingConnection(file: string): WritingConnection {
  const connection = connect(file, false)
  connection.exec('pragma journal_mode = wal')
  connection.exec('pragma synchronous = full')
  connection.exec('pragma foreign_keys = on')
  connection.exec('pragma journal_size_limit = 16777216')
  // Each operation is a savepoint, for which SQLite keeps the pages as they were: in a file of its own that was more writing than all of the journal.
  connection.exec('pragma temp_store = memory')
  // What is deleted is to be gone, as it would be with a file of its own.
  connection.exec('pragma secure_delete = on')
  /** Whether something erased is still in the journal, and since when it has been looked at last. */
  let owed = false
  let triedAt = 0
  return {
    ...connection,
    committed: (erased) => {
      owed ||= erased
      if (!owed || (!erased && performance.now() - triedAt < clearAgainMs)) return
      // Nobody who writes is to wait for one who reads, such as a backup.
      connection.exec('pragma busy_timeout = 0')
      try {
        owed = !connection.execute(clearJournal())
      } catch {
        // What was committed is committed; a disk that is full, for one, is tried again like a reader in the way.
      } finally {
        connection.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
      }
      triedAt = performance.now()
    },
    close: () => {
      // The driver keeps a closed handle half open until its statements are collected, so that SQLite's own clearing of the journal may not come.
      connection.exec('pragma busy_timeout = 200')
      connection.exec('pragma wal_checkpoint(truncate)')
      connection.close()
    },
  }
}

/** Returns whether it could be cleared. */
function* clearJournal(): Op<boolean> {
  return (yield* first<{ busy: number }>(sql`pragma wal_checkpoint(truncate)`))?.busy === 0
}

/** Opens the database for reading: it sees what is committed and waits for nobody. */
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
    // The driver's rows have no prototype; ours are plain objects whichever way they come.
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
