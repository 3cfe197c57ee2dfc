import { type Block, blocksOf, toMarkdown } from '../blocks.ts'
import { lettersOf, PageLetters } from '../page/page-letters.ts'
import { type Placed, rightOf } from '../page/placed.ts'
import { cellsFrom, type Column, type Line, linesOf, mostItems, placedTable, ruled, written } from './table-places.ts'

/** Most lines of a table: each further one costs a look at all of them. */
const mostLines = 300
/** The least gap between columns, and the least distance of lines in a cell; multiples of the letter height. */
const [columnGap, leastStep] = [0.45, 0.9]
/** Lines of a cell are at most this far apart, and rows at least; multiples of the smallest distance of lines in a column. */
const [sameRow, nextRow] = [1.03, 1.12]
/** Tolerance of where a cell is in its row, as a multiple of the letter height. */
const sameHeight = 0.25

/** The largest distance of lines in a cell, as a multiple of the letter height. */
const mostLeading = 1.7
const noLine: Line = { y: 0, items: [], words: [] }

type Range = readonly [from: number, to: number]
type Step = readonly [above: Placed, below: Placed]

const noLetters = /^[^\p{L}]*\d[^\p{L}]*$/u

/** Where columns stand: what no gap parts, through all lines. */
function columnsOf(lines: readonly Line[]): Column[] {
  const columns: { left: number; right: number }[] = []
  for (const item of lines.flatMap(({ items }) => items).sort((a, b) => a.x - b.x)) {
    const last = columns.at(-1)
    if (last !== undefined && item.x - last.right < item.height * columnGap) last.right = Math.max(last.right, rightOf(item))
    else columns.push({ left: item.x, right: rightOf(item) })
  }
  return columns
}

const isIn = (item: Placed, { left, right }: Column): boolean => item.x > left - 1 && rightOf(item) < right + 1

/** Whether a line has text in several columns, and each text within one. */
function fits({ items }: Line, columns: readonly Column[]): boolean {
  const own = items.map((item) => columns.findIndex((column) => isIn(item, column)))
  return !own.includes(-1) && new Set(own).size > 1
}

/** The texts of a column, from top to bottom, as the first of each line. */
const linesIn = (lines: readonly Line[], column: Column): Placed[] => lines.flatMap(({ items }) => items.find((item) => isIn(item, column)) ?? [])

const stepsOf = (own: readonly Placed[]): Step[] => own.slice(1).map((item, i) => [own[i] ?? item, item])

/** The distances of the lines of each column. */
const stepsIn = (lines: readonly Line[], columns: readonly Column[]): number[] => columns.flatMap((column) => stepsOf(linesIn(lines, column)).map(([above, below]) => above.y - below.y))

/** Whether the text of a line had no room for the first word of the next. */
function isFull([above, below]: Step, { left, right }: Column): boolean {
  const word = below.text.trim().split(/\s/)[0] ?? ''
  return above.width + (below.width * (word.length + 1)) / Math.max(1, below.text.length) > right - left
}

/** Whether lines are one row whose cells start at the same height, or are centred at the same height. */
function isRow(lines: readonly Line[], columns: readonly Column[], from: 'top' | 'middle'): boolean {
  const heightOf = (own: readonly Placed[]): number => ((own[0]?.y ?? 0) + (from === 'top' ? (own[0]?.y ?? 0) : (own.at(-1)?.y ?? 0))) / 2
  const whole = heightOf(lines.flatMap(({ items }) => items[0] ?? []))
  const cells = columns.map((column) => linesIn(lines, column))
  const areLevel = cells.every((own) => own[0] === undefined || Math.abs(heightOf(own) - whole) < own[0].height * sameHeight)
  // What has several lines in each column may be several rows.
  const isOne = hasOneLine(lines, columns) || cells.every((own, i) => stepsOf(own).every((step) => isFull(step, columns[i] ?? { left: 0, right: 0 })))
  return areLevel && isOne && cells.every((own) => own.filter(({ text }) => noLetters.test(text)).length < 2)
}

/** Whether one of the cells of a row has one line. */
const hasOneLine = (lines: readonly Line[], columns: readonly Column[]): boolean => columns.some((column) => linesIn(lines, column).length === 1)

/** The lines of a table by rows, where the distances leave no doubt; null otherwise. */
function rowsOf(lines: readonly Line[], columns: readonly Column[]): Line[][] | null {
  const steps = columns.flatMap((column) => stepsOf(linesIn(lines, column)))
  const leading = Math.min(...stepsIn(lines, columns))
  if (steps.some(([above, below]) => above.y - below.y < below.height * leastStep) || steps.every(([above, below]) => above.y - below.y > below.height * mostLeading)) return null
  const rows: Line[][] = []
  for (const line of lines) {
    const above = rows.at(-1)?.at(-1)
    const away = above === undefined ? Infinity : above.y - line.y
    if (away > leading * sameRow && away < leading * nextRow) return null
    if (away > leading * sameRow) rows.push([line])
    else rows.at(-1)?.push(line)
  }
  const [head = [], ...others] = rows
  const areRows = (some: readonly Line[][]): boolean => (['top', 'middle'] as const).some((from) => some.every((row) => row.length === 1 || isRow(row, columns, from)))
  const isCertain = rows.length > 1 && rows.some((row) => row.length > 1 && hasOneLine(row, columns))
  return isCertain && areRows([head]) && areRows(others) ? rows : null
}

/** The lines of a table, with those above and below that have its columns and are as close as its rows. */
function extended([from, to]: Range, lines: readonly Line[]): Range {
  const count = columnsOf(lines.slice(from, to)).length
  const away = (at: number): number => (lines[at - 1]?.y ?? Infinity) - (lines[at]?.y ?? -Infinity)
  const farthest = Math.max(...lines.slice(from + 1, to).map((_, i) => away(from + 1 + i))) * sameRow
  const keeps = (first: number, last: number): boolean => last - first <= mostLines && columnsOf(lines.slice(first, last)).length === count
  let [first, last] = [from, to]
  while (first > 0 && away(first) <= farthest && keeps(first - 1, last)) first--
  while (last < lines.length && away(last) <= farthest && keeps(first, last + 1)) last++
  const columns = columnsOf(lines.slice(first, last))
  // The outermost line has several cells, or is as close to the next one as the lines of a cell.
  const leading = Math.min(...stepsIn(lines.slice(first, last), columns))
  const isRest = (at: number, next: number): boolean => !fits(lines[at] ?? noLine, columns) && away(Math.max(at, next)) > leading * sameRow
  while (first < from && isRest(first, first + 1)) first++
  while (last > to && isRest(last - 1, last - 2)) last--
  return [first, last]
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const letter of lettersOf(text)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return counts
}

/** Removes the letters of a text from counted ones; null when these lack some. */
function less(counts: ReadonlyMap<string, number>, text: string): Map<string, number> | null {
  const left = new Map(counts)
  for (const [letter, count] of countsOf(text)) {
    const rest = (left.get(letter) ?? 0) - count
    if (rest < 0) return null
    if (rest === 0) left.delete(letter)
    else left.set(letter, rest)
  }
  return left
}

const textOf = (block: Block | undefined): string => (block === undefined || (block.kind !== 'text' && block.kind !== 'heading') ? '' : block.lines.join(' '))

/** A table written anew, and what is left of the blocks around it, whose text may belong to its cells. */
interface Rebuilt {
  readonly before: readonly Block[]
  readonly table: Block
  readonly after: readonly Block[]
}

/** What is left of the blocks around a table when it has these letters more than it had; null when they are not theirs. */
function around(extra: ReadonlyMap<string, number>, before: Block | undefined, after: readonly Block[]): Pick<Rebuilt, 'before' | 'after'> | null {
  const said = textOf(before)
  const rest = lettersOf(said) === '' ? null : less(extra, said)
  const kept = rest === null && before !== undefined ? [before] : []
  let left = rest ?? extra
  const others = [...after]
  while (left.size > 0) {
    const [next] = others
    const letters = new PageLetters(next === undefined ? [] : [next])
    const count = [...left.values()].reduce((sum, one) => sum + one, 0)
    const head = letters.text.slice(0, count)
    const fewer = head === '' ? null : less(left, head)
    if (fewer === null) return null
    left = fewer
    others.splice(0, 1, ...(head.length === letters.text.length ? [] : letters.without([{ start: 0, end: head.length }], false)))
  }
  return { before: kept, after: others }
}

function rebuilt(before: Block | undefined, table: Block, after: readonly Block[], lines: readonly Line[]): Rebuilt | null {
  const { cells, places } = placedTable(table.lines, lines)
  const found = places.filter((place) => place !== null)
  const [known, end] = [found[0]?.[0] ?? 0, found.at(-1)?.[1] ?? 0]
  if (end - known < 3 || end - known > mostLines) return null
  const own = lines.slice(...extended([known, end], lines))
  const columns = columnsOf(own)
  const rows = columns.length < 2 ? null : rowsOf(own, columns)
  if (rows === null) return null
  const made = rows.map((row) => cellsFrom(row, columns, columns.length))
  const had = cells.filter((row) => row !== null)
  const count = Math.max(...had.map((row) => row.findLastIndex((cell) => cell !== '') + 1))
  if (columns.length < count || (columns.length > count && made[0]?.includes('') === true)) return null
  // A row of one cell, and that not the first, may be a paragraph of the cell above.
  if (made.slice(1).some((row) => row[0] === '' && row.filter((cell) => cell !== '').length < 2)) return null
  const extra = less(countsOf(own.flatMap(({ words }) => words).join('')), had.flat().join(''))
  const rest = extra === null ? null : around(extra, before, after)
  if (rest === null || (extra?.size === 0 && had.map(written).join('\n') === made.map(written).join('\n'))) return null
  const [head = [], ...others] = made.map(written)
  return { ...rest, table: { kind: 'table', lines: [head, `|${columns.map(() => '---|').join('')}`, ...others].flat() } }
}

/**
 * Writes tables anew by the distances of their lines, where these show the rows: lines of a cell are close to each other,
 * rows are further apart. The library joins rows beside a cell of several lines, takes a line of a cell for a row, and leaves
 * the last line of a cell to the paragraph below. Tables with any doubt stay as they are.
 */
export function withSpacedRows(markdown: string, items: readonly Placed[]): string {
  if (items.length > mostItems || !markdown.split('\n').some((line) => ruled.test(line))) return markdown
  const lines = linesOf(items)
  const blocks = blocksOf(markdown)
  let isChanged = false
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at]
    if (block?.kind !== 'table' || block.lines.length > mostLines) continue
    const made = rebuilt(blocks[at - 1], block, blocks.slice(at + 1, at + 3), lines)
    if (made === null) continue
    blocks.splice(Math.max(0, at - 1), (at === 0 ? 1 : 2) + Math.min(2, blocks.length - at - 1), ...made.before, made.table, ...made.after)
    at = blocks.indexOf(made.table)
    isChanged = true
  }
  return isChanged ? toMarkdown(blocks) : markdown
}
