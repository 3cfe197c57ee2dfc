import { lettersOf } from '../page/page-letters.ts'
import { type Placed, rightOf } from '../page/placed.ts'
import { cellsFrom, cellsOf, type Column, type Line, placedTable, ruled, withTables, written } from './table-places.ts'

/** A paragraph that ends with the same letters as a table head has at least this many in common with it. */
const fewestLetters = 8
/** A line of body text has at least this many words, and extends at least this many points into two columns. */
const [fewestWords, overlap] = [4, 2]
/** The widest gap between words, and the tolerance of a paragraph's left margin; multiples of the letter height. */
const [wordGap, sameStart] = [1.2, 1.5]
/** The least gap before the text of a column, as a multiple of the letter height: words of a line are closer, if not justified. */
const cellGap = 0.7
/** How far from the start of its column such a text starts at most, in points. */
const atStart = 1

const startOf = ({ items }: Line): number => items[0]?.x ?? 0
const heightOf = ({ items }: Line): number => Math.max(...items.map(({ height }) => height))

/** Whether a line has no gap as wide as a column gutter. */
function isRun(line: Line): boolean {
  return line.items.every((item, i) => i === 0 || item.x - rightOf(line.items[i - 1] ?? item) < heightOf(line) * wordGap)
}

/** Whether a line has texts that start where columns do, however close these are. */
function areCells({ items }: Line, columns: readonly Column[]): boolean {
  return items.some((item, i) => {
    const before = items[i - 1]
    return before !== undefined && item.x - rightOf(before) > item.height * cellGap && columns.some(({ left }) => Math.abs(item.x - left) < atStart)
  })
}

/** Whether a line is body text: it runs across the columns of the table. */
function isProse(line: Line, columns: readonly Column[]): boolean {
  if (areCells(line, columns)) return false
  const [left, right] = [startOf(line), Math.max(...line.items.map(rightOf))]
  return line.words.length >= fewestWords && isRun(line) && columns.filter((column) => left < column.right - overlap && right > column.left + overlap).length > 1
}

/**
 * The index from which on all lines are body text, or their number if none is. The last line of a paragraph may be short.
 */
function tailFrom(lines: readonly Line[], columns: readonly Column[]): number {
  let from = lines.length
  for (let i = lines.length - 1; i >= 0; i--) {
    const line = lines[i]
    if (line === undefined || !isRun(line)) break
    if (isProse(line, columns)) from = i
    else if (from < lines.length && i < from) break
  }
  const first = lines[from]
  const isOne = first !== undefined && lines.slice(from).every((line) => startOf(line) > startOf(first) - heightOf(first) * sameStart)
  return isOne ? from : lines.length
}

/** Separates a table from the paragraph below it that the library wrote into its last rows. */
function withoutTail(table: readonly string[], lines: readonly Line[]): { rows: readonly string[]; tail: string } {
  const { cells, places, columns } = placedTable(table, lines)
  const known = columns.filter((column) => column !== undefined)
  const rows = [...table]
  const tail: Line[] = []
  while (known.length > 1 && rows.length > 3) {
    const [place, row] = [places[rows.length - 1], cells[rows.length - 1]]
    if (place === null || place === undefined || row === null || row === undefined) break
    const own = lines.slice(place[0], place[1])
    const at = tailFrom(own, known)
    if (at === own.length) break
    tail.unshift(...own.slice(at))
    rows.pop()
    if (at > 0) {
      rows.push(written(cellsFrom(own.slice(0, at), columns, row.length)))
      break
    }
  }
  return { rows, tail: tail.map(({ items }) => items.map(({ text }) => text.trim()).join(' ')).join(' ') }
}

/** Removes a table head that only repeats the end of the paragraph above; the first row becomes the head. */
function withoutSaidHead(table: readonly string[], before: string): readonly string[] {
  const [head = '', rule = '', first, ...rest] = table
  const cells = cellsOf(head).filter((cell) => cell !== '')
  const letters = lettersOf(cells[0] ?? '')
  const isSaid = cells.length === 1 && first !== undefined && rest.length > 0 && ruled.test(rule) && letters.length >= fewestLetters && lettersOf(before).endsWith(letters)
  return isSaid ? [first, rule, ...rest] : table
}

/** Takes body text out of tables when the library wrote the paragraph below or above into their rows. Uncertain rows stay. */
export function withoutTableTails(markdown: string, items: readonly Placed[]): string {
  return withTables(markdown, items, (table, lines, before) => {
    const { rows, tail } = withoutTail(withoutSaidHead(table, before), lines)
    return tail === '' ? rows : [...rows, '', tail]
  })
}
