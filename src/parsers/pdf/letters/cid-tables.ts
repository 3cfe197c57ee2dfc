import { brotliDecompressSync } from 'node:zlib'
import { once } from '../../../lib/once.ts'
import { data } from './cid-data.ts'

/** The East Asian character collections (PDF 1.7, 9.7.5.2), in the order of their data. */
const collections = ['Japan1', 'GB1', 'CNS1', 'Korea1'] as const
export type Collection = (typeof collections)[number]

/** The letters of a collection by CID, 0 for none, and the reverse. */
export interface CidTable {
  readonly letters: Uint32Array
  readonly cids: ReadonlyMap<number, number>
}

const tables = once((): ReadonlyMap<string, CidTable> => {
  const bytes = brotliDecompressSync(Buffer.from(data, 'base64'))
  let at = 0
  return new Map(
    collections.map((collection) => {
      const letters = new Uint32Array((bytes[at++] ?? 0) | ((bytes[at++] ?? 0) << 8))
      const cids = new Map<number, number>()
      let before = 0
      for (let cid = 0; cid < letters.length; cid++) {
        let packed = 0
        let byte = 128
        for (let shift = 0; byte > 127; shift += 7) packed |= ((byte = bytes[at++] ?? 0) & 127) << shift
        before += 1 + (packed % 2 === 0 ? packed / 2 : -(packed + 1) / 2)
        letters[cid] = before
        if (before !== 0 && !cids.has(before)) cids.set(before, cid)
      }
      return [collection, { letters, cids }]
    }),
  )
})

/** The table of a character collection; null for all others. */
export const cidTable = (collection: string): CidTable | null => tables().get(collection) ?? null
