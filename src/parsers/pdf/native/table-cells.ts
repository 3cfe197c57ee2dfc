import type * as inspector from '@firecrawl/pdf-inspector'
import { readingOrder } from '../finish/right-to-left.ts'
import { coveredText, withLinks } from '../links.ts'
import { lineOf, type Piece } from '../tags/tagged-inline.ts'
import { linesOf } from './table-places.ts'

type Item = inspector.TextItem

/** The least gap between words, as a multiple of the letter height: a sign after bold letters stands closer. */
const wordGap = 0.12

/** The text of a cell with its styles, line by line. */
function piecesOf(cell: readonly Item[]): Piece[] {
  return linesOf(cell).flatMap(({ items }, line) => readingOrder(items.map((item) => ({ ...item, left: item.x, bottom: item.y, size: item.height }))).map((item, i, ordered): Piece => {
    const before = ordered[i - 1]
    const gap = before === undefined ? (line === 0 ? '' : '\n') : Math.max(item.x - before.x - before.width, before.x - item.x - item.width) > item.height * wordGap ? ' ' : ''
    return { text: `${gap}${item.text.replace(/[|\\]/g, '\\$&')}`, bold: item.isBold, italic: item.isItalic, struck: item.isStrikeout, code: false, url: null, place: null }
  }))
}

/** The text of a cell as one line of markdown; without `looks`, its styles are ignored. */
export const cellText = (cell: readonly Item[], looks: boolean): string => lineOf(piecesOf(cell), looks).replace(/(?<=\d[-–]) (?=\d)/g, '')

/** The links over some texts: those that stand at their height. */
function linksOver(items: readonly Item[], links: readonly Item[]): Item[] {
  const [bottom, top] = [Math.min(...items.map(({ y }) => y)), Math.max(...items.map(({ y, height }) => y + height))]
  return links.filter(({ y, height }) => y < top && y + height > bottom)
}

/** Markdown of some texts with the links over them; `base` is the address of the file. */
export function linked(markdown: string, items: readonly Item[], { links, base }: { readonly links: readonly Item[]; readonly base: string | null }): string {
  const own = items.length === 0 ? [] : linksOver(items, links)
  return own.length === 0 ? markdown : withLinks(markdown, coveredText([...items, ...own], base).filter(({ text }) => text !== ''))
}
