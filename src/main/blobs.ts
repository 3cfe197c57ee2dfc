import { ofStore } from '../domain/errors.ts'
import type { BlobPlace, Blobs } from '../domain/blobs.ts'
import type { Store } from '../domain/store.ts'
import { nameResolver, operatorHttp, type OwnEndpoints } from '../net/index.ts'
import { apart, diskBlobs, enclosing, openS3Blobs } from '../store/index.ts'
import type { Config } from './config.ts'
import { blobOptions } from './options.ts'

/** Says of every failure that it was one of the blob store. */
function guarded({ put, keep, get, sweep, remove }: BlobPlace): BlobPlace {
  return {
    put: (bytes) => ofStore(put(bytes)),
    keep: (key) => ofStore(keep(key)),
    get: (key) => ofStore(get(key)),
    sweep: (...args) => ofStore(sweep(...args)),
    remove: (...args) => ofStore(remove(...args)),
  }
}

/** The place of blobs that the settings say. Private addresses of an object store are added to `own`, so that pages do not reach it. Throws `ConfigError`. */
export async function openBlobPlace(config: Config, own: OwnEndpoints): Promise<BlobPlace & { close(): void }> {
  const options = blobOptions(config)
  if (options.kind === 'disk') return { ...guarded(diskBlobs(options.folder)), close: () => {} }
  // A resolver of its own: that of the pages closes while results are still being written.
  const resolver = nameResolver({ servers: config.TRAWL_EGRESS_DNS_SERVERS, clock: { now: Date.now } })
  const http = operatorHttp(options.place.origin, { resolver, own })
  return {
    ...guarded(await openS3Blobs(options.place, options.credentials, http)),
    close() {
      http.close()
      resolver.close()
    },
  }
}

/** Blobs as the service has them: small ones within an embedded store, unless the settings name a place for all that is new. */
export function blobsOf(config: Config, place: BlobPlace, store: Pick<Store, 'name' | 'blobRows'>): Blobs {
  return store.name === 'sqlite' ? enclosing(place, store.blobRows, { now: Date.now, encloses: config.TRAWL_BLOB_URL === null }) : apart(place)
}

/** Host and port that are the blob store's alone: no page target. Throws `ConfigError`. */
export function blobEndpoints(config: Config): readonly { readonly host: string; readonly port: number }[] {
  const options = blobOptions(config)
  if (options.kind === 'disk') return []
  const { hostname, port, protocol } = options.place.origin
  return [{ host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) }]
}
