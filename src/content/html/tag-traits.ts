import { closesParagraph, formattingTags, headingTags, headTags, htmlInForeign, leavesForeign, rawTextTags, scopeTags, specialTags, voidTags } from './tag-sets.ts'

/**
 * The properties of a start tag or open element that the tree builder needs, as bits: one lookup gives all, and searching a
 * deep stack costs one comparison per level.
 */
export const trait = {
  scope: 1,
  special: 2,
  heading: 4,
  listScope: 8,
  tableScope: 16,
  /** Stops the search for a table or form to close. */
  documentScope: 32,
  tablePart: 64,
  row: 128,
  /** Start tags of items look past special elements with this trait. */
  itemLooksPast: 256,
  formatting: 512,
  drawing: 1024,
  htmlInForeign: 2048,
  /** Its content belongs to a drawing or formula. A trait of open elements only, never of names. */
  foreign: 4096,
  empty: 8192,
  rawText: 16_384,
  closesParagraph: 32_768,
  staysInHead: 65_536,
  leavesForeign: 131_072,
  /** Stops the search for a paragraph to close. */
  paragraphScope: 262_144,
} as const

const members: readonly (readonly [bit: number, names: Iterable<string>])[] = [
  [trait.scope, scopeTags],
  [trait.special, specialTags],
  [trait.heading, headingTags],
  [trait.listScope, ['ul', 'ol', 'menu', 'dir', ...scopeTags]],
  [trait.tableScope, ['html', 'template', 'table']],
  [trait.documentScope, ['html', 'template']],
  [trait.tablePart, ['table', 'tbody', 'thead', 'tfoot']],
  [trait.row, ['tr']],
  [trait.itemLooksPast, ['address', 'div', 'p']],
  [trait.formatting, formattingTags],
  [trait.drawing, ['svg', 'math']],
  [trait.htmlInForeign, htmlInForeign],
  [trait.empty, voidTags],
  [trait.rawText, rawTextTags],
  [trait.closesParagraph, closesParagraph],
  [trait.staysInHead, headTags],
  [trait.leavesForeign, leavesForeign],
  [trait.paragraphScope, ['button', ...scopeTags]],
]

const traits = new Map<string, number>()
for (const [bit, names] of members) for (const name of names) traits.set(name, (traits.get(name) ?? 0) | bit)

/** The traits of an element name; 0 for an unknown one. */
export function traitsOf(name: string): number {
  return traits.get(name) ?? 0
}
