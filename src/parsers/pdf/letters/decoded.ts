import type * as unpdf from 'unpdf'
import type { RawDocument } from '../source.ts'
import { isReadable, type Undecoded } from './undecoded.ts'
import { typeset } from './typeset.ts'

/** Milliseconds for a second reading; a file must not fail because of it. */
export const maxMs = 8_000
/** A second reading must give at least this share of the letters of the first, unless these are other letters. */
const leastShare = 0.9
/** Characters that stand for unknown letters. */
const unknown = /[\0\ufffd\ue000-\uf8ff]/g

/** How many letters and digits a text has. */
export const lettersOf = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
/** How many of its letters are unknown. */
export const unknownOf = (text: string): number => text.match(unknown)?.length ?? 0

/**
 * How a file is read a second time: by the library that can decode its letters, and, after typesetting, by the one that
 * recognises layouts.
 */
export interface SecondReading {
  readonly open: () => Promise<Awaited<ReturnType<(typeof unpdf)['getDocumentProxy']>>>
  readonly read: (bytes: Buffer) => RawDocument
}

/**
 * Replaces the pages that the native library cannot decode or put in order (fonts with predefined CMaps, vertical text),
 * where the other library can.
 */
export async function withDecoded(raw: RawDocument, undecoded: ReadonlyMap<number, Undecoded>, { open, read }: SecondReading): Promise<RawDocument> {
  if (undecoded.size === 0) return raw
  try {
    const end = performance.now() + maxMs
    const { bytes, numbers } = await typeset(await open(), undecoded, () => performance.now() > end)
    if (numbers.length === 0) return raw
    const { pages } = read(bytes)
    const found = new Map(pages.map((page, i) => [numbers[i], page]))
    return { ...raw, pages: raw.pages.map((page) => {
      const other = found.get(page.pageNumber)
      const why = undecoded.get(page.pageNumber)
      const isComplete = other !== undefined && (why === 'others' || lettersOf(other.markdown) >= lettersOf(page.markdown) * leastShare)
      const isBetter = isComplete && (why !== 'codes' || isReadable(other.markdown)) && unknownOf(other.markdown) * 10 < lettersOf(other.markdown)
      return isBetter ? { ...other, pageNumber: page.pageNumber } : page
    }) }
  } catch {
    return raw
  }
}
