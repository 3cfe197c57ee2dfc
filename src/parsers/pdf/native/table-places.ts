import type { Placed } from '../page/placed.ts'

/** A page with more items than this has no table that is meant for reading. */
export const mostItems = 5_000
const mostRows = 500
const mostWords = 200
/** Most lines of a page that one row may cover. */
const mostLines = 40

/** Text runs that stand beside each other. */
export interface Line<Item extends Placed = Placed> {
  readonly y: number
  readonly items: readonly Item[]
  readonly words: readonly string[]
}

export interface Column {
  readonly left: number
  readonly right: number
}

/** Where the rows of a markdown table stand among the lines of its page. */
export interface PlacedTable {
  /** What each row says, without markup; null for the rule below the head. */
  readonly cells: readonly (readonly string[] | null)[]
  /** The lines that hold the words of each row and no others; null where none do. */
  readonly places: readonly (readonly [start: number, end: number] | null)[]
  /** Where the columns stand, as far as rows of one line show it in which each cell is one run. */
  readonly columns: readonly (Column | undefined)[]
  /** The same by rows in which cells may also be several runs: less certain, as the table may be none. */
  readonly spans: readonly (Column | undefined)[]
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')
const bare = (cell: string): string => wordsOf(cell.replace(/\*\*/g, '').replace(/<br>/g, ' ').replace(/\\([^\w\s])/g, '$1')).join(' ')
/** What the cells of a markdown row say, without markup. */
export const cellsOf = (row: string): string[] => row.replace(/^\|/, '').replace(/(?<!\\)\|\s*$/, '').split(/(?<!\\)\|/).map(bare)
/** Matches the rule below a table's head. */
export const ruled = /^\|[\s:|-]+\|?$/

/** The lines of a page from top to bottom, each across all columns. */
export function linesOf<Item extends Placed>(items: readonly Item[]): Line<Item>[] {
  const lines: { y: number; items: Item[] }[] = []
  for (const item of items.filter(({ itemType, text }) => itemType === 'Text' && text.trim() !== '').sort((a, b) => b.y - a.y || a.x - b.x)) {
    const last = lines.at(-1)
    if (last !== undefined && last.y - item.y < item.height / 3) last.items.push(item)
    else lines.push({ y: item.y, items: [item] })
  }
  return lines.map(({ y, items: row }) => {
    row.sort((a, b) => a.x - b.x)
    return { y, items: row, words: row.flatMap(({ text }) => wordsOf(text)) }
  })
}

/** The lines, from one on, that hold the words of a row and no others; null where there are none. */
function locate(lines: readonly Line[], cells: readonly string[], from: number): readonly [start: number, end: number] | null {
  const wanted = cells.flatMap(wordsOf)
  if (wanted.length > mostWords) return null
  const counts = new Map<string, number>()
  for (const word of wanted) counts.set(word, (counts.get(word) ?? 0) + 1)
  for (let start = from; start < lines.length; start++) {
    if (lines[start]?.words.every((word) => counts.has(word)) !== true) continue
    const left = new Map(counts)
    let count = 0
    for (let end = start; end < Math.min(lines.length, start + mostLines); end++) {
      const words = lines[end]?.words ?? []
      if (words.some((word) => !take(left, word))) break
      count += words.length
      if (count === wanted.length) return [start, end + 1]
    }
  }
  return null
}

function take(left: Map<string, number>, word: string): boolean {
  const count = left.get(word) ?? 0
  left.set(word, count - 1)
  return count > 0
}

/** Widens the columns of a table to a row whose every cell is one run, or so many runs in a row. */
function widen(columns: (Column | undefined)[], { items }: Line, cells: readonly string[]): void {
  const wanted = cells.flatMap((cell, at) => wordsOf(cell).map((word) => ({ word, at })))
  const found: (readonly [at: number, item: Placed])[] = []
  let done = 0
  for (const item of items) {
    const words = wordsOf(item.text)
    const own = wanted.slice(done, done + words.length)
    const at = own[0]?.at ?? 0
    if (own.length < words.length || own.some((one, i) => one.at !== at || one.word !== words[i])) return
    found.push([at, item])
    done += words.length
  }
  if (done < wanted.length) return
  for (const [at, { x, width }] of found) columns[at] = { left: Math.min(columns[at]?.left ?? x, x), right: Math.max(columns[at]?.right ?? x, x + width) }
}

function nearest(columns: readonly (Column | undefined)[], { x, width }: Placed): number {
  const away = columns.map((column) => (column === undefined ? Infinity : Math.max(0, column.left - x - width, x - column.right) * 1_000 + Math.abs((column.left + column.right) / 2 - x - width / 2)))
  return away.indexOf(Math.min(...away))
}

/** The texts of some lines by columns, as `count` cells. */
export function cellsFrom(lines: readonly Line[], columns: readonly (Column | undefined)[], count: number): string[] {
  const cells = Array.from({ length: count }, (): string[] => [])
  for (const { items } of lines) for (const item of items) cells[nearest(columns, item)]?.push(...wordsOf(item.text))
  return cells.map((words) => words.join(' '))
}

/** A markdown row of these texts. */
export const written = (row: readonly string[]): string => `|${row.map((cell) => cell.replace(/[|\\]/g, '\\$&')).join('|')}|`

/** Finds the rows of a table among the lines of its page. */
export function placedTable(rows: readonly string[], lines: readonly Line[]): PlacedTable {
  const cells = rows.map((row) => (ruled.test(row) ? null : cellsOf(row)))
  const columns: (Column | undefined)[] = []
  const spans: (Column | undefined)[] = []
  let from = 0
  const places = cells.map((row) => {
    const place = row === null ? null : locate(lines, row, from)
    if (place === null || row === null) return null
    from = place[1]
    const only = place[1] - place[0] === 1 ? lines[place[0]] : undefined
    if (only !== undefined) widen(spans, only, row)
    if (only?.items.length === row.filter((cell) => cell !== '').length) widen(columns, only, row)
    return place
  })
  return { cells, places, columns, spans }
}

/** A table's rows, the lines of its page, and the last two lines written before it; returns the lines to write. */
type Rewrite = (rows: readonly string[], lines: readonly Line[], before: string) => readonly string[]

/** Rewrites the tables of a page. A page with too many items or rows has none that is meant for reading, and stays. */
export function withTables(markdown: string, items: readonly Placed[], rewrite: Rewrite): string {
  const text = markdown.split('\n')
  const count = text.filter((line) => line.startsWith('|')).length
  if (items.length > mostItems || count === 0 || count > mostRows) return markdown
  const lines = linesOf(items)
  const done: string[] = []
  for (let at = 0; at < text.length; ) {
    let end = at
    while (text[end]?.startsWith('|') === true) end++
    if (end > at) done.push(...rewrite(text.slice(at, end), lines, done.slice(-2).join(' ')))
    else done.push(text[end++] ?? '')
    at = end
  }
  return done.join('\n')
}
