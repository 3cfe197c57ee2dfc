import { closesParagraph, formattingTags, headingTags, headTags, htmlInForeign, leavesForeign, rawTextTags, scopeTags, specialTags, voidTags } from './tag-sets.ts'

/** What the tree builder asks about a start tag or an open element, as bits: one look says all of them, and a look at a deep stack costs one comparison a level. */
export const trait = {
  scope: 1,
  special: 2,
  heading: 4,
  listScope: 8,
  tableScope: 16,
  /** Where looking for a table or a form to close stops. */
  documentScope: 32,
  tablePart: 64,
  row: 128,
  /** Start tags of items look past special elements that have this. */
  itemLooksPast: 256,
  formatting: 512,
  drawing: 1024,
  htmlInForeign: 2048,
  /** The content is that of a drawing or formula; given to open elements, never to names. */
  foreign: 4096,
  empty: 8192,
  rawText: 16_384,
  closesParagraph: 32_768,
  staysInHead: 65_536,
  leavesForeign: 131_072,
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
]

const traits = new Map<string, number>()
for (const [bit, names] of members) for (const name of names) traits.set(name, (traits.get(name) ?? 0) | bit)

/** The traits of an element name; 0 for an unknown one. */
export function traitsOf(name: string): number {
  return traits.get(name) ?? 0
}
