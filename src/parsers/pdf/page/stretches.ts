import type { Sized } from './page-lines.ts'
import { rightOf } from './placed.ts'

/** Multiples of the body size: the least gap between two texts, and before a run that may start one. */
export const leastGutter = 0.55
const leastGap = 0.6
/** The most places where a text may start that are tried, and the fewest lines that start there. */
const [mostEdges, fewestStarts] = [12, 2]
/** Runs whose baselines are closer than this multiple of the font size are in one line. */
const sameLine = 0.5

/** Where text starts behind a gap, on several lines: the places where most do first. */
export function edgesOf(items: readonly Sized[], body: number): number[] {
  const rows = new Map<number, Sized[]>()
  for (const item of items) {
    const key = Math.round(item.y)
    const row = rows.get(key)
    if (row === undefined) rows.set(key, [item])
    else row.push(item)
  }
  const counts = new Map<number, { x: number; count: number }>()
  for (const row of rows.values()) {
    row.sort((a, b) => a.x - b.x)
    for (const [i, { x }] of row.entries()) {
      const before = row[i - 1]
      if (before !== undefined && x - rightOf(before) < body * leastGap) continue
      const known = counts.get(Math.round(x))
      counts.set(Math.round(x), { x: Math.min(known?.x ?? x, x), count: (known?.count ?? 0) + 1 })
    }
  }
  const start = Math.min(...items.map(({ x }) => x))
  const found = [...counts.values()].filter(({ x, count }) => x > start + body * 3 && count >= fewestStarts)
  return found.sort((a, b) => b.count - a.count).slice(0, mostEdges).map(({ x }) => x)
}

/** The runs on both sides of an edge, between two lines that reach over it. */
export interface Stretch<Item> {
  readonly left: Item[]
  readonly right: Item[]
  /** What reaches over the edge before and after. */
  readonly above?: Item | undefined
  below?: Item
}

/** The runs that belong to a stretch of a line, without a gap as between columns, that reaches over an edge. `items` come from top to bottom. */
function runsOver<Item extends Sized>(items: readonly Item[], edge: number, gap: number): ReadonlySet<Item> {
  const over = new Set<Item>()
  for (let at = 0; at < items.length; ) {
    const { y = 0, fontSize = 0 } = items[at] ?? {}
    let end = at + 1
    while (end < items.length && y - (items[end]?.y ?? 0) < fontSize * sameLine) end++
    const row = items.slice(at, end).sort((a, b) => a.x - b.x)
    for (let from = 0; from < row.length; ) {
      let right = rightOf(row[from] ?? { x: 0, width: 0 })
      let to = from + 1
      for (; to < row.length && (row[to]?.x ?? 0) < right + gap; to++) right = Math.max(right, rightOf(row[to] ?? { x: 0, width: 0 }))
      if ((row[from]?.x ?? 0) <= edge - 1 && right >= edge - gap) for (const one of row.slice(from, to)) over.add(one)
      from = to
    }
    at = end
  }
  return over
}

/** `items` come from top to bottom. */
export function stretchesOf<Item extends Sized>(items: readonly Item[], edge: number, body: number): Stretch<Item>[] {
  const found: Stretch<Item>[] = [{ left: [], right: [] }]
  const over = runsOver(items, edge, body * leastGutter)
  for (const item of items) {
    const last = found.at(-1)
    if (over.has(item)) {
      if (last !== undefined) last.below ??= item
      found.push({ left: [], right: [], above: item })
    } else (item.x > edge - 1 ? last?.right : last?.left)?.push(item)
  }
  return found.filter(({ left, right }) => left.length > 0 && right.length > 0)
}
