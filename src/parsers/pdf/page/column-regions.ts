import { type Edges, textsOf } from './body-texts.ts'
import { type PageLine, pageLines, type Run } from './page-lines.ts'
import { isFull as hadNoRoom, isProse, type Parted, seamsOf, widthOf } from './side-regions.ts'
import { edgesOf, type Stretch, stretchesOf } from './stretches.ts'

/** The fewest lines of a column, and the most of a page. */
const [fewestLines, mostLines] = [3, 500]
/** Columns with so many lines are no cells of a table. */
const longColumn = 12
/** The least width of the narrower column, as a share of the other's. */
const leastWidth = 0.85
/** Columns are at least this share of lines of prose, and of lines that had no room for the next word. */
const [leastProse, leastFull] = [0.6, 0.5]
/** Lines start at the edge, and are level, with these tolerances in font sizes. */
const [sameStart, level] = [0.3, 0.15]
/** A full line ends at most this many font sizes before its column. */
const mostRagged = 3
/** A step larger than this multiple of the font size parts paragraphs. */
const mostStep = 1.9

/** The lines that start a paragraph, a heading or a cell, without the first. */
function startsOf(lines: readonly PageLine[]): PageLine[] {
  const right = Math.max(...lines.map((line) => line.right))
  return lines.slice(1).filter((line, i) => {
    const above = lines[i] ?? line
    return above.y - line.y > line.size * mostStep || !hadNoRoom(above, line, right)
  })
}

/** Whether lines are a column of running text. */
function isColumn(lines: readonly PageLine[]): boolean {
  const prose = lines.filter(isProse).length
  return lines.length >= fewestLines && prose >= lines.length * leastProse && startsOf(lines).length <= (lines.length - 1) * leastFull
}

/** Whether two texts are rows of a table: what starts on the one side does so on the other, too, in long columns mostly. */
export function areRows(left: readonly PageLine[], right: readonly PageLine[]): boolean {
  const [starts, others] = [startsOf(right), startsOf(left)]
  const levelled = starts.filter(({ y, size }) => others.some((other) => Math.abs(other.y - y) < size * level)).length
  const isLong = Math.min(left.length, right.length) >= longColumn
  return isLong ? levelled * 2 > Math.min(starts.length, others.length) : levelled > 0
}

/** Lines that run on in a column: one full line of prose after another. */
function fullLines(lines: readonly PageLine[]): PageLine[] {
  const end = Math.max(...lines.map((line) => line.right))
  const isFilled = (line: PageLine | undefined): boolean => line !== undefined && isProse(line) && line.right > end - line.size * mostRagged
  return lines.filter((line, i) => isFilled(line) && (isFilled(lines[i - 1]) || isFilled(lines[i + 1])))
}

/** How many lines at the start are rows over both columns, apart from the rest: names of authors, a table. */
function rowsAtStart(lines: readonly PageLine[], left: readonly PageLine[], isFull: (line: PageLine) => boolean): number {
  let start = 0
  for (const [i, line] of lines.entries()) {
    if (i > 0 && Math.abs((lines[i - 1]?.y ?? 0) - line.y) > line.size * mostStep) start = i
    if (isFull(line) || !left.some(({ y }) => Math.abs(y - line.y) < line.size * level)) return start
  }
  return 0
}

/** Whether the text of a column begins within a paragraph, with a full line of it or its end, and not with labels of a figure. */
export function beginsInProse(items: readonly Run[]): boolean {
  const lines = pageLines(items)
  const [first] = lines
  if (first === undefined) return false
  const [start, end] = [Math.min(...lines.map(({ x }) => x)), Math.max(...lines.map(({ right }) => right))]
  const isEnd = first.x < start + first.size * sameStart && first.parts.length === 1 && /[.!?:;]\P{L}*$/u.test(first.text)
  return isEnd || (isProse(first) && first.right > end - first.size * mostRagged)
}

/** Whether rows above columns are texts side by side that are centred, such as authors with their addresses, and no table. */
function areCentred(lines: readonly PageLine[]): boolean {
  const [first] = lines
  return first !== undefined && lines.every(({ x, right, size, parts }) => parts.length === 1 && Math.abs(x + right - first.x - first.right) < size * sameStart * 2)
}

/** The heights between which the text of columns stands: without rows over both at their start and end. */
function extentOf(left: readonly PageLine[], right: readonly PageLine[]): { readonly top: number; readonly bottom: number } {
  const full = new Set([...fullLines(left), ...fullLines(right)])
  const lines = [...left, ...right].sort((a, b) => b.y - a.y)
  const isFull = (line: PageLine): boolean => full.has(line)
  return { top: (lines[rowsAtStart(lines, left, isFull)]?.y ?? 0) + 1, bottom: (lines.at(-1 - rowsAtStart(lines.toReversed(), left, isFull))?.y ?? 0) - 1 }
}

/** The lines on both sides of an edge, when these are columns, and before them texts side by side. */
function columnsOf<Item extends Run>(stretch: Stretch<Item>, edge: number): Column<Item>[] {
  const sides = [pageLines(stretch.left), pageLines(stretch.right)] as const
  if (sides.some((lines) => lines.length > mostLines)) return []
  const { top, bottom } = extentOf(...sides)
  const isWithin = ({ y }: { readonly y: number }): boolean => y < top && y > bottom
  const [left, right] = [sides[0].filter(isWithin), sides[1].filter(isWithin)]
  const [one, other] = [widthOf(left), widthOf(right)]
  const last = left.at(-1)
  if (last === undefined || Math.min(one, other) < Math.max(one, other) * leastWidth || !isColumn(left) || !isColumn(right)) return []
  const atEdge = right.filter(({ x, size }) => x < edge + size * sameStart).length
  if (atEdge * 2 < right.length || areRows(left, right)) return []
  const above = sides.map((lines) => lines.filter(({ y }) => y >= top))
  const lastAbove = above[0]?.at(-1)
  const isBelow = ({ y, fontSize }: Item): boolean => y < top + fontSize / 2
  return [
    ...(lastAbove !== undefined && above.every(areCentred) ? [{ items: stretch.right.filter((item) => !isBelow(item)), last: lastAbove, seams: [], isLong: false }] : []),
    { items: stretch.right.filter((item) => isBelow(item) && item.y > bottom - item.fontSize / 2), last, seams: [...seamsOf(left, right), ...seamsOf(right, left)], isLong: Math.min(left.length, right.length) >= longColumn },
  ]
}

/** The second of two columns or texts, and the last line of the first. */
interface Column<Item> {
  readonly items: readonly Item[]
  readonly last: PageLine
  readonly seams: readonly string[]
  readonly isLong: boolean
}

/** A page in columns; `areLong`: they are so long that they are no cells of a table. */
export interface Columns<Item> extends Parted<Item> {
  readonly areLong: boolean
}

/**
 * Parts a page with two columns of running text of about the same width, of which the second goes on where the first ends, also
 * above and below what reaches over both. Null when there are none, or any doubt. `edges` are the lines that may be headers or
 * footers.
 */
export function columnRegions<Item extends Run>(items: readonly Item[], edges: Edges): Columns<Item> | null {
  const found = textsOf(items, edges)
  if (found === null) return null
  const { heads, others, body } = found
  for (const edge of edgesOf(others, body)) {
    const columns = stretchesOf(others, edge, body).flatMap((stretch) => columnsOf(stretch, edge))
    if (columns.length === 0) continue
    const own = new Set(columns.flatMap((column) => column.items))
    const asides = columns.map(({ items: second, last }) => ({ items: second, beside: last, isBefore: false, goesOn: true }))
    return { main: [...heads, ...others.filter((item) => !own.has(item))], asides, seams: columns.flatMap(({ seams }) => seams), areLong: columns.some(({ isLong }) => isLong) }
  }
  return null
}
