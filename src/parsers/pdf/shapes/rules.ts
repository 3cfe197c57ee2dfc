import type { Shape } from './drawn-shapes.ts'

/** A straight line: its position across, and where it starts and ends. */
export interface Rule {
  readonly at: number
  readonly from: number
  readonly to: number
}

/** The lines of a table, or of several: horizontal ones by height, upright ones from left to right. */
export interface Rules {
  readonly across: readonly Rule[]
  readonly upright: readonly Rule[]
}

/** The thickest line, and the shortest one. */
const [thickest, shortest] = [3, 5]
/** How far apart lines are one, in points: browsers draw each side of a cell for itself. */
export const near = 4
/** Most lines of a page of each direction: what has more is a drawing. */
const mostRules = 2_000

/** Joins pieces of lines at one position. */
export function joined(pieces: readonly Rule[]): Rule[] {
  const sorted = pieces.toSorted((a, b) => a.at - b.at)
  const rows: Rule[][] = []
  for (const piece of sorted) {
    const row = rows.at(-1)
    if (row?.[0] !== undefined && piece.at - row[0].at < near) row.push(piece)
    else rows.push([piece])
  }
  return rows.flatMap((row) => {
    const at = row.reduce((sum, piece) => sum + piece.at, 0) / row.length
    const lines: { at: number; from: number; to: number }[] = []
    for (const { from, to } of row.toSorted((a, b) => a.from - b.from)) {
      const last = lines.at(-1)
      if (last !== undefined && from - last.to < near) last.to = Math.max(last.to, to)
      else lines.push({ at, from, to })
    }
    return lines
  })
}

/** The straight lines among shapes, with pieces joined; null when there are more than a table has. */
export function rulesOf(shapes: readonly Shape[]): Rules | null {
  const straight = shapes.filter(({ isRound }) => !isRound)
  const across = straight.filter(({ left, right, top, bottom }) => top - bottom < thickest && right - left > shortest).map(({ left, right, top, bottom }) => ({ at: (top + bottom) / 2, from: left, to: right }))
  const upright = straight.filter(({ left, right, top, bottom }) => right - left < thickest && top - bottom > shortest).map(({ left, right, top, bottom }) => ({ at: (left + right) / 2, from: bottom, to: top }))
  return across.length > mostRules || upright.length > mostRules ? null : { across: joined(across), upright: joined(upright) }
}

/** Whether two lines cross or touch. */
const meet = (across: Rule, upright: Rule): boolean => upright.at > across.from - near && upright.at < across.to + near && across.at > upright.from - near && across.at < upright.to + near

/** Positions in order, those that are nearly the same once. */
export function steps(positions: readonly number[]): number[] {
  const found: number[] = []
  for (const at of positions.toSorted((a, b) => a - b)) if (found.length === 0 || at - (found.at(-1) ?? 0) > near) found.push(at)
  return found
}

/** The lines that hang together, each group for itself: a grid. */
export function groupsOf({ across, upright }: Rules): Rules[] {
  const owner = new Map<Rule, { across: Rule[]; upright: Rule[] }>()
  for (const line of upright) owner.set(line, { across: [], upright: [line] })
  for (const line of across) {
    const group: { across: Rule[]; upright: Rule[] } = { across: [line], upright: [] }
    owner.set(line, group)
    for (const other of upright) {
      const own = owner.get(other)
      if (own === undefined || own === owner.get(line) || !meet(line, other)) continue
      const into = owner.get(line) ?? group
      into.across.push(...own.across)
      into.upright.push(...own.upright)
      for (const one of [...own.across, ...own.upright]) owner.set(one, into)
    }
  }
  return [...new Set(owner.values())]
}
