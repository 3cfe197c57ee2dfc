import type { WorkBook, WorkSheet } from '@e965/xlsx'
import { once } from '../../lib/once.ts'
import { type Converted, propertiesOf } from './converted.ts'
import { mayLink } from './sheet-links.ts'
import { drawingsIn, hiddenIn, mayHide } from './sheet-parts.ts'
import { drawingsLeft, rowsRead, type SheetTable, tablesHtml } from './sheet-tables.ts'
import { UnreadableDocument } from './unreadable.ts'
import { decodeXml, isXml, parseXml, textIn } from './xml.ts'
import { type Parts, xmlPart } from './zip.ts'

/** The spreadsheet library; large, and rarely needed. */
export const sheetLibrary = once(() => import('@e965/xlsx'))

/**
 * Reads a workbook of any kind that the library supports: its visible sheets in order, without hidden rows and columns.
 * `parts` are the files of a workbook that is an archive. Throws `UnreadableDocument`.
 */
export async function readSheets(bytes: Uint8Array, parts: Parts): Promise<Converted> {
  const { read, SSF } = await sheetLibrary()
  const formulas = hasUnreckoned(parts)
  const book = open(read, bytes, { formulas, links: mayLink(bytes, parts), hidden: mayHide(parts) })
  const tables = book.SheetNames.map((name, i) => tableOf(name, book.Sheets[name], (book.Workbook?.Sheets?.[i]?.Hidden ?? 0) !== 0))
  const { html, warnings, cut } = tablesHtml(tables, { format: SSF.format, date1904: book.Workbook?.WBProps?.date1904 === true })
  const unread = tables.some((table) => !table.hidden && !cut.has(table) && book.Sheets[table.name]?.['!fullref'] !== undefined)
  const told = [
    ...(formulas ? ['The file does not hold the results of some of its formulas; the formulas stand in their place.'] : []),
    ...drawingsLeft(drawingsIn(parts)),
    ...(unread && hasRowsBelow(parts) ? [`Rows below the ${rowsRead}th of a table are left out.`] : []),
  ]
  return { html, metadata: metadataOf(book, parts, bytes), warnings: [...warnings, ...told] }
}

const tableOf = (name: string, sheet: WorkSheet | undefined, hidden: boolean): SheetTable => ({ name, hidden, data: sheet?.['!data'] ?? [], merges: sheet?.['!merges'] ?? [], more: false, ...hiddenIn(sheet) })

/** Whether a part of an archive is a table in XML. */
export const isWorksheet = (path: string): boolean => /^xl\/worksheets\/[^/]+\.xml$/i.test(path)

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
    const text = isWorksheet(path) ? decodeXml(bytes) : ''
    for (const row of text.matchAll(/<(?:\w+:)?row\s[^<>]*?\br="(\d{1,7})"/g)) if (Number(row[1]) > rowsRead) return /<(?:\w+:)?(?:v|t)(?:\s[^<>]*)?>[^<]/.test(text.slice(row.index))
    return false
  })
}

/** Matches the end of a cell with a formula and without a result. */
const unreckoned = /<(?:\w+:)?f(?:\s[^<>]*)?>[^<]+<\/(?:\w+:)?f>\s*(?:<(?:\w+:)?v\s*(?:\/>|><\/(?:\w+:)?v>)\s*)?<\/(?:\w+:)?c>/

/** Whether cells have formulas without results: some programs leave the calculation to whoever opens the workbook. */
function hasUnreckoned(parts: Parts): boolean {
  return [...parts].some(([path, bytes]) => isWorksheet(path) && unreckoned.test(decodeXml(bytes)))
}

type Told = Readonly<Record<'formulas' | 'links' | 'hidden', boolean>>

function open(read: Awaited<ReturnType<typeof sheetLibrary>>['read'], bytes: Uint8Array, told: Told): WorkBook {
  const { formulas, links, hidden } = told
  try {
    return read(bytes, { type: 'array', dense: true, cellFormula: formulas || links, sheetStubs: formulas, cellNF: true, cellHTML: false, cellStyles: hidden, dateNF: 'yyyy-mm-dd', sheetRows: rowsRead })
  } catch (error) {
    // The library may fail at a formula that nobody asked for.
    if (links) return open(read, bytes, { ...told, links: false })
    throw new UnreadableDocument(error instanceof Error && /password|encrypt/i.test(error.message) ? 'encrypted' : 'broken', error)
  }
}

const isoOf = (value: unknown): string | undefined => (value instanceof Date ? value.toISOString() : typeof value === 'string' ? value : undefined)

function metadataOf({ Props = {} }: WorkBook, parts: Parts, bytes: Uint8Array): Converted['metadata'] {
  const own = xmlPart(parts, 'docProps/core.xml')
  if (own !== undefined) return propertiesOf(own)
  // Of a workbook that is XML, the library tells them as they are written.
  const text = (value: string | undefined): string | undefined => (value === undefined || !isXml(bytes) ? value : textIn(parseXml(value)))
  return { title: text(Props.Title), author: text(Props.Author), description: text(Props.Comments ?? Props.Subject), keywords: text(Props.Keywords), publishedTime: isoOf(Props.CreatedDate), modifiedTime: isoOf(Props.ModifiedDate) }
}
