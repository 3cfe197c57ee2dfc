import type { BlobPlace } from '../domain/blobs.ts'
import type { Store } from '../domain/store.ts'
import type { OperatorHttp } from '../net/index.ts'
import type { S3Credentials, S3Place } from './blobs/s3-place.ts'
import type { PostgresOptions } from './postgres/store.ts'
import type { SqliteOptions } from './sqlite/store.ts'

export { diskBlobs } from './blobs/disk.ts'
export { apart, enclosing } from './blobs/enclosing.ts'
export { type S3Credentials, s3Place, type S3Place } from './blobs/s3-place.ts'

/** Which database, and where. */
export type StoreOptions = ({ readonly kind: 'sqlite' } & SqliteOptions) | ({ readonly kind: 'postgres' } & PostgresOptions)

/** Blobs in an object store; its client is loaded where it is used. */
export async function openS3Blobs(place: S3Place, credentials: S3Credentials, http: OperatorHttp): Promise<BlobPlace> {
  return (await import('./blobs/s3.ts')).s3Blobs(place, credentials, http)
}

/** Opens the store, its schema brought up to date. Throws with one sentence when that cannot be. Only the driver in use is loaded. */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (options.kind === 'sqlite') return (await import('./sqlite/store.ts')).sqliteStore(options)
  return (await import('./postgres/store.ts')).postgresStore(options)
}

/** Whether `openStore` finds a store there, rather than makes one; what a server has is never made anew by mistake. */
export async function storeIsThere(options: StoreOptions): Promise<boolean> {
  return options.kind !== 'sqlite' || (await import('./sqlite/store.ts')).isStore(options.dataDir)
}
