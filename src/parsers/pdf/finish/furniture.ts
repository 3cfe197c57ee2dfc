import type { Block } from '../blocks.ts'
import { numbersOf } from '../page/page-numbers.ts'

/** Blocks are headers or footers when at least this many pages have them: on fewer, a repetition may be chance. */
const fewest = 3
/** They must also start or end at least this share of all pages. */
const share = 0.6
/** The longest header or footer, in characters. */
const longest = 120
/** Headers and footers seldom have more blocks than this. */
const depth = 3

interface Sheet {
  readonly pageNumber: number
  readonly blocks: readonly Block[]
}

const textOf = (block: Block): string => block.lines.join(' ').trim()

/** The keys by which blocks are compared: their text, and their text with one of its numbers relative to the page number. */
function keysOf(block: Block | undefined, pageNumber: number): string[] {
  const text = block === undefined ? '' : textOf(block)
  if (block === undefined || block.kind === 'table' || block.kind === 'code' || block.kind === 'list' || text === '' || text.length > longest) return []
  if (block.kind === 'heading') return [text]
  const bare = text.replace(/[*_]/g, '')
  return [...new Set([text, ...numbersOf(bare, [bare], pageNumber).map(({ rest }) => rest)])]
}

const mostOf = (sheets: readonly Sheet[]): number => Math.max(fewest, sheets.length * share)

/** How many characters of the pages are not repeated on most of them, wherever they stand. */
export function ownText(sheets: readonly Sheet[]): number {
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
  /** Characters that removing it would lose. */
  readonly lost: number
}

/** Characters that removing a block would lose. A heading loses none, because its first appearance stays; a page number counts as one. */
function lostWith(block: Block | undefined, key: string): number {
  if (block === undefined || block.kind === 'heading') return 0
  return textOf(block) === key ? key.length : 1
}

/** For each block that most pages start (or end) with: the pages from which it can be removed. */
function repeated(sheets: readonly Sheet[], edge: 0 | -1): readonly Repeated[] {
  const groups = new Map<string, Sheet[]>()
  for (const sheet of sheets) {
    for (const key of keysOf(sheet.blocks.at(edge), sheet.pageNumber)) {
      groups.set(key, groups.get(key) ?? [])
      groups.get(key)?.push(sheet)
    }
  }
  return [...groups].filter(([, group]) => group.length >= mostOf(sheets)).map(([key, group]) => {
    // A running title may also be the document's title: its first appearance as a heading stays.
    const gone = group.filter((sheet, i) => (i > 0 || sheet.blocks.at(edge)?.kind !== 'heading') && leavesText(sheet, edge))
    return { pages: gone.map(({ pageNumber }) => pageNumber), lost: gone.reduce((sum, { blocks }) => sum + lostWith(blocks.at(edge), key), 0) }
  })
}

/** Whether a page keeps text besides headings. Pages that are the same from top to bottom are content. */
function leavesText(sheet: Sheet, edge: 0 | -1): boolean {
  const rest = edge === 0 ? sheet.blocks.slice(1) : sheet.blocks.slice(0, -1)
  return rest.some((block) => block.kind !== 'heading')
}

/**
 * Removes running headers and footers that most pages start or end with as a block. Text that the pages share stays when it
 * is longer than what each has of its own, as in forms, tickets and certificates: there it is the content.
 * `running-lines.ts` finds headers and footers by their position.
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
