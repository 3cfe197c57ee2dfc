import { oneLine } from '../../../html/tree.ts'
import type { Block } from '../blocks.ts'
import type { Frame } from '../frame.ts'

/** Characters of a text that are read: a few letters may be padded with any number of other characters. */
const maxLine = 400

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
