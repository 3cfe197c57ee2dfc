import type { AnyNode, Element } from 'domhandler'
import { isElement, isText } from '../html/tree.ts'
import { rowsOfBoxes } from './div-table.ts'
import { classesOf, walk } from './dom.ts'

/** A row of cells, and whether it is in the head of the table. */
export interface PlannedRow {
  readonly cells: readonly Element[]
  readonly head: boolean
}

/** A data table before its cells are written; `texts` is filled while they are. */
export interface TablePlan {
  readonly table: Element
  readonly cells: ReadonlySet<Element>
  readonly rows: readonly PlannedRow[]
  readonly texts: Map<Element, string>
}

/** A table with more cells than this in a row is not meant for reading. */
const maxColumns = 1000
/** Matches the class of tables in which Doxygen writes name, types and parameters of a function: no data tables. */
const signature = / memname /
/** Matches the class of those that describe parameters and what is thrown: data, even in one row. */
const described = / (?:t?params|exception|retval) /
const sections = new Set(['thead', 'tbody', 'tfoot'])
/** Elements that only layout tables have in their cells. A table with header cells may hold all but another table. */
const tooLarge = new Set(['table', 'h1', 'h2', 'h3', 'form', 'article', 'section', 'blockquote', 'iframe', 'video', 'hr'])

const tableRoles = new Set(['table', 'grid', 'treegrid'])
const cellRoles = new Set(['cell', 'gridcell', 'columnheader', 'rowheader'])

/** Whether an ARIA role makes an element a table. */
export const isTableRole = (role: string): boolean => tableRoles.has(role)

/** Whether an ARIA role makes an element a table cell. */
export const isCellRole = (role: string): boolean => cellRoles.has(role)

/** Whether a cell heads a row or a column. */
export function isHeader({ name, attribs }: Element): boolean {
  return name === 'th' || attribs['role'] === 'columnheader' || attribs['role'] === 'rowheader'
}

/** The rows of a table made by ARIA roles, whose cells may be nested in any number of boxes. */
function rowsByRole(table: Element, skip: ReadonlySet<AnyNode>): PlannedRow[] {
  const rows: PlannedRow[] = []
  let cells: Element[] = []
  walk(table, (node) => {
    if (skip.has(node)) return 'over'
    const role = isElement(node) ? node.attribs['role'] : undefined
    if (role === 'row') rows.push({ cells: (cells = []), head: false })
    if (!isElement(node) || role === undefined || !cellRoles.has(role)) return 'into'
    cells.push(node)
    return 'over'
  })
  return rows.filter((row) => row.cells.length > 0)
}

/** The rows of a table made of boxes. */
function rowsByShape(table: Element, skip: ReadonlySet<AnyNode>): PlannedRow[] {
  const { rows, headed } = rowsOfBoxes(table) ?? { rows: [], headed: false }
  return rows.map((cells, i) => ({ cells: cells.filter((cell) => !skip.has(cell)), head: headed && i === 0 })).filter(({ cells }) => cells.length > 0)
}

/** Reads the rows of a data table; null for a layout table. */
export function planTable(table: Element, skip: ReadonlySet<AnyNode>): TablePlan | null {
  if (/^(?:presentation|none)$/i.test(table.attribs['role'] ?? '') || signature.test(classesOf(table))) return null
  const rows = table.name === 'table' ? rowsOf(table, skip) : isTableRole(table.attribs['role'] ?? '') ? rowsByRole(table, skip) : rowsByShape(table, skip)
  const widest = rows.reduce((most, row) => Math.max(most, row.cells.length), 0)
  const labelled = rows.some((row) => row.head || row.cells.some(isHeader))
  if (widest > maxColumns || widest === 0) return null
  if (!labelled && (widest < 2 || (rows.length < 2 && !described.test(classesOf(table))))) return null
  if (holdsPage(table, skip, labelled ? undefined : rows.reduce((sum, { cells }) => sum + cells.length, 0))) return null
  if (!labelled && rows.every(({ cells }) => cells.filter((cell) => saysSomething(cell, skip)).length < 2)) return null
  return { table, rows, cells: cellsOf(rows), texts: new Map() }
}

/** Whether a cell has content: text, or a picture that is not a spacer. */
function saysSomething(cell: Element, skip: ReadonlySet<AnyNode>): boolean {
  let says = false
  walk(cell, (node) => {
    if (skip.has(node)) return 'over'
    says = isText(node) ? /\S/.test(node.data) : isElement(node) && node.name === 'img' && !/^[01]$/.test(node.attribs['width'] ?? node.attribs['height'] ?? '')
    return says ? 'stop' : 'into'
  })
  return says
}

function cellsOf(rows: readonly PlannedRow[]): ReadonlySet<Element> {
  const all = new Set<Element>()
  for (const { cells } of rows) for (const cell of cells) all.add(cell)
  return all
}

function rowsOf(table: Element, skip: ReadonlySet<AnyNode>): PlannedRow[] {
  const rows: PlannedRow[] = []
  const addRow = (row: Element, head: boolean) => {
    const cells = row.children.filter((c): c is Element => isElement(c) && (c.name === 'td' || c.name === 'th') && !skip.has(c))
    if (cells.length > 0) rows.push({ cells, head })
  }
  for (const child of table.children) {
    if (!isElement(child) || skip.has(child)) continue
    if (child.name === 'tr') addRow(child, false)
    if (!sections.has(child.name)) continue
    for (const row of child.children) if (isElement(row) && row.name === 'tr' && !skip.has(row)) addRow(row, child.name === 'thead')
  }
  return rows
}

/**
 * Whether the cells hold parts of a page: another table, or, without header cells, also headings, sections and long text.
 * `unlabelled` is the number of cells of a table without header cells.
 */
function holdsPage(table: Element, skip: ReadonlySet<AnyNode>, unlabelled: number | undefined): boolean {
  let found = false
  let paragraphs = 0
  let longest = 0
  walk(table, (node) => {
    if (skip.has(node)) return 'over'
    if (isText(node)) longest = Math.max(longest, node.data.length)
    if (!isElement(node)) return 'into'
    if (node.name === 'p' || node.name === 'li') paragraphs++
    // A table that says nothing is a bar: how much of a task is done.
    found = tooLarge.has(node.name) && (unlabelled !== undefined || (node.name === 'table' && saysSomething(node, skip)))
    return found ? 'stop' : 'into'
  })
  return found || (unlabelled !== undefined && (paragraphs > unlabelled * 3 || longest > 1500))
}
