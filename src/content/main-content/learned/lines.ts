import { oneLine } from '../../tree.ts'
import type { Block } from './blocks.ts'
import type { Frame } from './frame.ts'

/** Characters of a text that are looked at: few letters may stand among any number of signs. */
const maxLine = 400

/** What a block says, in one line. */
export const lineOf = ({ texts }: Block): string => oneLine(texts.map(({ data }) => data.slice(0, maxLine)).join(''))

/** Whether a block is in what the rules take for furniture, its own parts aside, or in an element of one of these names. */
export function isIn({ outline: o, rules }: Frame, { at, places }: Block, names?: ReadonlySet<string>): boolean {
  for (let i = places[0] ?? at; i >= 0; i = o.parent[i] ?? -1) if ((i <= at && rules.verdict[i] === 1) || names?.has(o.elements[i]?.name ?? '')) return true
  return false
}
