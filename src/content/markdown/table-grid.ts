import type { Element } from 'domhandler'
import { classesOf, numberOf } from './dom.ts'
import { isHeader, type PlannedRow, type TablePlan } from './table-plan.ts'

const maxSpan = 1000
/** Longest text of a spanning cell that is repeated in every column, in characters; longer ones are written once. */
const maxRepeated = 200

/** In tables with more places than this, what stands behind a wide cell may move to the left. */
const mostPlaces = 200_000

interface Cell {
  readonly column: number
  readonly width: number
  readonly text: string
  readonly header: boolean
  readonly align: string
}

interface Hanging {
  readonly cell: Cell
  rowsLeft: number
}

interface GridRow {
  readonly cells: readonly Cell[]
  readonly head: boolean
}

/**
 * Writes a data table as a GitHub-flavoured markdown table. A spanning cell is repeated in every row and column that it
 * covers. Returns '' when all cells are empty.
 */
export function writeTable(plan: TablePlan): string {
  const rows = placeCells(plan).filter((row) => row.cells.some((cell) => cell.text !== ''))
  if (rows.length === 0) return ''
  const columns = usedColumns(rows)
  // Beside each version of a text is a column for the signs of its changes, which its heading does not name.
  const longest = classesOf(plan.table).includes(' diff ') ? 0 : maxRepeated
  const budget = { longest, isLarge: rows.length * columns.length > mostPlaces, repeats: 1000 + 4 * rows.reduce((sum, row) => sum + row.cells.length, 0) }
  const lines = rows.map((row) => spread(row, columns, budget))
  const head = headerRow(rows)
  const header = head ? (lines.shift() ?? []) : columns.map(() => '')
  const aligned = rows.find((row) => row.cells.some((cell) => cell.align !== '')) ?? rows[0]
  return [tableLine(pad(header, columns.length)), tableLine(alignments(aligned, columns)), ...lines.map((cells) => tableLine(padSome(cells, columns.length, lines.length)))].join('\n')
}

/** Assigns columns to cells; cells that span down from earlier rows occupy theirs (HTML standard, 4.9.12). */
function placeCells(plan: TablePlan): GridRow[] {
  const rows: GridRow[] = []
  let hanging: Hanging[] = []
  let budget = 10_000 + 4 * plan.texts.size
  for (const row of plan.rows) {
    const placed = placeRow(row, plan, hanging)
    const open = hanging.filter((h) => h.rowsLeft > 0)
    for (const h of open) h.rowsLeft--
    const cells = placed.map((c) => c.cell)
    // Most tables have no cell that spans several rows.
    rows.push({ head: row.head, cells: open.length === 0 ? cells : [...open.map((h) => h.cell), ...cells].sort((a, b) => a.column - b.column) })
    budget -= open.length
    hanging = budget > 0 ? [...open, ...placed].filter((h) => h.rowsLeft > 0) : []
  }
  return rows
}

function placeRow(row: PlannedRow, plan: TablePlan, hanging: readonly Hanging[]): Hanging[] {
  const taken = hanging.filter((h) => h.rowsLeft > 0).sort((a, b) => a.cell.column - b.cell.column)
  const placed: Hanging[] = []
  let column = 0
  let next = 0
  for (const element of row.cells) {
    for (let t = taken[next]; t && t.cell.column <= column; t = taken[++next]) column = Math.max(column, t.cell.column + t.cell.width)
    const width = span(element, 'colspan')
    const free = (taken[next]?.cell.column ?? Number.POSITIVE_INFINITY) - column
    const cell: Cell = {
      column,
      width: Math.min(width, free),
      text: plan.texts.get(element) ?? '',
      header: isHeader(element),
      align: alignOf(element),
    }
    placed.push({ cell, rowsLeft: rowsBelow(element) })
    column += cell.width
  }
  return placed
}

function span(element: Element, name: string): number {
  return numberOf(element.attribs[name], { min: 1, max: maxSpan, otherwise: 1 })
}

function rowsBelow(element: Element): number {
  return numberOf(element.attribs['rowspan'], { min: 0, max: maxSpan, otherwise: 1 }) === 0 ? maxSpan : span(element, 'rowspan') - 1
}

function alignOf(element: Element): string {
  const value = element.attribs['align'] ?? /text-align\s*:\s*(\w+)/i.exec((element.attribs['style'] ?? '').slice(0, 500))?.[1] ?? ''
  return value.toLowerCase()
}

/** The columns in which a cell starts, in order; a column that is only spanned has no content of its own. */
function usedColumns(rows: readonly GridRow[]): number[] {
  const used = new Set<number>()
  for (const row of rows) for (const cell of row.cells) used.add(cell.column)
  return [...used].sort((a, b) => a - b)
}

/** The texts of a row by column. A spanning cell is repeated, unless it is as wide as the table. */
function spread(row: GridRow, columns: readonly number[], budget: { readonly longest: number; readonly isLarge: boolean; repeats: number }): string[] {
  const texts: string[] = []
  let at = 0
  for (const cell of row.cells) {
    while ((columns[at] ?? Number.POSITIVE_INFINITY) < cell.column) {
      texts.push('')
      at++
    }
    const start = at
    const whole = cell.column === columns[0] && cell.column + cell.width > (columns.at(-1) ?? 0)
    const end = cell.column + cell.width
    for (; at < columns.length && (columns[at] ?? 0) < end; at++) {
      const repeats = at > start && !whole && cell.text.length <= budget.longest && budget.repeats > 0
      if (repeats) budget.repeats--
      if (at > start && !repeats && ((budget.isLarge && budget.repeats <= 0) || row.cells.at(-1) === cell)) continue
      texts.push(at === start || repeats ? cell.text : '')
    }
  }
  return texts
}

/** Whether the first row is the header: not when only the first column holds header cells. */
function headerRow(rows: readonly GridRow[]): boolean {
  const first = rows[0]
  if (!first || rows.length === 1) return first !== undefined && first.cells.some((cell) => cell.header)
  if (first.head || first.cells.every((cell) => cell.header)) return true
  const keyed = rows.every((row) => row.cells[0]?.header === true)
  return !keyed || first.cells.slice(1).some((cell) => cell.header)
}

function alignments(row: GridRow | undefined, columns: readonly number[]): string[] {
  return columns.map((column) => {
    const align = row?.cells.find((cell) => column >= cell.column && column < cell.column + cell.width)?.align
    return align === 'right' ? '---:' : align === 'center' || align === 'middle' ? ':---:' : '---'
  })
}

function pad(cells: readonly string[], length: number): readonly string[] {
  return cells.length >= length ? cells : [...cells, ...Array.from({ length: length - cells.length }, () => '')]
}

/** Fills short rows, but not those of a large table: rows may be shorter than the header (GFM, 4.10). */
function padSome(cells: readonly string[], length: number, rows: number): readonly string[] {
  return rows * length <= 5000 ? pad(cells, length) : cells
}

/** The row of a table, with these cells. */
export function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`.replace(/ {2,}(?=\|)/g, ' ')
}
