import type { Placed } from './anchors.ts'
import { lettersOf } from './page-letters.ts'
import { cellsOf, type Column, type Line, linesOf, locate, nearest, ruled, widened, wordsOf, written } from './parted-rows.ts'

/** A page of more is none of tables that somebody reads. */
const [mostItems, mostRows] = [5_000, 500]
/** Letters of a line that are no chance when a paragraph ends with them. */
const fewestLetters = 8
/** Words of running text that reach over columns, and points by which they do so at least. */
const [fewestWords, overlap] = [4, 2]
/** By the height of letters: words of one line stand closer, and paragraphs begin at one place. */
const [wordGap, sameStart] = [1.2, 1.5]

const rightOf = ({ x, width }: Placed): number => x + width
const startOf = ({ items }: Line): number => items[0]?.x ?? 0
const heightOf = ({ items }: Line): number => Math.max(...items.map(({ height }) => height))

/** Whether words follow each other without a gap between columns. */
function isRun(line: Line): boolean {
  return line.items.every((item, i) => i === 0 || item.x - rightOf(line.items[i - 1] ?? item) < heightOf(line) * wordGap)
}

/** Whether a line is running text that takes no notice of columns. */
function isProse(line: Line, columns: readonly Column[]): boolean {
  const [left, right] = [startOf(line), Math.max(...line.items.map(rightOf))]
  return line.words.length >= fewestWords && isRun(line) && columns.filter((column) => left < column.right - overlap && right > column.left + overlap).length > 1
}

/** From which of the lines on they are running text, up to the last of a paragraph, which may be short; their count where none is. */
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

/** A row of the lines that are left of it. */
function rowOf(lines: readonly Line[], columns: readonly (Column | undefined)[], count: number): string {
  const cells = Array.from({ length: count }, (): string[] => [])
  for (const { items } of lines) for (const item of items) cells[nearest(columns, item)]?.push(...wordsOf(item.text))
  return written(cells.map((words) => words.join(' ')))
}

/** A table without the running text below it that was drawn into its last rows, and that text. */
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

/** A table without the line above it that was drawn into its head, though it is in the paragraph there, too. */
function withoutSaidHead(table: readonly string[], before: string): readonly string[] {
  const [head = '', rule = '', first, ...rest] = table
  const cells = cellsOf(head).filter((cell) => cell !== '')
  const letters = lettersOf(cells[0] ?? '')
  const isSaid = cells.length === 1 && first !== undefined && rest.length > 0 && ruled.test(rule) && letters.length >= fewestLetters && lettersOf(before).endsWith(letters)
  return isSaid ? [first, rule, ...rest] : table
}

/** Takes paragraphs out of tables above them into whose rows the library drew them: what is not sure stays as it is. */
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
