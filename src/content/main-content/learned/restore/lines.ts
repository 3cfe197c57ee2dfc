import { oneLine } from '../../../html/tree.ts'
import type { Block } from '../blocks.ts'
import type { Frame } from '../frame.ts'

/** Characters of a text that are read: a few letters may be padded with any number of other characters. */
const maxLine = 400

/** The letters before each block, and of all; with `kept`, only of blocks that are kept. */
export function lettersBefore({ blocks }: Frame, kept?: Uint8Array): Float64Array {
  const letters = new Float64Array(blocks.all.length + 1)
  for (let i = 0; i < blocks.all.length; i++) letters[i + 1] = (letters[i] ?? 0) + (kept === undefined || kept[i] === 1 ? (blocks.all[i]?.measure.letters ?? 0) : 0)
  return letters
}

/** The text of a block, as one line. */
export const lineOf = ({ texts }: Block): string => oneLine(texts.map(({ data }) => data.slice(0, maxLine)).join(''))

/**
 * Whether a block is in an element that the rules call furniture (elements inside the block do not count), or in an element
 * with one of these names.
 */
export function isIn({ outline: o, rules }: Frame, { at, places }: Block, names?: ReadonlySet<string>): boolean {
  for (let i = places[0] ?? at; i >= 0; i = o.parent[i] ?? -1) if ((i <= at && rules.verdict[i] === 1) || names?.has(o.elements[i]?.name ?? '')) return true
  return false
}

/** Keeps the blocks of an element, but those in furniture or in an element with one of these names. */
export function keepOutside(frame: Frame, kept: Uint8Array, i: number, names?: ReadonlySet<string>): void {
  const { blocks } = frame
  for (let at = blocks.first[i] ?? 0; at < (blocks.end[i] ?? 0); at++) {
    const block = blocks.all[at]
    if (block !== undefined && !isIn(frame, block, names)) kept[at] = 1
  }
}

/** Whether a block, by its index, is in furniture. */
export function isFurniture(frame: Frame, i: number): boolean {
  const block = frame.blocks.all[i]
  return block !== undefined && isIn(frame, block)
}
