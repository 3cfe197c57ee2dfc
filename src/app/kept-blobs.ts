import type { Blobs } from '../domain/blobs.ts'
import { StoreAway } from '../domain/errors.ts'
import { eventPatienceMs } from '../domain/jobs/outbox.ts'

/** A blob is not found although it cannot have been erased: the place of the blobs is at fault. */
class MissingPage extends StoreAway {
  override readonly name = 'MissingPage'
  constructor() {
    super(new Error('What is stored is named, but not found in the blob store.'))
  }
}

/** A blob that is never erased while a row names it. Throws `StoreAway` if it is not found: to go on without it would lose it for good. */
export async function namedBlob(blobs: Pick<Blobs, 'get'>, key: string): Promise<Uint8Array> {
  const bytes = await blobs.get(key)
  if (bytes === null) throw new MissingPage()
  return bytes
}

/**
 * The blobs, for reading one that was written at that time. Soon after it cannot have been erased: one that is not found then is a fault of
 * the blob store, and `get` throws `StoreAway`, because callers are told for good that a page is gone.
 */
export function keptBlobs<B extends Pick<Blobs, 'get'>>(blobs: B, at: number, now: () => number): B {
  return {
    ...blobs,
    async get(key) {
      const bytes = await blobs.get(key)
      if (bytes === null && now() - at < eventPatienceMs) throw new MissingPage()
      return bytes
    },
  }
}
