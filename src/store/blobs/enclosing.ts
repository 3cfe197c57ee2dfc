import type { BlobPlace, BlobRows, Blobs } from '../../domain/blobs.ts'
import { breather } from '../../lib/breath.ts'
import { contentKey, decodeBlob, encodeBlob } from './format.ts'

/** What takes more than this when packed is a file: in a database it would cost more than the file's two syncs. */
const mostPackedBytes = 65_536

/** What is longer than this is not packed to see whether it would be small. */
const mostBytes = 262_144

/** A row kept this lately need not be kept again: far below any grace of a sweep, so that none takes it before a settlement names it. */
const lateMs = 20_000

/** Rows asked about at once during a sweep. */
const sweepBatch = 200

/** How long rows are read, one after the other, before the event loop may go on: much shorter than a page is read, as a scrape needs some ten turns of the loop, and waits for as much in each. */
const turnMs = 0.5

/** How small blobs are enclosed. */
export interface EnclosingOptions {
  readonly now: () => number
  /** Whether new ones are; rows of before are read either way. */
  readonly encloses: boolean
}

/** Blobs of which small ones come with the settlement that names them, as rows of the store, and all others go to `place` ([why](../../../docs/adr/0023-small-blobs-in-rows.md)). */
export function enclosing(place: BlobPlace, rows: BlobRows, { now, encloses }: EnclosingOptions): Blobs {
  const breathe = breather(turnMs)
  const removeUnused = async (keys: readonly string[], inUse: Parameters<BlobPlace['sweep']>[0], before: number): Promise<number> => {
    // What is in use is most of it, and asking for that is as quick an answer as a row.
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
      // A row is read at once, and a status has a thousand.
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

/** Blobs all of which go to `place`. */
export function apart(place: BlobPlace): Blobs {
  return { ...place, enclose: async (bytes) => ({ key: await place.put(bytes), enclosed: null }) }
}
