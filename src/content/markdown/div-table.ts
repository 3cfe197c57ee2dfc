import type { Element } from 'domhandler'
import { isElement } from '../html/tree.ts'

/** Most columns, and most cells, of a table made of boxes. */
const mostColumns = 24
const mostCells = 20_000
const heads = /(?:^|[\s_-])(?:head|header|heading)(?:[\s_-]|$)/i
const part = /display\s*:\s*table(-cell|-row|(?:-row|-header|-footer)-group)?\s*(?:;|!|$)/i

/**
 * The rows of a table made of boxes without roles, of which the first may be its head; undefined for other boxes. Either the
 * cells follow one another in a grid that begins with its heads, and those of a column share a class; or styles of the boxes
 * themselves make them a table, rows and cells.
 */
export function rowsOfBoxes(box: Element): { readonly rows: readonly (readonly Element[])[]; readonly headed: boolean } | undefined {
  if (displayOf(box) === 'table') return { rows: styledRows(box), headed: false }
  const rows = beginsWithHead(box) ? gridRows(box) : undefined
  return rows && { rows, headed: true }
}

/** Whether a box may be a table: all that is looked at of most boxes. */
export function mayBeTable(box: Element): boolean {
  return (box.attribs['style'] !== undefined && displayOf(box) === 'table') || (box.children.length > 3 && beginsWithHead(box))
}

function beginsWithHead({ children }: Element): boolean {
  const [node, next] = children
  const first = node !== undefined && isElement(node) ? node : next
  return first !== undefined && isElement(first) && first.name === 'div' && heads.test((first.attribs['class'] ?? '').slice(0, 200))
}

function gridRows({ children }: Element): readonly (readonly Element[])[] | undefined {
  const cells = children.filter(isElement)
  const first = cells.findIndex((cell) => !heads.test((cell.attribs['class'] ?? '').slice(0, 200)))
  if (first < 2 || first > mostColumns || cells.length % first !== 0 || cells.length > mostCells) return undefined
  const rows = Array.from({ length: cells.length / first }, (_, row) => cells.slice(row * first, (row + 1) * first))
  const [head, ...others] = rows
  if (head === undefined || others[0] === undefined || !cells.every(({ name }) => name === 'div')) return undefined
  const columns = ownNames(others[0])
  const told = ownNames(head).every(({ length }) => length > 0) && others.every((row) => row.every((cell, i) => namesOf(cell).some((name) => columns[i]?.includes(name))))
  return told ? rows : undefined
}

/** The classes that each cell of a row shares with no other. */
function ownNames(row: readonly Element[]): readonly (readonly string[])[] {
  const times = new Map<string, number>()
  const names = row.map((cell) => [...new Set(namesOf(cell))])
  for (const name of names.flat()) times.set(name, (times.get(name) ?? 0) + 1)
  return names.map((own) => own.filter((name) => times.get(name) === 1))
}

const namesOf = ({ attribs }: Element): readonly string[] => (attribs['class'] ?? '').slice(0, 500).split(/\s+/).filter((name) => name !== '')

function styledRows(box: Element): readonly (readonly Element[])[] {
  const parts = box.children.filter(isElement).flatMap((child) => (displayOf(child)?.endsWith('-group') === true ? child.children.filter(isElement) : [child]))
  return parts.filter((row) => displayOf(row) === 'table-row').map((row) => row.children.filter(isElement).filter((cell) => displayOf(cell) === 'table-cell'))
}

/** Which part of a table the own style of a box makes it. */
function displayOf({ attribs }: Element): string | undefined {
  const { style } = attribs
  const found = style === undefined ? null : part.exec(style.slice(0, 500))
  return found === null ? undefined : `table${(found[1] ?? '').toLowerCase()}`
}
