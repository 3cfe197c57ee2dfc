import type { Store } from '../domain/ports.ts'
import type { PostgresOptions } from './postgres/store.ts'
import type { SqliteOptions } from './sqlite/store.ts'

export { diskBlobs } from './blobs/disk.ts'

/** Which database, and where. */
export type StoreOptions = ({ readonly kind: 'sqlite' } & SqliteOptions) | ({ readonly kind: 'postgres' } & PostgresOptions)

/** Opens the store, its schema brought up to date. Throws with one sentence when that cannot be. Only the driver in use is loaded. */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (options.kind === 'sqlite') return (await import('./sqlite/store.ts')).sqliteStore(options)
  return (await import('./postgres/store.ts')).postgresStore(options)
}
