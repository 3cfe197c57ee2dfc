import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx'
import { once } from '../../lib/once.ts'
import { type Converted, propertiesOf } from './converted.ts'
import { type Cell, escapeHtml, link, table } from './html.ts'
import { addressOf, mayLink } from './sheet-links.ts'
import { type NumberFormat, shownValue } from './sheet-values.ts'
import { type Hidden, hiddenIn, mayHide, odsTables } from './sheet-parts.ts'
import { UnreadableDocument } from './unreadable.ts'
import { decodeXml, isXml, parseXml, textIn } from './xml.ts'
import { type Parts, xmlPart } from './zip.ts'

/** The spreadsheet library; large, and rarely needed. */
export const sheetLibrary = once(() => import('@e965/xlsx'))

/** Rows and columns beyond these are counted but not written. */
export const maxRows = 5_000
const maxColumns = 200
/** How many rows beyond the limit are read, so that empty rows between two parts of a table are not taken for its end. */
export const rowsBeyond = 500
/** Limit of the cells in all tables of a workbook. */
const maxCells = 200_000

/** The rows and columns of a table that are written, by their numbers from 0. */
interface Shown {
  readonly rows: readonly number[]
  readonly columns: readonly number[]
}

/**
 * Reads a workbook of any kind that the library supports: its visible sheets in order, without hidden rows and columns.
 * `parts` are the files of a workbook that is an archive. Throws `UnreadableDocument`.
 */
export async function readSheets(bytes: Uint8Array, parts: Parts): Promise<Converted> {
  const { read, SSF } = await sheetLibrary()
  const formulas = hasUnreckoned(parts)
  const book = open(read, bytes, { formulas, links: mayLink(bytes, parts), hidden: mayHide(parts) })
  const numbers = { format: SSF.format, date1904: book.Workbook?.WBProps?.date1904 === true }
  const tables = odsTables(parts, maxRows + rowsBeyond)
  const shown = book.SheetNames.map((name, i) => ({ name: tables[i]?.name ?? name, sheet: book.Sheets[name], hidden: tables[i] ?? hiddenIn(book.Sheets[name]) })).filter((_, i) => tables[i]?.hidden !== true && (book.Workbook?.Sheets?.[i]?.Hidden ?? 0) === 0)
  const hidden = book.SheetNames.length - shown.length
  const warnings = [
    ...(hidden === 0 ? [] : [`Hidden tables are left out (${hidden}).`]),
    ...(formulas ? ['The file does not hold the results of some of its formulas; the formulas stand in their place.'] : []),
  ]
  let left = maxCells
  let unread = false
  let unseen = 0
  const texts: string[] = []
  for (const { name, sheet, hidden: own } of shown) {
    const written = sheet === undefined ? { html: '', cells: 0, cut: false, unseen: 0 } : sheetHtml(sheet, own, { left, numbers })
    left -= written.cells
    unseen += written.unseen
    unread ||= !written.cut && sheet?.['!fullref'] !== undefined
    if (written.cut) warnings.push(`The table ${JSON.stringify(name.slice(0, 100))} is longer or wider than is returned; its end is missing.`)
    // The default name of a single sheet says nothing.
    texts.push(shown.length === 1 && /^(?:Sheet|Tabelle|Feuil|Hoja|Foglio|Лист)\s?1$/.test(name) ? written.html : `<h2>${escapeHtml(name)}</h2>\n${written.html}`)
  }
  if (unseen > 0) warnings.push(`Hidden rows and columns are left out (${unseen}).`)
  if (unread && hasRowsBelow(parts)) warnings.push(`Rows below the ${maxRows + rowsBeyond}th of a table are left out.`)
  return { html: texts.join('\n'), metadata: metadataOf(book, parts, bytes), warnings }
}

const worksheet = /^xl\/worksheets\/[^/]+\.xml$/i

/** A number format in the styles of a workbook, or of one that is a single file of XML. */
const formatCode = /\b(formatCode|\w+:Format)=(["'])([^"']*)\2/g
/** Excel's limit; libraries take minutes for codes of thousands of characters. */
const longestCode = 255

/** Styles in XML without number formats that are longer than any: their numbers are shown as they are. */
export function withoutLongFormats(bytes: Uint8Array): Uint8Array {
  // Letter by letter, whatever the encoding is.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return Buffer.from(text.replace(formatCode, (whole, name: string, _, code: string) => (code.replace(/&#?\w+;/g, '&').length > longestCode ? `${name}="General"` : whole)), 'latin1')
}

/** Whether a table has values in rows that were not read: after so many empty rows, the library's range tells nothing. */
function hasRowsBelow(parts: Parts): boolean {
  return [...parts].some(([path, bytes]) => {
    const text = worksheet.test(path) ? decodeXml(bytes) : ''
    for (const row of text.matchAll(/<(?:\w+:)?row\s[^<>]*?\br="(\d{1,7})"/g)) if (Number(row[1]) > maxRows + rowsBeyond) return /<(?:\w+:)?(?:v|t)(?:\s[^<>]*)?>[^<]/.test(text.slice(row.index))
    return false
  })
}

/** Matches the end of a cell with a formula and without a result. */
const unreckoned = /<(?:\w+:)?f(?:\s[^<>]*)?>[^<]+<\/(?:\w+:)?f>\s*(?:<(?:\w+:)?v\s*(?:\/>|><\/(?:\w+:)?v>)\s*)?<\/(?:\w+:)?c>/

/** Whether cells have formulas without results: some programs leave the calculation to whoever opens the workbook. */
function hasUnreckoned(parts: Parts): boolean {
  return [...parts].some(([path, bytes]) => worksheet.test(path) && unreckoned.test(decodeXml(bytes)))
}

function open(read: Awaited<ReturnType<typeof sheetLibrary>>['read'], bytes: Uint8Array, { formulas, links, hidden }: { readonly formulas: boolean; readonly links: boolean; readonly hidden: boolean }): WorkBook {
  try {
    return read(bytes, { type: 'array', dense: true, cellFormula: formulas || links, sheetStubs: formulas, cellNF: true, cellHTML: false, cellStyles: hidden, dateNF: 'yyyy-mm-dd', sheetRows: maxRows + rowsBeyond })
  } catch (error) {
    throw new UnreadableDocument(error instanceof Error && /password|encrypt/i.test(error.message) ? 'encrypted' : 'broken', error)
  }
}

type Row = readonly (CellObject | undefined)[]

const isBlank = (cell: CellObject | undefined): boolean => cell === undefined || (cell.t === 'z' ? cell.f === undefined : cell.v === undefined || String(cell.v).trim() === '')

/** The rows and columns of a table up to the last that has content, whatever the file claims, in two parts. */
function partsOf(data: readonly (Row | undefined)[], hidden: Hidden): { readonly shown: Shown; readonly unseen: number } {
  const filled = data.map((row) => row?.findLastIndex((cell) => !isBlank(cell)) ?? -1)
  const rows = [...Array(filled.findLastIndex((last) => last >= 0) + 1).keys()]
  const columns = [...Array(filled.reduce((most, last) => Math.max(most, last), -1) + 1).keys()]
  const unseenRows = rows.filter((r) => hidden.rows.has(r) && (filled[r] ?? -1) >= 0)
  const unseenColumns = columns.filter((c) => hidden.columns.has(c) && data.some((row) => !isBlank(row?.[c])))
  return { shown: { rows: rows.filter((r) => !hidden.rows.has(r)), columns: columns.filter((c) => !hidden.columns.has(c)) }, unseen: unseenRows.length + unseenColumns.length }
}

function sheetHtml(sheet: WorkSheet, hidden: Hidden, { left, numbers }: { readonly left: number; readonly numbers: NumberFormat }): { html: string; cells: number; cut: boolean; unseen: number } {
  const data: readonly (Row | undefined)[] = sheet['!data'] ?? []
  const { shown, unseen } = partsOf(data, hidden)
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
  const cut = rows.length < shown.rows.length || columns.length < shown.columns.length
  return { html: table(lines, 1), cells: rows.length * columns.length, cut, unseen }
}

/** A range of cells that are displayed as one: that of its first cell, which may be hidden. */
interface Merge {
  readonly from: { readonly r: number; readonly c: number }
  readonly span: Pick<Cell, 'rows' | 'columns'>
}

/** What each merged cell stands for: the first that is shown for the whole range, the others (null) for nothing. */
function mergesOf(sheet: WorkSheet, shown: Shown): ReadonlyMap<string, Merge | null> {
  const found = new Map<string, Merge | null>()
  const [isRow, isColumn] = [new Set(shown.rows), new Set(shown.columns)]
  const within = (from: number, to: number, all: ReadonlySet<number>): readonly number[] => [...Array(Math.max(0, to - from + 1)).keys()].map((i) => from + i).filter((i) => all.has(i))
  for (const { s, e } of (sheet['!merges'] ?? []).slice(0, 10_000)) {
    const rows = within(s.r, Math.min(e.r, shown.rows.at(-1) ?? -1), isRow)
    const columns = within(s.c, Math.min(e.c, shown.columns.at(-1) ?? -1), isColumn)
    for (const r of rows) for (const c of columns) found.set(`${r}:${c}`, null)
    if (rows.length > 0 && columns.length > 0) found.set(`${rows[0]}:${columns[0]}`, { from: s, span: { rows: rows.length, columns: columns.length } })
    if (found.size > maxCells) break
  }
  return found
}

function cellHtml(cell: CellObject | undefined, data: readonly (Row | undefined)[], numbers: NumberFormat): string {
  if (cell === undefined || isBlank(cell)) return ''
  return link(escapeHtml(shownValue(cell, numbers).trim()).replace(/\r?\n/g, '<br>'), addressOf(cell, (row, column) => data[row]?.[column]))
}

const isoOf = (value: unknown): string | undefined => (value instanceof Date ? value.toISOString() : typeof value === 'string' ? value : undefined)

function metadataOf({ Props = {} }: WorkBook, parts: Parts, bytes: Uint8Array): Converted['metadata'] {
  const own = xmlPart(parts, 'docProps/core.xml') ?? xmlPart(parts, 'meta.xml')
  if (own !== undefined) return propertiesOf(own)
  // Of a workbook that is XML, the library tells them as they are written.
  const text = (value: string | undefined): string | undefined => (value === undefined || !isXml(bytes) ? value : textIn(parseXml(value)))
  return { title: text(Props.Title), author: text(Props.Author), description: text(Props.Comments ?? Props.Subject), keywords: text(Props.Keywords), publishedTime: isoOf(Props.CreatedDate), modifiedTime: isoOf(Props.ModifiedDate) }
}
