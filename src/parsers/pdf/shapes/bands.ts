import { type Placed, rightOf } from '../page/placed.ts'
import type { Shape } from './drawn-shapes.ts'
import { type Grid, isTable } from './grids.ts'
import { areTexts, isBold } from './side-texts.ts'
import { joined as joinedEdges, near, type Rule, type Rules } from './rules.ts'

/** The least gap between columns, as a multiple of the letter height: words of a line are closer. */
const columnGap = 0.6
/** Most lines of text between two lines of a table, and most lines of a cell. */
const [mostLines, mostInCell] = [60, 12]
/** The distance of baselines that are one line, that may be of one cell, and of rows, as multiples of the letter height. */
const [sameLine, sameCell, nextRow] = [0.5, 1.65, 3.5]
/** Most rows above the first line of a table, or below the last one. */
const mostBeyond = 3
/** Text of more letters than this is no cell where it stands beside text as long. */
const longCell = 150
/** What does not wrap: a number with its signs. */
const number = /^[^\p{L}]*\d[^\p{L}]*$/u

interface Column {
  readonly left: number
  readonly right: number
}

/** The texts of one line, by column. */
type TextLine<Item> = readonly (readonly Item[])[]


/** The edges of boxes with a colour behind rows, as lines. */
const edgesOf = (shapes: readonly Shape[]): Rule[] => shapes.filter(({ isRound, left, right, top, bottom }) => !isRound && top - bottom > 2 * near && right - left > 2 * near).flatMap(({ left, right, top, bottom }) => [{ at: top, from: left, to: right }, { at: bottom, from: left, to: right }])

/** Where columns stand: what no gap parts, through all lines. */
function columnsOf(items: readonly Placed[]): Column[] {
  const columns: { left: number; right: number }[] = []
  for (const item of items.toSorted((a, b) => a.x - b.x)) {
    const last = columns.at(-1)
    if (last !== undefined && item.x - last.right < item.height * columnGap) last.right = Math.max(last.right, rightOf(item))
    else columns.push({ left: item.x, right: rightOf(item) })
  }
  return columns
}

const byColumn = <Item extends Placed>(items: readonly Item[], columns: readonly Column[]): Item[][] => columns.map(({ left, right }) => items.filter(({ x }) => x >= left - 1 && x <= right))

/** The lines of some texts from top to bottom, each by columns. */
function linesOf<Item extends Placed>(items: readonly Item[], columns: readonly Column[]): TextLine<Item>[] {
  const lines: { y: number; own: Item[] }[] = []
  for (const item of items.toSorted((a, b) => b.y - a.y)) {
    const last = lines.at(-1)
    if (last !== undefined && last.y - item.y < item.height * sameLine) last.own.push(item)
    else lines.push({ y: item.y, own: [item] })
  }
  return lines.map(({ own }) => byColumn(own, columns))
}

/** Whether the first word of a text had no room in the line above it. */
function isFull(above: readonly Placed[], below: readonly Placed[], { right }: Column): boolean {
  const [first] = below
  const word = first?.text.trim().split(/\s/)[0] ?? ''
  const end = Math.max(...above.map(rightOf))
  return first !== undefined && above.length > 0 && end + (first.width * (word.length + 1)) / Math.max(1, first.text.length) > right - 0.5
}

const isNumber = (cell: readonly Placed[]): boolean => cell.length > 0 && number.test(cell.map(({ text }) => text).join(' '))

/** Whether a line goes on with cells of the one above it, in columns that all had no room for more. */
function goesOn<Item extends Placed>(above: TextLine<Item>, line: TextLine<Item>, columns: readonly Column[]): boolean {
  return columns.every((column, i) => (line[i] ?? []).length === 0 || (isFull(above[i] ?? [], line[i] ?? [], column) && !(isNumber(above[i] ?? []) && isNumber(line[i] ?? []))))
}

/** Joins lines to one row. */
const joined = <Item>(lines: readonly TextLine<Item>[], count: number): Item[][] => Array.from({ length: count }, (_, i) => lines.flatMap((line) => line[i] ?? []))

/** The rows of the lines between two lines of a table. */
function rowsOf<Item extends Placed>(lines: readonly TextLine<Item>[], columns: readonly Column[]): TextLine<Item>[][] {
  const rows: TextLine<Item>[][] = []
  for (const line of lines) {
    const above = rows.at(-1)?.at(-1)
    const isRest = above !== undefined && line.filter((cell) => cell.length > 0).length < columns.length && goesOn(above, line, columns)
    if (isRest) rows.at(-1)?.push(line)
    else rows.push([line])
  }
  return rows
}

/** Whether lines may be one row: numbers do not stand below each other, and not all of its cells have several lines. */
function mayBeRow<Item extends Placed>(lines: readonly TextLine<Item>[], columns: readonly Column[]): boolean {
  const cells = columns.map((_, i) => lines.map((line) => line[i] ?? []).filter((cell) => cell.length > 0))
  const isClose = cells.every((cell) => cell.length <= mostInCell && cell.filter(isNumber).length < 2)
  return isClose && (lines.length === 1 || cells.some((cell) => cell.length === 1) || cells.every((cell, i) => cell.slice(1).every((line, at) => isFull(cell[at] ?? [], line, columns[i] ?? { left: 0, right: 0 }))))
}

/** Whether most lines go on in all columns, as running text does. */
function areRunning<Item extends Placed>(lines: readonly TextLine<Item>[], columns: readonly Column[]): boolean {
  const rest = lines.slice(1).filter((line, i) => line.every((cell) => cell.length > 0) && goesOn(lines[i] ?? [], line, columns))
  return rest.length > 2 && rest.length * 2 > lines.length
}

/** The texts between two lines. */
type Band<Item> = readonly Item[]

/** The bands between lines of the same extent, in groups that follow one another and may be a table each. */
function groupsOf<Item extends Placed>(lines: readonly Rule[], items: readonly Item[]): Band<Item>[][] {
  const groups: Band<Item>[][] = []
  const [from = 0, to = 0] = [lines[0]?.from, lines[0]?.to]
  let isOpen = false
  for (const [i, { at: top }] of lines.slice(0, -1).entries()) {
    const bottom = lines[i + 1]?.at ?? top
    const between = items.filter(({ y, height }) => y + height / 3 < top && y + height / 3 > bottom)
    const own = between.filter((item) => item.x > from - near && rightOf(item) < to + near)
    const isTabular = own.length > 1 && own.length === between.filter((item) => rightOf(item) > from && item.x < to).length && columnsOf(own).length > 1 && own.length < mostLines * 20
    if (isTabular && isOpen) groups.at(-1)?.push(own)
    else if (isTabular) groups.push([own])
    isOpen = isTabular
  }
  return groups
}

/** Whether columns are still there, each for itself, among others. */
const keep = (columns: readonly Column[], others: readonly Column[]): boolean => columns.length === others.length && columns.every(({ left, right }, i) => left >= (others[i]?.left ?? Infinity) && right <= (others[i]?.right ?? 0))

/** The rows next to the outermost line of a table, above it (1) or below it (-1): a head may have no line above it, and the last row none below. */
function beyond<Item extends Placed>(bands: readonly Band<Item>[], texts: readonly Item[], way: 1 | -1): Band<Item>[] {
  const items = bands.flat()
  const columns = columnsOf(items)
  const edge = Math.max(...items.map(({ y }) => y * way))
  const away = ({ y }: Item): number => y * way - edge
  const outer = texts.filter((item) => away(item) > item.height * sameLine).toSorted((a, b) => away(a) - away(b))
  const found: Item[][] = []
  let last = edge
  for (let at = 0; at < outer.length && found.length <= mostBeyond; ) {
    const first = outer[at]
    if (first === undefined || first.y * way - last > first.height * nextRow) break
    const line = outer.slice(at).filter((item) => Math.abs(item.y - first.y) < first.height * sameLine)
    if (!keep(columns, columnsOf([...items, ...found.flat(), ...line]))) break
    if (found.length > 0 && first.y * way - last < first.height * sameCell) found.at(-1)?.push(...line)
    else found.push(line)
    last = first.y * way
    at += line.length
  }
  const end = found.findIndex((row) => columnsOf(row).length < 2)
  const rows = end < 0 ? found : found.slice(0, end)
  return rows.length > mostBeyond ? [] : way === 1 ? rows.reverse() : rows
}

/** Whether two rows are a head and values: two lines of a letterhead look like others. */
const areHeadAndValues = <Item extends Placed>([head = [], values = []]: readonly Item[][][]): boolean => head.some((cell, i) => !isNumber(cell) && isNumber(values[i] ?? [])) || (isBold(head.flat()) && !isBold(values.flat()))

function tableOf<Item extends Placed>(inner: readonly Band<Item>[], others: readonly Item[], left: number): Grid<Item> | null {
  const bands = [...beyond(inner, others, 1), ...inner, ...beyond(inner, others, -1)]
  const items = bands.flat()
  const columns = columnsOf(items)
  if (columns.length < 2 || bands.length < 2) return null
  const lines = bands.map((band) => linesOf(band, columns))
  if (lines.some((own) => own.length > mostLines || areRunning(own, columns))) return null
  const texts = inner.map((band) => byColumn(band, columns))
  if (inner.length > 1 && areTexts(texts)) return { left, items: inner.flat(), cells: texts, areTexts: true }
  const isByBand = bands.length > 2 && lines.every((own) => mayBeRow(own, columns))
  const rows = lines.flatMap((own, i) => (isByBand || (i === 0 && mayBeRow(own, columns)) ? [own] : rowsOf(own, columns)))
  const cells = rows.map((row) => joined(row, columns.length))
  const isLong = (cell: readonly Placed[]): boolean => cell.reduce((sum, { text }) => sum + text.length, 0) > longCell
  const areLong = cells.filter((row) => row.filter(isLong).length > 1).length * 2 >= cells.length
  const isClose = cells.every((row) => row.every((cell) => cell.length < mostInCell * 10)) && rows.every((row) => row.length <= mostInCell)
  return areLong || !isClose || !isTable(cells) ? null : { left, items, cells, areTexts: cells.length === 2 && !areHeadAndValues(cells) }
}

/** The tables of a page with lines between rows, or a colour behind rows, but no lines between columns; `taken` are other tables. */
export function bandsIn<Item extends Placed>({ across, upright }: Rules, shapes: readonly Shape[], { items, taken }: { readonly items: readonly Item[]; readonly taken: ReadonlySet<Item> }): Grid<Item>[] {
  const texts = items.filter((item) => item.itemType === 'Text' && item.text.trim() !== '' && !taken.has(item))
  const groups: Rule[][] = []
  for (const line of joinedEdges([...across, ...edgesOf(shapes)]).toSorted((a, b) => b.at - a.at)) {
    if (upright.some(({ at, from, to }) => at > line.from + near && at < line.to - near && line.at > from + near && line.at < to - near)) continue
    const own = groups.find(([first]) => first !== undefined && Math.abs(first.from - line.from) < near && Math.abs(first.to - line.to) < near)
    if (own === undefined) groups.push([line])
    else own.push(line)
  }
  const inner = groups.filter((group) => group.length > 2).flatMap((group) => groupsOf(group, texts).map((bands) => ({ bands, left: group[0]?.from ?? 0 })))
  const used = new Set(inner.flatMap(({ bands }) => bands.flat()))
  const done = new Set<Item>()
  // No text is in two tables.
  return inner.flatMap(({ bands, left }) => {
    const table = bands.flat().some((item) => done.has(item)) ? null : tableOf(bands, texts.filter((item) => !used.has(item)), left)
    for (const item of table?.items ?? []) [used, done].forEach((set) => set.add(item))
    return table ?? []
  })
}
