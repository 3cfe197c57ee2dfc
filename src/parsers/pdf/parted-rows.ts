import type { Placed } from './anchors.ts'

/** A page with more items than this has no table that is meant for reading. */
const mostItems = 5_000
const mostRows = 500
const mostWords = 200
/** Most lines of a page that one row may cover. */
const mostLines = 40
/** Lines closer than this share of the row distance belong to the same cell. */
const leastPitch = 0.8

/** Text runs that stand beside each other. */
export interface Line {
  readonly y: number
  readonly items: readonly Placed[]
  readonly words: readonly string[]
}

export interface Column {
  readonly left: number
  readonly right: number
}

export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')
const bare = (cell: string): string => wordsOf(cell.replace(/\*\*/g, '').replace(/<br>/g, ' ').replace(/\\([^\w\s])/g, '$1')).join(' ')
export const cellsOf = (row: string): string[] => row.replace(/^\|/, '').replace(/(?<!\\)\|\s*$/, '').split(/(?<!\\)\|/).map(bare)
const isNumber = (text: string): boolean => /^[-+−–(]?\s?[$€£¥]?\s?\d[\d.,'’]*\s?[%€$£¥)]{0,2}$/.test(text)
export const ruled = /^\|[\s:|-]+\|?$/

export function linesOf(items: readonly Placed[]): Line[] {
  const lines: { y: number; items: Placed[] }[] = []
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
export function locate(lines: readonly Line[], cells: readonly string[], from: number): readonly [start: number, end: number] | null {
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

/** Where the columns of a table stand, by a row whose every cell is one run. */
export function widened(columns: (Column | undefined)[], { items }: Line, cells: readonly string[]): void {
  const filled = cells.flatMap((cell, i) => (cell === '' ? [] : [i]))
  if (items.length !== filled.length || !items.every(({ text }, i) => wordsOf(text).join(' ') === cells[filled[i] ?? -1])) return
  items.forEach(({ x, width }, i) => {
    const at = filled[i] ?? 0
    const known = columns[at]
    columns[at] = { left: Math.min(known?.left ?? x, x), right: Math.max(known?.right ?? x, x + width) }
  })
}

export function nearest(columns: readonly (Column | undefined)[], { x, width }: Placed): number {
  const away = columns.map((column) => (column === undefined ? Infinity : Math.max(0, column.left - x - width, x - column.right) * 1_000 + Math.abs((column.left + column.right) / 2 - x - width / 2)))
  return away.indexOf(Math.min(...away))
}

/** Splits a markdown row by the lines it was made from; null when these are one row, or when it is not certain. */
function parted(lines: readonly Line[], cells: readonly string[], columns: readonly (Column | undefined)[]): string[][] | null {
  const rows = lines.map(({ items }) => {
    const row = cells.map((): string[] => [])
    for (const item of items) row[nearest(columns, item)]?.push(...wordsOf(item.text))
    return row.map((words) => words.join(' '))
  })
  if (!cells.every((cell, i) => rows.map((row) => row[i] ?? '').filter((text) => text !== '').join(' ') === cell)) return null
  // Numbers do not wrap: a number below another, or beside a label of its own, starts a row.
  const own = rows.every((row, i) => row.some((text, at) => at > 0 && isNumber(text) && (row[0] !== '' || rows.slice(0, i).some((above) => isNumber(above[at] ?? '')))))
  return own ? rows : null
}

export const written = (row: readonly string[]): string => `|${row.map((cell) => cell.replace(/[|\\]/g, '\\$&')).join('|')}|`

function withParted(table: readonly string[], lines: readonly Line[]): readonly string[] {
  const rows = table.map((row) => (ruled.test(row) ? null : cellsOf(row)))
  const columns: (Column | undefined)[] = []
  let from = 0
  const places = rows.map((cells) => {
    const place = cells === null ? null : locate(lines, cells, from)
    if (place === null || cells === null) return null
    from = place[1]
    const only = place[1] - place[0] === 1 ? lines[place[0]] : undefined
    if (only !== undefined) widened(columns, only, cells)
    return place
  })
  const yOf = (line: number): number => lines[line]?.y ?? 0
  const pitches = places.flatMap((place, i) => {
    const before = places.slice(0, i).findLast((one) => one !== null)
    return place === null || before === null || before === undefined || before[1] !== place[0] ? [] : [yOf(before[1] - 1) - yOf(place[0])]
  })
  const pitch = Math.min(...pitches) * leastPitch
  return table.flatMap((row, i) => {
    const [start, end] = places[i] ?? [0, 0]
    // The first row is the head, whose lines belong together.
    if (i === 0 || end - start < 2) return [row]
    const own = lines.slice(start, end)
    const isClose = own.some(({ y }, j) => j > 0 && yOf(start + j - 1) - y < pitch)
    const made = isClose ? null : parted(own, rows[i] ?? [], columns)
    return made === null ? [row] : made.map(written)
  })
}

/** Splits table rows that the library merged because some of their cells are empty. Uncertain rows stay as they are. */
export function withPartedRows(markdown: string, items: readonly Placed[]): string {
  const text = markdown.split('\n')
  const count = text.filter((line) => line.startsWith('|')).length
  if (items.length > mostItems || count === 0 || count > mostRows) return markdown
  const lines = linesOf(items)
  const done: string[] = []
  for (let at = 0; at < text.length; ) {
    let end = at
    while (text[end]?.startsWith('|') === true) end++
    const table = text.slice(at, end)
    if (table.length > 0) done.push(...withParted(table, lines))
    else done.push(text[end++] ?? '')
    at = end
  }
  return done.join('\n')
}
