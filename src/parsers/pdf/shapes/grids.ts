import type { Placed } from '../page/placed.ts'
import { isRightToLeft } from '../finish/right-to-left.ts'
import { areHeaded } from './side-texts.ts'
import { groupsOf, near, type Rule, type Rules, steps } from './rules.ts'

/** A table that lines show: its box, what stands in it, and the text of its cells, row by row. */
export interface Grid<Item extends Placed> {
  readonly left: number
  readonly items: readonly Item[]
  readonly cells: readonly (readonly (readonly Item[])[])[]
  /** Whether it is no table, but its cells are texts that are read one after the other. */
  readonly areTexts: boolean
}

/** Most cells of a table. */
const mostCells = 5_000

/** Whether a line stands at a position along the whole of a range. */
const covers = (rules: readonly Rule[], at: number, from: number, to: number): boolean => rules.some((rule) => Math.abs(rule.at - at) < near && rule.from < from + near && rule.to > to - near)

interface Frame {
  readonly xs: readonly number[]
  /** From top to bottom. */
  readonly ys: readonly number[]
}

/** Where the columns and rows of some lines are; null when these are no grid. */
function frameOf({ across, upright }: Rules): Frame | null {
  const ends = [Math.min(...across.map(({ from }) => from)), Math.max(...across.map(({ to }) => to))]
  const xs = steps([...upright.map(({ at }) => at), ...ends.filter(Number.isFinite)])
  const ys = steps([...across.map(({ at }) => at), ...upright.flatMap(({ from, to }) => [from, to])]).reverse()
  return xs.length < 3 || ys.length < 3 || (xs.length - 1) * (ys.length - 1) > mostCells ? null : { xs, ys }
}

/** The cell that each place of a grid belongs to, as the place of its upper left corner: lines that are missing join cells. */
function owners({ xs, ys }: Frame, { across, upright }: Rules): number[][] {
  const width = xs.length - 1
  const found: number[][] = []
  for (let r = 0; r + 1 < ys.length; r++) {
    const [top = 0, bottom = 0] = [ys[r], ys[r + 1]]
    const row: number[] = []
    for (let c = 0; c < width; c++) {
      const [left = 0, right = 0] = [xs[c], xs[c + 1]]
      const isOpenLeft = c > 0 && !covers(upright, left, bottom, top)
      const isOpenAbove = r > 0 && !covers(across, top, left, right)
      row.push(isOpenLeft ? (row[c - 1] ?? 0) : isOpenAbove ? (found[r - 1]?.[c] ?? 0) : r * width + c)
    }
    found.push(row)
  }
  return found
}

const indexIn = (edges: readonly number[], at: number): number => edges.findLastIndex((edge) => edge <= at)

/**
 * The parts of a text at some upright lines that it stands across: the library joins words of neighbouring cells. Null where no
 * blank is close to such a line, by the share of the text before it.
 */
function partsOf<Item extends Placed>(item: Item, lines: readonly number[]): Item[] | null {
  const { text, x, width, height } = item
  const blanks = [...text.matchAll(/\s+/g)].map(({ 0: { length }, index }) => {
    const share = (index + length / 2) / text.length
    return { index, x: x + width * (isRightToLeft(text) ? 1 - share : share) }
  })
  const reach = blanks.length === lines.length ? height : height / 2
  const cuts = lines.map((line) => blanks.find((blank) => Math.abs(blank.x - line) < reach && blanks.every((other) => Math.abs(other.x - line) >= Math.abs(blank.x - line)))?.index)
  const at = [0, ...new Set(cuts.filter((cut) => cut !== undefined))].toSorted((a, b) => a - b)
  if (at.length <= lines.length) return null
  const words = at.map((from, i) => text.slice(from, at[i + 1]).trim())
  if (isRightToLeft(text)) words.reverse()
  const [lefts, rights] = [[x, ...lines.map((line) => line + 1)], [...lines.map((line) => line - 1), x + width]]
  return words.map((word, i) => ({ ...item, text: word, x: lefts[i] ?? x, width: (rights[i] ?? x) - (lefts[i] ?? x) }))
}

/** Puts texts in the cells of a grid; null when some stand across its lines. */
function filled<Item extends Placed>(frame: Frame, rules: Rules, items: readonly Item[]): Item[][][] | null {
  const { xs, ys } = frame
  const owner = owners(frame, rules)
  const cells: Item[][][] = owner.map((row) => row.map(() => []))
  const width = xs.length - 1
  for (const item of items) {
    const row = owner[ys.findLastIndex((y) => y >= item.y + item.height / 3)] ?? []
    const [from, to] = [indexIn(xs, item.x + 1), indexIn(xs, item.x + item.width - 1)]
    const lines = xs.slice(from + 1, to + 1).filter((_, i) => row[from + i] !== row[from + i + 1])
    const parts = lines.length === 0 ? [item] : partsOf(item, lines)
    if (parts === null) return null
    for (const part of parts) {
      const own = row[indexIn(xs, part.x + 1)]
      if (own === undefined) return null
      cells[Math.floor(own / width)]?.[own % width]?.push(part)
    }
  }
  return cells
}

/** A table with several columns and rows, most of them with several texts: a form of two boxes, or a diagram, is none. */
export function isTable(cells: readonly (readonly (readonly Placed[])[])[]): boolean {
  const counts = cells.map((row) => row.filter((cell) => cell.length > 0).length).filter((count) => count > 0)
  return counts.length > 1 && counts.filter((count) => count > 1).length * 2 > counts.length
}

/** The grids of a page: what stands in each, and in its cells. */
function framesIn<Item extends Placed>(rules: Rules, items: readonly Item[]): { readonly left: number; readonly own: readonly Item[]; readonly cells: readonly (readonly (readonly Item[])[])[] }[] {
  const texts = items.filter(({ itemType, text }) => itemType === 'Text' && text.trim() !== '')
  return groupsOf(rules).flatMap((group) => {
    const frame = group.upright.length === 0 ? null : frameOf(group)
    if (frame === null) return []
    const [left = 0, right = 0, top = 0, bottom = 0] = [frame.xs[0], frame.xs.at(-1), frame.ys[0], frame.ys.at(-1)]
    const own = texts.filter(({ x, y, height }) => x > left - near && x < right && y + height / 3 < top && y > bottom - 1)
    const cells = filled(frame, group, own)
    return cells === null ? [] : [{ left, own, cells }]
  })
}

/** The tables of a page that lines show. */
export function gridsIn<Item extends Placed>(rules: Rules, items: readonly Item[]): Grid<Item>[] {
  const done = new Set<Item>()
  return framesIn(rules, items).flatMap(({ left, own, cells }) => {
    // A table within the cell of another is a part of that.
    if (!isTable(cells) || own.some((item) => done.has(item))) return []
    for (const item of own) done.add(item)
    return [{ left, items: own, cells: withoutEmpty(cells), areTexts: areHeaded(cells) }]
  })
}

/** The forms of a page that lines show: labels, each with a field to be filled in at its right. */
export function formsIn<Item extends Placed>(rules: Rules, items: readonly Item[]): Grid<Item>[] {
  const isForm = ([label = [], ...fields]: readonly (readonly Item[])[]): boolean => label.length > 0 && fields.length > 0 && fields.every((field) => field.length === 0)
  return framesIn(rules, items).filter(({ cells }) => cells.length > 1 && cells.every(isForm)).map(({ left, own, cells }) => ({ left, items: own, cells: cells.map((row) => row.slice(0, 2)), areTexts: false }))
}

/** The rows and columns that have text: borders drawn twice make others. */
function withoutEmpty<Item>(cells: readonly (readonly (readonly Item[])[])[]): (readonly (readonly Item[])[])[] {
  const isFull = (_: unknown, at: number): boolean => cells.some((row) => (row[at]?.length ?? 0) > 0)
  return cells.filter((row) => row.some((cell) => cell.length > 0)).map((row) => row.filter(isFull))
}
