import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx'
import { once } from '../../lib/once.ts'
import { type Converted, propertiesOf } from './converted.ts'
import { type Cell, escapeHtml, link, table } from './html.ts'
import { type NumberFormat, shownValue } from './sheet-values.ts'
import { UnreadableDocument } from './unreadable.ts'
import { decodeXml, parseXml, textIn } from './xml.ts'
import { type Parts, xmlPart } from './zip.ts'

/** The spreadsheet library; large, and rarely needed. */
export const sheetLibrary = once(() => import('@e965/xlsx'))

/** Rows and columns beyond these are counted but not written. */
const maxRows = 5_000
const maxColumns = 200
/** How many rows beyond the limit are read, so that empty rows between two parts of a table are not taken for its end. */
const rowsBeyond = 500
/** Limit of the cells in all tables of a workbook. */
const maxCells = 200_000

interface Bounds {
  readonly rows: number
  readonly columns: number
}

/**
 * Reads a workbook of any kind that the library supports: its visible sheets in order. `parts` are the files of a workbook
 * that is an archive. Throws `UnreadableDocument`.
 */
export async function readSheets(bytes: Uint8Array, parts: Parts): Promise<Converted> {
  const { read, SSF } = await sheetLibrary()
  const unreckoned = hasUnreckoned(parts)
  const book = open(read, bytes, unreckoned)
  const numbers = { format: SSF.format, date1904: book.Workbook?.WBProps?.date1904 === true }
  const unshown = hiddenTables(parts)
  const hidden = book.SheetNames.filter((name, i) => unshown.has(name) || (book.Workbook?.Sheets?.[i]?.Hidden ?? 0) > 0)
  const shown = book.SheetNames.filter((name) => !hidden.includes(name))
  const warnings = [
    ...(hidden.length === 0 ? [] : [`Hidden tables are left out (${hidden.length}).`]),
    ...(unreckoned ? ['The file does not hold the results of some of its formulas; the formulas stand in their place.'] : []),
  ]
  let left = maxCells
  let unread = false
  const tables: string[] = []
  for (const name of shown) {
    const sheet = book.Sheets[name]
    const { html, cells, cut } = sheet === undefined ? { html: '', cells: 0, cut: false } : sheetHtml(sheet, left, numbers)
    left -= cells
    unread ||= !cut && sheet?.['!fullref'] !== undefined
    if (cut) warnings.push(`The table ${JSON.stringify(name.slice(0, 100))} is longer or wider than is returned; its end is missing.`)
    // The default name of a single sheet says nothing.
    tables.push(shown.length === 1 && /^(?:Sheet|Tabelle|Feuil|Hoja|Foglio|Лист)\s?1$/.test(name) ? html : `<h2>${escapeHtml(name)}</h2>\n${html}`)
  }
  if (unread && hasRowsBelow(parts)) warnings.push(`Rows below the ${maxRows + rowsBeyond}th of a table are left out.`)
  return { html: tables.join('\n'), metadata: metadataOf(book, parts), warnings }
}

const worksheet = /^xl\/worksheets\/[^/]+\.xml$/i

/** A number format in the styles of a workbook. */
const formatCode = /\bformatCode=(["'])([^"']*)\1/g
/** Excel's limit; libraries take minutes for codes of thousands of characters. */
const longestCode = 255

/** The files of a workbook without number formats that are longer than any: their numbers are shown as they are. */
export function withoutLongFormats(parts: Parts): Parts {
  const bytes = parts.get('xl/styles.xml')
  if (bytes === undefined) return parts
  const tamed = decodeXml(bytes).replace(formatCode, (whole, _, code: string) => (code.replace(/&#?\w+;/g, '&').length > longestCode ? 'formatCode="General"' : whole))
  return new Map(parts).set('xl/styles.xml', Buffer.from(tamed))
}

/** Whether a table has values in rows that were not read: after so many empty rows, the library's range tells nothing. */
function hasRowsBelow(parts: Parts): boolean {
  return [...parts].some(([path, bytes]) => {
    const text = worksheet.test(path) ? decodeXml(bytes) : ''
    for (const row of text.matchAll(/<(?:\w+:)?row\s[^<>]*?\br="(\d{1,7})"/g)) if (Number(row[1]) > maxRows + rowsBeyond) return /<(?:\w+:)?(?:v|t)(?:\s[^<>]*)?>[^<]/.test(text.slice(row.index))
    return false
  })
}

/** Whether cells have formulas without results: some programs leave the calculation to whoever opens the workbook. */
function hasUnreckoned(parts: Parts): boolean {
  return [...parts].some(([path, bytes]) => worksheet.test(path) && /<f(?:\s[^>]*)?>[^<]+<\/f>\s*(?:<v\s*\/>|<v><\/v>)?\s*<\/c>/.test(decodeXml(bytes)))
}

function open(read: Awaited<ReturnType<typeof sheetLibrary>>['read'], bytes: Uint8Array, formulas: boolean): WorkBook {
  try {
    return read(bytes, { type: 'array', dense: true, cellFormula: formulas, sheetStubs: formulas, cellNF: true, cellHTML: false, cellStyles: false, dateNF: 'yyyy-mm-dd', sheetRows: maxRows + rowsBeyond })
  } catch (error) {
    throw new UnreadableDocument(error instanceof Error && /password|encrypt/i.test(error.message) ? 'encrypted' : 'broken', error)
  }
}

type Row = readonly (CellObject | undefined)[]

const isBlank = (cell: CellObject | undefined): boolean => cell === undefined || (cell.t === 'z' ? cell.f === undefined : cell.v === undefined || String(cell.v).trim() === '')

/** The range of a table that has content, whatever the file claims. */
function boundsOf(rows: readonly (Row | undefined)[]): Bounds {
  let last = 0
  let columns = 0
  rows.forEach((row, i) => {
    const filled = row?.findLastIndex((cell) => !isBlank(cell)) ?? -1
    if (filled >= 0) last = i + 1
    columns = Math.max(columns, filled + 1)
  })
  return { rows: last, columns }
}

function sheetHtml(sheet: WorkSheet, left: number, numbers: NumberFormat): { html: string; cells: number; cut: boolean } {
  const data: readonly (Row | undefined)[] = sheet['!data'] ?? []
  const whole = boundsOf(data)
  const columns = Math.min(whole.columns, maxColumns)
  const rows = Math.min(whole.rows, maxRows, columns === 0 ? 0 : Math.floor(left / columns))
  const merged = mergesOf(sheet, { rows, columns })
  const lines: Cell[][] = []
  for (let r = 0; r < rows; r++) {
    const cells: Cell[] = []
    for (let c = 0; c < columns; c++) {
      const merge = merged.get(`${r}:${c}`)
      if (merge !== null) cells.push({ html: cellHtml(data[r]?.[c], numbers), ...merge })
    }
    // Empty rows separate tables within a sheet, and are dropped.
    if (cells.some((cell) => cell.html !== '')) lines.push(cells)
  }
  return { html: table(lines, 1), cells: rows * columns, cut: rows < whole.rows || columns < whole.columns }
}

/** What each merged cell stands for: the first for the whole range, the others (null) for nothing. */
function mergesOf(sheet: WorkSheet, bounds: Bounds): ReadonlyMap<string, Pick<Cell, 'rows' | 'columns'> | null> {
  const found = new Map<string, Pick<Cell, 'rows' | 'columns'> | null>()
  for (const { s, e } of (sheet['!merges'] ?? []).slice(0, 10_000)) {
    const last = { r: Math.min(e.r, bounds.rows - 1), c: Math.min(e.c, bounds.columns - 1) }
    for (let r = s.r; r <= last.r; r++) for (let c = s.c; c <= last.c; c++) found.set(`${r}:${c}`, null)
    found.set(`${s.r}:${s.c}`, { rows: last.r - s.r + 1, columns: last.c - s.c + 1 })
    if (found.size > maxCells) break
  }
  return found
}

function cellHtml(cell: CellObject | undefined, numbers: NumberFormat): string {
  if (cell === undefined || isBlank(cell)) return ''
  return link(escapeHtml(shownValue(cell, numbers).trim()).replace(/\r?\n/g, '<br>'), cell.l?.Target)
}

const isoOf = (value: unknown): string | undefined => (value instanceof Date ? value.toISOString() : typeof value === 'string' ? value : undefined)

/** The hidden sheets of an OpenDocument file, which the library does not report. */
function hiddenTables(parts: Parts): ReadonlySet<string> {
  const bytes = parts.get('content.xml')
  if (bytes === undefined) return new Set()
  const text = decodeXml(bytes)
  const styles = [...text.matchAll(/<style:style style:name="([^"]*)" style:family="table"[^>]*>\s*<style:table-properties [^>]*table:display="false"/g)].map((match) => match[1])
  const tables = styles.length === 0 ? [] : [...text.matchAll(/<table:table table:name="([^"]*)" table:style-name="([^"]*)"/g)].filter((match) => styles.includes(match[2]))
  return new Set(tables.map((match) => textIn(parseXml(match[1] ?? ''))))
}

function metadataOf({ Props = {} }: WorkBook, parts: Parts): Converted['metadata'] {
  const own = xmlPart(parts, 'docProps/core.xml') ?? xmlPart(parts, 'meta.xml')
  if (own !== undefined) return propertiesOf(own)
  return { title: Props.Title, author: Props.Author, description: Props.Comments ?? Props.Subject, keywords: Props.Keywords, publishedTime: isoOf(Props.CreatedDate), modifiedTime: isoOf(Props.ModifiedDate) }
}
