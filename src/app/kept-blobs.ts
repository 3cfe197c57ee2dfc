import type { Blobs } from '../domain/blobs.ts'
import { StoreAway } from '../domain/errors.ts'
import { eventPatienceMs } from '../domain/jobs/outbox.ts'

/** A blob is not found although it cannot have been erased: the place of the blobs is at fault. */
class MissingPage extends StoreAway {
  override readonly name = 'MissingPage'
}

/** The blobs, of which those written at that time may not be missing so soon: what is said of one that is gone is final, so a fault of the blob store must not look like it. Throws `StoreAway` for them. */
export function keptBlobs<B extends Pick<Blobs, 'get'>>(blobs: B, at: number, now: () => number): B {
  return {
    ...blobs,
    async get(key) {
      const bytes = await blobs.get(key)
      if (bytes === null && now() - at < eventPatienceMs) throw new MissingPage(new Error('A blob is not found.'))
      return bytes
    },
  }
}
