import { ofStore } from '../../domain/errors.ts'
import type { BlobPlace, Blobs } from '../../domain/blobs.ts'
import type { Store } from '../../domain/store.ts'
import { endpointOf } from '../../lib/endpoint-of.ts'
import { nameResolver, operatorHttp, type OwnEndpoints } from '../../net/index.ts'
import { apart, diskBlobs, enclosing, openS3Blobs } from '../../store/index.ts'
import { withRemedy } from './remedies.ts'
import { type Config, ConfigError } from '../settings/config.ts'
import { blobOptions } from '../settings/options.ts'

/** Marks every failure as one of the blob store. */
function guarded({ put, keep, get, sweep, remove }: BlobPlace): BlobPlace {
  return {
    put: (bytes) => ofStore(put(bytes)),
    keep: (key) => ofStore(keep(key)),
    get: (key) => ofStore(get(key)),
    sweep: (...args) => ofStore(sweep(...args)),
    remove: (...args) => ofStore(remove(...args)),
  }
}

async function openFolder({ TRAWL_BLOB_URL: url }: Config, folder: string): Promise<BlobPlace> {
  const place = diskBlobs(folder)
  try {
    await place.open()
    return place
  } catch (error) {
    throw new ConfigError(`The folder of blobs ${folder} (${url === null ? 'TRAWL_DATA_DIR' : 'TRAWL_BLOB_URL'}) cannot be used: ${error instanceof Error ? withRemedy(error) : String(error)}.`, { cause: error })
  }
}

/**
 * Opens the configured place of blobs. Adds private addresses of an object store to `own`, so that pages cannot reach it.
 * Throws `ConfigError`.
 */
export async function openBlobPlace(config: Config, own: OwnEndpoints): Promise<BlobPlace & { close(): void }> {
  const options = blobOptions(config)
  if (options.kind === 'disk') return { ...guarded(await openFolder(config, options.folder)), close: () => {} }
  // A resolver of its own: the pages' resolver closes while results are still being written.
  const resolver = nameResolver({ servers: config.TRAWL_EGRESS_DNS_SERVERS })
  const http = operatorHttp(options.place.origin, { resolver, own })
  return {
    ...guarded(await openS3Blobs(options.place, options.credentials, http)),
    close() {
      http.close()
      resolver.close()
    },
  }
}

/** The blobs of the service: small ones inside an embedded store, unless the settings name a place for all new ones. */
export function blobsOf(config: Config, place: BlobPlace, store: Pick<Store, 'name' | 'blobRows'>): Blobs {
  return store.name === 'sqlite' ? enclosing(place, store.blobRows, { now: Date.now, encloses: config.TRAWL_BLOB_URL === null }) : apart(place)
}

/** Hosts and ports that only the blob store may use, never pages. Throws `ConfigError`. */
export function blobEndpoints(config: Config): readonly { readonly host: string; readonly port: number }[] {
  const options = blobOptions(config)
  return options.kind === 'disk' ? [] : [endpointOf(options.place.origin)]
}
