import type { CellObject, Range } from '@e965/xlsx'
import { type Cell, escapeHtml, link, table } from './html.ts'
import { addressOf } from './sheet-links.ts'
import { type NumberFormat, shownValue } from './sheet-values.ts'

/** Rows and columns beyond these are counted but not written. */
const maxRows = 5_000
const maxColumns = 200
/** How many rows beyond the limit are read, so that empty rows between two parts of a table are not taken for its end. */
const rowsBeyond = 500
export const rowsRead = maxRows + rowsBeyond
/** Limit of the cells of all ranges of a table that are displayed as one. */
const maxMerged = 1_000_000
/** Limit of the cells in all tables of a workbook. */
const maxCells = 200_000

/** A cell as the library tells it, or with what it displays. */
export type SheetCell = CellObject & { readonly html?: string }

type Row = readonly (SheetCell | undefined)[]

/** The rows and columns of a table that its program does not display, by their numbers from 0. */
export interface Hidden {
  readonly rows: ReadonlySet<number>
  readonly columns: ReadonlySet<number>
}

/** A table of a workbook. */
export interface SheetTable extends Hidden {
  readonly name: string
  readonly hidden: boolean
  readonly data: readonly (Row | undefined)[]
  readonly merges: readonly Range[]
  /** Whether the file holds more of it than was read. */
  readonly more: boolean
}

/** The rows and columns of a table that are written, by their numbers from 0. */
interface Shown {
  readonly rows: readonly number[]
  readonly columns: readonly number[]
}

/** What is said of what lies over the cells of a workbook. */
export const drawingsLeft = (count: number): readonly string[] => (count === 0 ? [] : [`Charts, pictures and text boxes of tables are left out (${count}).`])

/** Writes the visible tables of a workbook, without hidden rows and columns; `warnings` tell what is left out, `cut` holds the tables of which it is the end. */
export function tablesHtml(tables: readonly SheetTable[], numbers?: NumberFormat): { readonly html: string; readonly warnings: readonly string[]; readonly cut: ReadonlySet<SheetTable> } {
  const shown = tables.filter((one) => !one.hidden)
  const hidden = tables.length - shown.length
  const warnings = hidden === 0 ? [] : [`Hidden tables are left out (${hidden}).`]
  const cut = new Set<SheetTable>()
  let left = maxCells
  let unseen = 0
  const texts = shown.map((one) => {
    const written = tableHtml(one, { left, numbers })
    left -= written.cells
    unseen += written.unseen
    if (written.cut) cut.add(one)
    if (written.cut) warnings.push(`The table ${JSON.stringify(one.name.slice(0, 100))} is longer or wider than is returned; its end is missing.`)
    // The default name of a single table says nothing.
    return shown.length === 1 && /^(?:Sheet|Tabelle|Feuil|Hoja|Foglio|Лист)\s?1$/.test(one.name) ? written.html : `<h2>${escapeHtml(one.name)}</h2>\n${written.html}`
  })
  if (unseen > 0) warnings.push(`Hidden rows and columns are left out (${unseen}).`)
  return { html: texts.join('\n'), warnings, cut }
}

const isBlank = (cell: SheetCell | undefined): boolean => cell === undefined || (cell.t === 'z' ? cell.f === undefined : cell.v === undefined || String(cell.v).trim() === '')

/** The rows and columns of a table up to the last that has content, whatever the file claims, in two parts. */
function partsOf(data: readonly (Row | undefined)[], hidden: Hidden): { readonly shown: Shown; readonly unseen: number } {
  const filled = data.map((row) => row?.findLastIndex((cell) => !isBlank(cell)) ?? -1)
  const rows = [...Array(filled.findLastIndex((last) => last >= 0) + 1).keys()]
  const columns = [...Array(filled.reduce((most, last) => Math.max(most, last), -1) + 1).keys()]
  const unseenRows = rows.filter((r) => hidden.rows.has(r) && (filled[r] ?? -1) >= 0)
  const unseenColumns = columns.filter((c) => hidden.columns.has(c) && data.some((row) => !isBlank(row?.[c])))
  return { shown: { rows: rows.filter((r) => !hidden.rows.has(r)), columns: columns.filter((c) => !hidden.columns.has(c)) }, unseen: unseenRows.length + unseenColumns.length }
}

function tableHtml(sheet: SheetTable, { left, numbers }: { readonly left: number; readonly numbers: NumberFormat | undefined }): { html: string; cells: number; cut: boolean; unseen: number } {
  const { data } = sheet
  const { shown, unseen } = partsOf(data, sheet)
  const columns = shown.columns.slice(0, maxColumns)
  const rows = shown.rows.slice(0, Math.min(maxRows, columns.length === 0 ? 0 : Math.floor(left / columns.length)))
  const all = mergesOf(sheet, { rows, columns })
  const htmlAt = (r: number, c: number, merged: typeof all): string => {
    const { r: top, c: first } = merged.get(`${r}:${c}`)?.from ?? { r, c }
    return cellHtml(data[top]?.[first], data, numbers)
  }
  // Empty rows separate tables within a sheet, and are dropped: cells that span them are as much shorter.
  const filled = rows.filter((r) => columns.some((c) => all.get(`${r}:${c}`) !== null && htmlAt(r, c, all) !== ''))
  const merged = filled.length === rows.length ? all : mergesOf(sheet, { rows: filled, columns })
  const lines = filled.map((r) => columns.flatMap((c): Cell[] => {
    const merge = merged.get(`${r}:${c}`)
    return merge === null ? [] : [{ html: htmlAt(r, c, merged), ...merge?.span }]
  }))
  const cut = sheet.more || (columns.length > 0 && rows.length < shown.rows.length) || columns.length < shown.columns.length
  return { html: table(lines, 1), cells: rows.length * columns.length, cut, unseen }
}

/** A range of cells that are displayed as one: that of its first cell, which may be hidden. */
interface Merge {
  readonly from: { readonly r: number; readonly c: number }
  readonly span: Pick<Cell, 'rows' | 'columns'>
}

/** What each merged cell stands for: the first that is shown for the whole range, the others (null) for nothing. */
function mergesOf(sheet: SheetTable, shown: Shown): ReadonlyMap<string, Merge | null> {
  const found = new Map<string, Merge | null>()
  const [isRow, isColumn] = [new Set(shown.rows), new Set(shown.columns)]
  const within = (from: number, to: number, all: ReadonlySet<number>): readonly number[] => [...Array(Math.max(0, to - from + 1)).keys()].map((i) => from + i).filter((i) => all.has(i))
  // Ranges may lie over each other: what counts is the work.
  let left = maxMerged
  for (const { s, e } of sheet.merges.slice(0, 10_000)) {
    const columns = within(s.c, Math.min(e.c, shown.columns.at(-1) ?? -1), isColumn)
    const rows = columns.length === 0 ? [] : within(s.r, Math.min(e.r, shown.rows.at(-1) ?? -1), isRow)
    left -= rows.length * columns.length
    if (left < 0) break
    for (const r of rows) for (const c of columns) found.set(`${r}:${c}`, null)
    if (rows.length > 0 && columns.length > 0) found.set(`${rows[0]}:${columns[0]}`, { from: s, span: { rows: rows.length, columns: columns.length } })
  }
  return found
}

function cellHtml(cell: SheetCell | undefined, data: readonly (Row | undefined)[], numbers: NumberFormat | undefined): string {
  if (cell === undefined || isBlank(cell)) return ''
  const html = cell.html ?? escapeHtml(shownValue(cell, numbers).trim()).replace(/\r?\n/g, '<br>')
  // The words of a formula may have the link already.
  return cell.html?.includes('<a ') === true ? html : link(html, addressOf(cell, (row, column) => data[row]?.[column]))
}
