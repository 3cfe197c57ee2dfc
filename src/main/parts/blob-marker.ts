import { randomUUID } from 'node:crypto'
import type { BlobMarker, BlobPlace } from '../../domain/blobs.ts'
import type { Log } from '../../http/ports.ts'

const reason = 'What other processes of this database keep of pages is not found here: TRAWL_BLOB_URL has to name one place for all of them.'

/** Why a place of blobs is not the one of the other processes; null when it is, or when nobody has marked one yet. */
export async function apartBecause(marker: BlobMarker, place: Pick<BlobPlace, 'get'>): Promise<string | null> {
  const key = await marker.find()
  return key === null || (await place.get(key)) !== null ? null : reason
}

/**
 * Marks the place of blobs for later processes, and warns when it is not the place that another process marked. The
 * operator may have moved it on purpose, so this does not prevent the start.
 */
export async function markPlace(marker: BlobMarker, place: Pick<BlobPlace, 'get' | 'put'>, log: Log): Promise<void> {
  const before = await marker.find()
  if (before !== null && (await place.get(before)) !== null) return
  const own = await place.put(Buffer.from(`The blobs of a database are where this one is: ${randomUUID()}`))
  const now = await marker.replace(before, own)
  // Of two processes that start at once, one has marked it for both.
  if (before === null && (now === own || (await place.get(now)) !== null)) return
  log('warn', 'blobs-apart', { reason })
}
