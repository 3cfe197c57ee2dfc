import { lastOf } from '../../lib/last-of.ts'
import type { Element } from 'domhandler'
import { numberOf } from './dom.ts'
import { isHeader, type PlannedRow, type TablePlan } from './table-plan.ts'

const maxSpan = 1000
/** A repeated cell longer than this is written once and then left empty. */
const maxRepeated = 200

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

/** Writes a data table in the form of GitHub-flavoured markdown; spanning cells are repeated where they reach. Empty when every cell is. */
export function writeTable(plan: TablePlan): string {
  const rows = placeCells(plan).filter((row) => row.cells.some((cell) => cell.text !== ''))
  if (rows.length === 0) return ''
  const columns = usedColumns(rows)
  const budget = { repeats: 1000 + 4 * rows.reduce((sum, row) => sum + row.cells.length, 0) }
  const lines = rows.map((row) => spread(row, columns, budget))
  const head = headerRow(rows)
  const header = head ? (lines.shift() ?? []) : columns.map(() => '')
  const aligned = rows.find((row) => row.cells.some((cell) => cell.align !== '')) ?? rows[0]
  return [line(pad(header, columns.length)), line(alignments(aligned, columns)), ...lines.map((cells) => line(padSome(cells, columns.length, lines.length)))].join('\n')
}

/** Gives every cell its column: cells that hang down from rows above are in the way (HTML standard, 4.9.12). */
function placeCells(plan: TablePlan): GridRow[] {
  const rows: GridRow[] = []
  let hanging: Hanging[] = []
  let budget = 10_000 + 4 * plan.texts.size
  for (const row of plan.rows) {
    const placed = placeRow(row, plan, hanging)
    const open = hanging.filter((h) => h.rowsLeft > 0)
    for (const h of open) h.rowsLeft--
    const cells = placed.map((c) => c.cell)
    // Most tables have no cell that hangs down.
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

/** The columns in which some cell starts, in order; a column that is only spanned cannot be seen. */
function usedColumns(rows: readonly GridRow[]): number[] {
  const used = new Set<number>()
  for (const row of rows) for (const cell of row.cells) used.add(cell.column)
  return [...used].sort((a, b) => a - b)
}

/** A row as texts by column. What spans several is repeated; a cell as wide as the table is not. */
function spread(row: GridRow, columns: readonly number[], budget: { repeats: number }): string[] {
  const texts: string[] = []
  let at = 0
  for (const cell of row.cells) {
    while ((columns[at] ?? Number.POSITIVE_INFINITY) < cell.column) {
      texts.push('')
      at++
    }
    const start = at
    const whole = cell.column === columns[0] && cell.column + cell.width > (lastOf(columns) ?? 0)
    const end = cell.column + cell.width
    for (; at < columns.length && (columns[at] ?? 0) < end; at++) {
      const repeats = at > start && !whole && cell.text.length <= maxRepeated && budget.repeats > 0
      if (repeats) budget.repeats--
      if (at > start && !repeats && (budget.repeats <= 0 || lastOf(row.cells) === cell)) continue
      texts.push(at === start || repeats ? cell.text : '')
    }
  }
  return texts
}

/** The first row is the header, unless the header cells stand in the first column. */
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

/** Rows may be shorter than the header (GFM, 4.10): a large table is not filled up. */
function padSome(cells: readonly string[], length: number, rows: number): readonly string[] {
  return rows * length <= 5000 ? pad(cells, length) : cells
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`.replace(/ {2,}(?=\|)/g, ' ')
}
