import { type Cell, table } from '../html.ts'
import { attributeOf, childrenOf, countOf, textIn, type XmlElement } from '../xml.ts'

const maxRows = 5_000
const maxColumns = 200

interface Row {
  readonly element: XmlElement
  readonly head: boolean
}

/** Collects rows from their groups, the first of which may be the head. */
function rowsOf(element: XmlElement, head: boolean): Row[] {
  return childrenOf(element).flatMap((child) => {
    if (child.name === 'table-row') return [{ element: child, head }]
    return /^table-(?:header-rows|rows|row-group)$/.test(child.name) ? rowsOf(child, head || child.name === 'table-header-rows') : []
  })
}

/**
 * A table of an OpenDocument text, and whether it shows more than is written; `content` writes a cell. Repeated rows and cells
 * are written once when they are empty.
 */
export function odfTable(element: XmlElement, content: (cell: XmlElement) => string): { readonly html: string; readonly isCut: boolean } {
  const all = rowsOf(element, false)
  const lines = all.slice(0, maxRows).map(({ element: row, head }) => ({ head, ...cellsOf(row, content) }))
  const isCut = lines.some((line) => line.isCut) || all.slice(maxRows).some(({ element: row }) => textIn(row).trim() !== '')
  const filled = withoutEmpty(lines)
  // Without a marked head, the first row is the head.
  const heads = filled.filter(({ head }) => head).length
  return { html: table(filled.map(({ cells }) => cells), heads === 0 && filled.length > 1 ? 1 : heads), isCut }
}

interface Line {
  readonly head: boolean
  readonly cells: readonly Cell[]
}

/** The rows that show something, or where a cell begins that spans others; cells that span rows which show nothing are as much shorter. */
function withoutEmpty(lines: readonly Line[]): Line[] {
  const isKept = lines.map(({ cells }) => cells.some(({ html, rows = 1 }) => html !== '' || rows > 1))
  /** How many rows before each one are kept. */
  const before = [0]
  for (const kept of isKept) before.push((before.at(-1) ?? 0) + Number(kept))
  const spanOf = (i: number, rows: number): number => (before[Math.min(i + rows, lines.length)] ?? 0) - (before[i] ?? 0)
  return lines.flatMap(({ head, cells }, i) => (isKept[i] === true ? [{ head, cells: cells.map((cell) => ({ ...cell, rows: spanOf(i, cell.rows ?? 1) })) }] : []))
}

function cellsOf(row: XmlElement, content: (cell: XmlElement) => string): { readonly cells: readonly Cell[]; readonly isCut: boolean } {
  const cells: Cell[] = []
  let isCut = false
  for (const cell of childrenOf(row, 'table-cell')) {
    const html = content(cell)
    const made: Cell = { html, columns: countOf(cell, 'number-columns-spanned', { most: maxColumns }), rows: countOf(cell, 'number-rows-spanned', { most: maxRows }) }
    const times = attributeOf(cell, 'number-columns-repeated') === undefined ? 1 : countOf(cell, 'number-columns-repeated', { most: maxColumns })
    isCut ||= html !== '' && cells.length + times > maxColumns
    for (let i = 0; i < times && cells.length < maxColumns; i++) cells.push(made)
  }
  while (cells.length > 0 && cells.at(-1)?.html === '' && row.children.length === 0) cells.pop()
  return { cells, isCut }
}
