import type { Block } from './blocks.ts'

/** On fewer pages a repetition may be chance. */
const fewest = 3
const share = 0.6
const longest = 120
/** Headers and footers of more blocks than this are rare. */
const depth = 3

interface Sheet {
  readonly pageNumber: number
  readonly blocks: readonly Block[]
}

/** What makes two edge blocks the same: their text, or their text with the first or last number counted from the page's own. */
function keysOf(block: Block | undefined, pageNumber: number): string[] {
  const text = block?.lines.join(' ').trim() ?? ''
  if (block === undefined || block.kind === 'table' || block.kind === 'code' || block.kind === 'list' || text === '' || text.length > longest) return []
  if (block.kind === 'heading') return [text]
  const relative = (number: string): string => `#${Number(number) - pageNumber}`
  return [...new Set([text, text.replace(/\d{1,5}/, relative), text.replace(/\d{1,5}(?=\D*$)/, relative)])]
}

/** Which pages begin (or end) with a block that most pages begin (or end) with. */
function repeated(sheets: readonly Sheet[], edge: 0 | -1): Set<number> {
  const pages = new Map<string, Sheet[]>()
  for (const sheet of sheets) {
    for (const key of keysOf(sheet.blocks.at(edge), sheet.pageNumber)) {
      pages.set(key, pages.get(key) ?? [])
      pages.get(key)?.push(sheet)
    }
  }
  const found = new Set<number>()
  for (const group of pages.values()) {
    if (group.length < Math.max(fewest, sheets.length * share)) continue
    // A running title may also be the title: its first appearance as a heading stays.
    for (const [i, sheet] of group.entries()) if (i > 0 || sheet.blocks.at(edge)?.kind !== 'heading') found.add(sheet.pageNumber)
  }
  return found
}

/** Pages alike from top to bottom are content: a page that has running text must not lose all of it. */
function leavesText(sheet: Sheet, edge: 0 | -1): boolean {
  const rest = edge === 0 ? sheet.blocks.slice(1) : sheet.blocks.slice(0, -1)
  return rest.some((block) => block.kind !== 'heading')
}

/** Takes headers and footers off pages: what stands first or last on most of them. */
export function withoutFurniture(pages: readonly Sheet[]): readonly (readonly Block[])[] {
  let sheets = pages
  for (const edge of [0, -1] as const) {
    for (let round = 0; round < depth; round++) {
      const gone = repeated(sheets, edge)
      if (gone.size === 0) break
      sheets = sheets.map((sheet) => (gone.has(sheet.pageNumber) && leavesText(sheet, edge) ? { ...sheet, blocks: edge === 0 ? sheet.blocks.slice(1) : sheet.blocks.slice(0, -1) } : sheet))
    }
  }
  return sheets.map(({ blocks }) => blocks)
}
