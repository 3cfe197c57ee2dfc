import type { BlobPlace } from '../domain/blobs.ts'
import type { Store } from '../domain/store.ts'
import type { OperatorHttp } from '../net/index.ts'
import type { S3Credentials, S3Place } from './blobs/s3-place.ts'
import type { PostgresOptions } from './postgres/store.ts'
import type { SqliteOptions } from './sqlite/store.ts'

export { diskBlobs } from './blobs/disk.ts'
export { apart, enclosing } from './blobs/enclosing.ts'
export { type S3Credentials, s3Place, type S3Place } from './blobs/s3-place.ts'
export { makeFolder } from './make-folder.ts'

/** Which database, and where. */
export type StoreOptions = ({ readonly kind: 'sqlite' } & SqliteOptions) | ({ readonly kind: 'postgres' } & PostgresOptions)

/** Blobs in an object store, whose client is loaded on first use. */
export async function openS3Blobs(place: S3Place, credentials: S3Credentials, http: OperatorHttp): Promise<BlobPlace> {
  return (await import('./blobs/s3.ts')).s3Blobs(place, credentials, http)
}

/** Opens the store and migrates its schema. Throws a one-sentence error if that fails. Only the driver in use is loaded. */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (options.kind === 'sqlite') return (await import('./sqlite/store.ts')).sqliteStore(options)
  return (await import('./postgres/store.ts')).postgresStore(options)
}

/** Whether `openStore` would find a store rather than create one; a server's store is never created by mistake. */
export async function storeIsThere(options: StoreOptions): Promise<boolean> {
  return options.kind !== 'sqlite' || (await import('./sqlite/store.ts')).isStore(options.dataDir)
}
