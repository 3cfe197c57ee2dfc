import { escapeHtml, link } from '../html.ts'
import { inFull } from '../sheet-values.ts'
import { type Converted, propertiesOf } from '../converted.ts'
import { drawingsLeft, rowsRead, type SheetCell, type SheetTable, tablesHtml } from '../sheet-tables.ts'
import { UnreadableDocument } from '../unreadable.ts'
import { attributeOf, childrenOf, countOf, decodeXml, textIn, visitXml, type XmlElement, type XmlNode } from '../xml.ts'
import { type Parts, xmlPart } from '../zip.ts'

/** Columns beyond these are counted but not read, however often a cell repeats. */
const maxColumns = 1_000
const maxSpaces = 100
/** Rows of all tables together that are read, empty ones not counted: more than there may be cells in an answer. */
const maxRows = 250_000
/** Elements beside the rows of a table: what lies over it, also below the rows that are read, or what is no part of it. */
const beside = new Set(['shapes', 'forms', 'dde-links', 'tracked-changes', 'frame', 'annotation'])

interface Column {
  readonly hidden: boolean
  readonly style: string | undefined
}

type Growing = Omit<SheetTable, 'data' | 'merges' | 'more'> & {
  readonly rows: Set<number>
  readonly columns: Set<number>
  readonly data: (readonly SheetCell[])[]
  readonly merges: { s: { r: number; c: number }; e: { r: number; c: number } }[]
  more: boolean
  drawings: number
}

/** Reads an OpenDocument spreadsheet. Throws `UnreadableDocument`. */
export function readOds(parts: Parts): Converted {
  const content = parts.get('content.xml')
  if (content === undefined) throw new UnreadableDocument('broken')
  return converted(decodeXml(content), xmlPart(parts, 'meta.xml'))
}

/** Reads one that is a single file of XML. Throws `UnreadableDocument`. */
export const readFlatOds = (bytes: Uint8Array): Converted => converted(decodeXml(bytes))

function converted(text: string, meta?: XmlElement): Converted {
  const reader = new SpreadsheetReader()
  visitXml(text, reader)
  const { html, warnings } = tablesHtml(reader.tables)
  const drawings = reader.tables.reduce((sum, table) => sum + (table.hidden ? 0 : table.drawings), 0)
  return { html, metadata: propertiesOf(meta ?? reader.meta), warnings: [...warnings, ...drawingsLeft(drawings)] }
}

/** Reads the tables row by row, since one may have a million of them; every cell holds what it displays. */
class SpreadsheetReader {
  readonly tables: Growing[] = []
  meta: XmlElement | undefined
  /** The styles of tables that are not displayed, and of cells that have a number format. */
  readonly #unshown = new Set<string | undefined>()
  readonly #formatted = new Set<string | undefined>()
  #columns: Column[] = []
  #row = 0
  /** How many rows of the table are read. */
  #most = rowsRead
  #left = maxRows

  keeps(element: XmlElement): boolean {
    const { name } = element
    if (name === 'table') this.#begin(element)
    const table = this.tables.at(-1)
    if (name === 'table-column') this.#column(element)
    if (table !== undefined && this.#row >= this.#most && (name === 'p' || attributeOf(element, 'value-type') !== undefined)) table.more = true
    return (name === 'table-row' && this.#row < this.#most) || name === 'style' || name === 'meta' || beside.has(name)
  }

  take(element: XmlElement): void {
    const table = this.tables.at(-1)
    if (element.name === 'style') this.#style(element)
    else if (element.name === 'meta') this.meta = element
    else if (table === undefined) return
    else if (element.name === 'table-row') this.#take(element, table)
    else if (element.name === 'shapes') table.drawings += childrenOf(element).length
  }

  #style(style: XmlElement): void {
    const name = attributeOf(style, 'name')
    if (childrenOf(style, 'table-properties').some((one) => attributeOf(one, 'display') === 'false')) this.#unshown.add(name)
    if (attributeOf(style, 'data-style-name') !== undefined) this.#formatted.add(name)
  }

  #begin(table: XmlElement): void {
    this.tables.push({ name: attributeOf(table, 'name') ?? '', hidden: this.#unshown.has(attributeOf(table, 'style-name')), rows: new Set(), columns: new Set(), data: [], merges: [], more: false, drawings: 0 })
    this.#columns = []
    this.#row = 0
    this.#most = Math.min(rowsRead, this.#left)
  }

  #column(element: XmlElement): void {
    const column: Column = { hidden: isHidden(element), style: attributeOf(element, 'default-cell-style-name') }
    for (let times = countOf(element, 'number-columns-repeated', { most: maxColumns }); times > 0 && this.#columns.length < maxColumns; times--) {
      if (column.hidden) this.tables.at(-1)?.columns.add(this.#columns.length)
      this.#columns.push(column)
    }
  }

  #take(row: XmlElement, table: Growing): void {
    const cells = this.#cells(row, table)
    const times = Math.max(1, countOf(row, 'number-rows-repeated', { most: 10_000_000 }))
    const hidden = isHidden(row)
    // Many programs end each table with a million empty rows.
    const end = cells.length === 0 && !hidden ? this.#row : Math.min(this.#most, this.#row + times)
    for (let r = this.#row; r < end; r++) {
      if (hidden) table.rows.add(r)
      if (cells.length > 0) table.data[r] = cells
    }
    if (cells.length > 0 && this.#row + times > end) table.more = true
    this.#left -= end - this.#row
    this.#row += times
  }

  #cells(row: XmlElement, table: Growing): readonly SheetCell[] {
    const cells: SheetCell[] = []
    let column = 0
    for (const element of childrenOf(row)) {
      if (element.name !== 'table-cell' && element.name !== 'covered-table-cell') continue
      const times = Math.max(1, countOf(element, 'number-columns-repeated', { most: 10_000_000 }))
      table.drawings += childrenOf(element).filter(isDrawing).length
      const cell = element.name === 'table-cell' ? cellOf(element, this.#formatted.has(attributeOf(element, 'style-name') ?? this.#columns[column]?.style)) : undefined
      if (cell !== undefined) {
        for (let c = column; c < Math.min(maxColumns, column + times); c++) cells[c] = cell
        if (column + times > maxColumns) table.more = true
      }
      this.#merge(element, column, table)
      column += times
    }
    return cells
  }

  #merge(cell: XmlElement, column: number, table: Growing): void {
    const [rows, columns] = [countOf(cell, 'number-rows-spanned', { most: rowsRead }), countOf(cell, 'number-columns-spanned', { most: maxColumns })]
    if (rows * columns > 1 && column < maxColumns) table.merges.push({ s: { r: this.#row, c: column }, e: { r: this.#row + rows - 1, c: column + columns - 1 } })
  }
}

const isHidden = (element: XmlElement): boolean => /^(?:collapse|filter)$/.test(attributeOf(element, 'visibility') ?? '')

/** Whether something lies over a cell: a picture, a chart, a shape; the list of its texts and a comment do not. */
const isDrawing = ({ name }: XmlElement): boolean => !/^(?:p|annotation|detective|table|cell-range-source)$/.test(name)

/** What a cell displays; undefined for an empty one. */
function cellOf(cell: XmlElement, isFormatted: boolean): SheetCell | undefined {
  const paragraphs = childrenOf(cell, 'p')
  const html = paragraphs.map((one) => shown(one.children).trim()).join('<br>')
  const text = paragraphs.map(textIn).join('\n').trim()
  const value = attributeOf(cell, 'value')
  const formula = attributeOf(cell, 'formula')
  const links = formula?.includes('HYPERLINK(') === true ? { f: formula } : {}
  if (html.replaceAll('<br>', '') === '') {
    // A format may show nothing, such as one that leaves zeros out.
    if (paragraphs.length > 0 && isFormatted) return undefined
    const own = valueOf(cell)
    return own === '' ? undefined : { t: 's', v: own, ...links }
  }
  // A number without a format is as long as the cell is wide.
  const whole = value !== undefined && !isFormatted && /E\+/i.test(text) ? inFull(Number(value)) : undefined
  return whole === undefined ? { t: 's', v: value ?? text, html, ...links } : { t: 's', v: whole }
}

/** The value of a cell of a program that writes no texts for values. */
function valueOf(cell: XmlElement): string {
  const value = attributeOf(cell, 'value')
  if (attributeOf(cell, 'value-type') === 'percentage' && value !== undefined) return `${inFull(Number(value) * 100) ?? value}%`
  const written = ['date-value', 'time-value', 'string-value'].map((name) => attributeOf(cell, name)).find((one) => one !== undefined)
  const currency = attributeOf(cell, 'currency')
  if (value !== undefined && currency !== undefined) return `${value} ${currency}`
  return value ?? attributeOf(cell, 'boolean-value')?.toUpperCase() ?? written?.trim() ?? ''
}

/** The text of a paragraph in a cell. Line breaks in the file are white space. */
function shown(nodes: readonly XmlNode[]): string {
  return nodes.map((node): string => {
    if (typeof node === 'string') return escapeHtml(node.replace(/\s+/g, ' '))
    if (node.name === 's') return ' '.repeat(countOf(node, 'c', { most: maxSpaces }))
    if (node.name === 'tab') return ' '
    if (node.name === 'line-break') return '<br>'
    if (node.name === 'ruby-text' || node.name === 'annotation') return ''
    const inner = shown(node.children)
    return node.name === 'a' ? link(inner, attributeOf(node, 'href')) : inner
  }).join('')
}
