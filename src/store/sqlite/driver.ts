import { createRequire } from 'node:module'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'

/** A database handle; Node's own module and the package have the same interface. */
export type Database = DatabaseSyncInstance

/** A prepared statement. */
export type Statement = StatementSyncInstance

interface Driver {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly?: boolean; readonly timeout?: number }) => Database
}

/** Opens a database file with Node's own SQLite where there is one (Node 22.13 and later), else with the one of the package. */
export function openDatabase(file: string, options: { readonly readOnly?: boolean; readonly timeout: number }): Database {
  const builtIn = silently(() => process.getBuiltinModule('node:sqlite')) as Driver | undefined // The types are those of Node 20, which has no such module.
  const driver = builtIn ?? (createRequire(import.meta.url)('@photostructure/sqlite') as Driver) // What the package exports.
  return new driver.DatabaseSync(file, options)
}

/** Node 22 warns of this module on standard error, where the log is one JSON object a line and commands say what went wrong. */
function silently<T>(load: () => T): T {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}
