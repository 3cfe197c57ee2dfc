import type { BlobPlace, BlobRows, Blobs } from '../../domain/blobs.ts'
import { breather } from '../../lib/breath.ts'
import { contentKey, decodeBlob, encodeBlob } from './format.ts'

/**
 * Blobs that are larger than this when packed become files: in a database they would cost more than the two syncs of a
 * file.
 */
const mostPackedBytes = 65_536

/** Longer input is not packed to find out whether the result is small. */
const mostBytes = 262_144

/**
 * A row kept this recently need not be kept again: the interval is far below the grace of any sweep, so that no sweep
 * removes the row before a settlement refers to it.
 */
const lateMs = 20_000

/** Rows per query during a sweep. */
const sweepBatch = 200

/** How long rows are read, one after the other, before the event loop may go on: much shorter than a page is read, as a scrape needs some ten turns of the loop, and waits for as much in each. */
const turnMs = 0.5

/** How small blobs are enclosed. */
export interface EnclosingOptions {
  readonly now: () => number
  /** Whether to enclose new blobs; existing rows are read either way. */
  readonly encloses: boolean
}

/** Blobs. Small ones are written as rows of the store, with the settlement that names them; all others go to `place` ([why](../../../docs/adr/0023-small-blobs-in-rows.md)). */
export function enclosing(place: BlobPlace, rows: BlobRows, { now, encloses }: EnclosingOptions): Blobs {
  const breathe = breather(turnMs)
  const removeUnused = async (keys: readonly string[], inUse: Parameters<BlobPlace['sweep']>[0], before: number): Promise<number> => {
    // Most of it is in use, and asking for that is as fast as reading a row.
    await breathe()
    const used = await inUse(keys)
    const unused = keys.filter((key) => !used.has(key))
    return unused.length === 0 ? 0 : rows.remove(unused, before)
  }
  return {
    put: (bytes) => place.put(bytes),
    async enclose(bytes) {
      const packed = !encloses || bytes.length > mostBytes ? null : Buffer.concat(await encodeBlob(bytes))
      if (packed === null || packed.length > mostPackedBytes) return { key: await place.put(bytes), enclosed: null }
      const key = await contentKey(bytes)
      return { key, enclosed: { key, packed, at: now() } }
    },
    async keep(key) {
      const keptAt = await rows.keptAt(key)
      if (keptAt === null) return place.keep(key)
      return keptAt > now() - lateMs || rows.keep(key, now())
    },
    async get(key) {
      // Reading a row blocks the thread, and a status response may need a thousand.
      await breathe()
      const packed = await rows.find(key)
      const bytes = packed && (await decodeBlob(packed, key))
      return bytes ?? place.get(key)
    },
    async sweep(inUse, graceMs) {
      const before = now() - graceMs
      let removed = 0
      let last: Parameters<BlobRows['old']>[1] = null
      do {
        const old: Awaited<ReturnType<BlobRows['old']>> = await rows.old(before, last, sweepBatch)
        removed += await removeUnused(old.map(({ key }) => key), inUse, before)
        last = old.at(-1) ?? null
      } while (last !== null)
      return removed + (await place.sweep(inUse, graceMs))
    },
    async remove(keys, inUse, graceMs) {
      const before = now() - graceMs
      let removed = 0
      for (let i = 0; i < keys.length; i += sweepBatch) removed += await removeUnused(keys.slice(i, i + sweepBatch), inUse, before)
      return removed + (await place.remove(keys, inUse, graceMs))
    },
  }
}

/** Blobs that are all stored in `place`. */
export function apart(place: BlobPlace): Blobs {
  return { ...place, enclose: async (bytes) => ({ key: await place.put(bytes), enclosed: null }) }
}
