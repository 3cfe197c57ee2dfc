import type { Placed } from './anchors.ts'
import { lettersOf } from './page-letters.ts'
import { cellsOf, type Column, type Line, linesOf, locate, nearest, ruled, widened, wordsOf, written } from './parted-rows.ts'

/** Pages with more items or table rows are not searched: they have no table that is meant for reading. */
const [mostItems, mostRows] = [5_000, 500]
/** A paragraph that ends with the same letters as a table head has at least this many in common with it. */
const fewestLetters = 8
/** A line of body text has at least this many words, and extends at least this many points into two columns. */
const [fewestWords, overlap] = [4, 2]
/** The widest gap between words, and the tolerance of a paragraph's left margin; multiples of the letter height. */
const [wordGap, sameStart] = [1.2, 1.5]

const rightOf = ({ x, width }: Placed): number => x + width
const startOf = ({ items }: Line): number => items[0]?.x ?? 0
const heightOf = ({ items }: Line): number => Math.max(...items.map(({ height }) => height))

/** Whether a line has no gap as wide as a column gutter. */
function isRun(line: Line): boolean {
  return line.items.every((item, i) => i === 0 || item.x - rightOf(line.items[i - 1] ?? item) < heightOf(line) * wordGap)
}

/** Whether a line is body text: it runs across the columns of the table. */
function isProse(line: Line, columns: readonly Column[]): boolean {
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

/** Writes a table row from its lines. */
function rowOf(lines: readonly Line[], columns: readonly (Column | undefined)[], count: number): string {
  const cells = Array.from({ length: count }, (): string[] => [])
  for (const { items } of lines) for (const item of items) cells[nearest(columns, item)]?.push(...wordsOf(item.text))
  return written(cells.map((words) => words.join(' ')))
}

/** Separates a table from the paragraph below it that the library wrote into its last rows. */
function withoutTail(table: readonly string[], lines: readonly Line[]): { rows: readonly string[]; tail: string } {
  const cells = table.map((row) => (ruled.test(row) ? null : cellsOf(row)))
  const columns: (Column | undefined)[] = []
  let from = 0
  const places = cells.map((row) => {
    const place = row === null ? null : locate(lines, row, from)
    if (place === null || row === null) return null
    from = place[1]
    const only = place[1] - place[0] === 1 ? lines[place[0]] : undefined
    if (only !== undefined) widened(columns, only, row)
    return place
  })
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
      rows.push(rowOf(own.slice(0, at), columns, row.length))
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
  const text = markdown.split('\n')
  const count = text.filter((line) => line.startsWith('|')).length
  if (items.length > mostItems || count === 0 || count > mostRows) return markdown
  const lines = linesOf(items)
  const done: string[] = []
  for (let at = 0; at < text.length; ) {
    let end = at
    while (text[end]?.startsWith('|') === true) end++
    if (end === at) {
      done.push(text[at] ?? '')
      at++
      continue
    }
    const { rows, tail } = withoutTail(withoutSaidHead(text.slice(at, end), done.slice(-2).join(' ')), lines)
    done.push(...rows, ...(tail === '' ? [] : ['', tail]))
    at = end
  }
  return done.join('\n')
}
