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

const textOf = (block: Block): string => block.lines.join(' ').trim()

/** What makes two edge blocks the same: their text, or their text with the first or last number counted from the page's own. */
function keysOf(block: Block | undefined, pageNumber: number): string[] {
  const text = block === undefined ? '' : textOf(block)
  if (block === undefined || block.kind === 'table' || block.kind === 'code' || block.kind === 'list' || text === '' || text.length > longest) return []
  if (block.kind === 'heading') return [text]
  const relative = (number: string): string => `#${Number(number) - pageNumber}`
  return [...new Set([text, text.replace(/\d{1,5}/, relative), text.replace(/\d{1,5}(?=\D*$)/, relative)])]
}

const mostOf = (sheets: readonly Sheet[]): number => Math.max(fewest, sheets.length * share)

/** How many characters the pages have that most of them do not have alike, wherever on the page. */
function ownText(sheets: readonly Sheet[]): number {
  const pages = new Map<string, number>()
  const keyed = sheets.flatMap(({ blocks, pageNumber }) => {
    const keys = blocks.map((block) => [...new Set([textOf(block), ...keysOf(block, pageNumber)])])
    for (const key of new Set(keys.flat())) pages.set(key, (pages.get(key) ?? 0) + 1)
    return keys
  })
  return keyed.reduce((sum, keys) => (keys.some((key) => (pages.get(key) ?? 0) >= mostOf(sheets)) ? sum : sum + (keys[0]?.length ?? 0)), 0)
}

interface Repeated {
  readonly pages: readonly number[]
  /** Characters that would be gone with it. */
  readonly lost: number
}

/** What would be gone with an edge block: of a running title the first stays, of what counts the pages it is their number. */
function lostWith(block: Block | undefined, key: string): number {
  if (block === undefined || block.kind === 'heading') return 0
  return textOf(block) === key ? key.length : 1
}

/** Pages that begin (or end) with a block that most pages begin (or end) with, by such blocks. */
function repeated(sheets: readonly Sheet[], edge: 0 | -1): readonly Repeated[] {
  const groups = new Map<string, Sheet[]>()
  for (const sheet of sheets) {
    for (const key of keysOf(sheet.blocks.at(edge), sheet.pageNumber)) {
      groups.set(key, groups.get(key) ?? [])
      groups.get(key)?.push(sheet)
    }
  }
  return [...groups].filter(([, group]) => group.length >= mostOf(sheets)).map(([key, group]) => {
    // A running title may also be the title: its first appearance as a heading stays.
    const gone = group.filter((sheet, i) => (i > 0 || sheet.blocks.at(edge)?.kind !== 'heading') && leavesText(sheet, edge))
    return { pages: gone.map(({ pageNumber }) => pageNumber), lost: gone.reduce((sum, { blocks }) => sum + lostWith(blocks.at(edge), key), 0) }
  })
}

/** Pages alike from top to bottom are content: a page that has running text must not lose all of it. */
function leavesText(sheet: Sheet, edge: 0 | -1): boolean {
  const rest = edge === 0 ? sheet.blocks.slice(1) : sheet.blocks.slice(0, -1)
  return rest.some((block) => block.kind !== 'heading')
}

/**
 * Takes headers and footers off pages: what stands first or last on most of them. They go beside a text: where pages have less of their own
 * than would be taken off them (forms, tickets, certificates), what they have alike is what they say.
 */
export function withoutFurniture(pages: readonly Sheet[]): readonly (readonly Block[])[] {
  let sheets = pages
  let left = ownText(pages)
  for (const edge of [0, -1] as const) {
    for (let round = 0; round < depth; round++) {
      const gone = new Set<number>()
      for (const group of repeated(sheets, edge)) {
        if (group.lost > left) continue
        left -= group.lost
        for (const page of group.pages) gone.add(page)
      }
      if (gone.size === 0) break
      sheets = sheets.map((sheet) => (gone.has(sheet.pageNumber) ? { ...sheet, blocks: edge === 0 ? sheet.blocks.slice(1) : sheet.blocks.slice(0, -1) } : sheet))
    }
  }
  return sheets.map(({ blocks }) => blocks)
}
