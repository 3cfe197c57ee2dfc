import type { Block } from '../../blocks.ts'
import { type Frame, withName } from '../../frame.ts'
import { lettersBefore, lineOf } from '../lines.ts'

/** Fewest columns with a name and fewest rows below them, and most blocks of such a table. */
const fewestColumns = 2
const fewestRows = 3
const mostBlocks = 1_000
/** Boxes around a table, one of which holds most of what is kept, and the share of it. */
const boxes = 6
const share = 0.6
const edges: ReadonlySet<string> = new Set(['nav', 'aside', 'footer', 'form', 'table'])

/**
 * Keeps tables whose columns have names that stand beside the text of the page, although their cells are links: the files
 * of a project. The trees judge the cells one by one.
 */
export function keepListedRows(frame: Frame, kept: Uint8Array): void {
  const { blocks, rules } = frame
  const tables = rules.forum ? [] : withName(frame, 'table')
  if (tables.length === 0) return
  const letters = lettersBefore(frame, kept)
  for (const i of tables) {
    const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
    if (end - first < fewestColumns * fewestRows || end - first > mostBlocks || kept.subarray(first, end).includes(1) || !hasColumns(frame, i)) continue
    if (standsBeside(frame, i, letters)) kept.fill(1, first, end)
  }
}

/** Whether a table names its columns, and most of its rows. */
function hasColumns({ outline: o, blocks }: Frame, i: number): boolean {
  let [columns, rows, head] = [0, 0, 0]
  for (let at = i + 1; at < (o.end[i] ?? 0); at++) {
    const name = o.elements[at]?.name
    if (name === 'table') return false
    if (name === 'thead') head = o.end[at] ?? 0
    if (name === 'th' && at < head && (o.text[at] ?? 0) > 0) columns++
    if (name === 'tr' && head > 0 && at >= head) rows += isNamedRow(blocks.all.slice(blocks.first[at], blocks.end[at])) ? 1 : -1
  }
  return columns >= fewestColumns && rows >= fewestRows
}

/** Whether a row says what its other cells are about: figures alone tell nothing. */
const isNamedRow = ([first, ...others]: readonly Block[]): boolean => first !== undefined && others.length > 0 && /\p{L}{2}/u.test(lineOf(first))

/** Whether an element near around a table holds most of the kept letters, and none of them is furniture. */
function standsBeside({ outline: o, blocks, rules }: Frame, i: number, letters: Float64Array): boolean {
  const all = letters[letters.length - 1] ?? 0
  let most = 0
  for (let at = i, up = 0; at >= 0; at = o.parent[at] ?? -1, up++) {
    if (rules.verdict[at] !== 0 || (up > 0 && edges.has(o.elements[at]?.name ?? ''))) return false
    if (up <= boxes) most = (letters[blocks.end[at] ?? 0] ?? 0) - (letters[blocks.first[at] ?? 0] ?? 0)
  }
  return all > 0 && most >= all * share
}
