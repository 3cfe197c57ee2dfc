import { createRequire } from 'node:module'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'

/** A database handle; Node's module and the package share its interface. */
export type Database = DatabaseSyncInstance

/** A prepared statement. */
export type Statement = StatementSyncInstance

interface Driver {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly?: boolean; readonly timeout?: number }) => Database
}

/** Opens a database with Node's own SQLite if there is one (Node 22.13 and later), otherwise with the package's. */
export function openDatabase(file: string, options: { readonly readOnly?: boolean; readonly timeout: number }): Database {
  const builtIn = silently(() => process.getBuiltinModule('node:sqlite')) as Driver | undefined // The types are those of Node 20, which has no such module.
  const driver = builtIn ?? (createRequire(import.meta.url)('@photostructure/sqlite') as Driver) // What the package exports.
  return new driver.DatabaseSync(file, options)
}

/** Silences Node 22's warning about this module: standard error carries the log, one JSON object a line. */
function silently<T>(load: () => T): T {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}
