import { type Cell, table } from '../html.ts'

/** The bounds of a shape, in units of its group. */
export interface Place {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface PlacedCell extends Place {
  readonly html: string
}

/** Edges closer than this are the same, because programs round. Untouched rows may be as low as 1. */
const maxRounding = 4
const maxColumns = 200
const maxCells = 100_000

interface Edges {
  /** The number of columns or rows between them. */
  readonly between: number
  of(value: number): number
}

function edges(sides: readonly (readonly [from: number, to: number])[]): Edges {
  const smallest = sides.reduce((least, [from, to]) => Math.min(least, to - from), Infinity)
  const near = Math.min(maxRounding, Math.max(0, (smallest - 1) / 2))
  const index = new Map<number, number>()
  let last = -1
  let edge = -Infinity
  for (const value of sides.flat().toSorted((a, b) => a - b)) {
    if (value - edge > near) {
      edge = value
      last++
    }
    index.set(value, last)
  }
  return { between: last, of: (value) => index.get(value) ?? last }
}

/** A table from the bounds of its cells; undefined when they form none. */
export function tableOf(cells: readonly PlacedCell[]): string | undefined {
  const columns = edges(cells.map(({ left, right }) => [left, right]))
  const rows = edges(cells.map(({ top, bottom }) => [top, bottom]))
  if (columns.between <= 0 || rows.between <= 0 || columns.between > maxColumns || columns.between * rows.between > maxCells) return undefined
  // Cells by row; null where a cell spans from the left or from above.
  const grid: (Cell | null | undefined)[][] = Array.from({ length: rows.between }, () => Array.from({ length: columns.between }))
  for (const { left, right, top, bottom, html } of cells) {
    const [row, column, rowEnd, columnEnd] = [rows.of(top), columns.of(left), rows.of(bottom), columns.of(right)]
    if (rowEnd <= row || columnEnd <= column) return undefined
    for (const line of grid.slice(row, rowEnd)) {
      if (line.slice(column, columnEnd).some((cell) => cell !== undefined)) return undefined
      line.fill(null, column, columnEnd)
    }
    grid[row]?.fill({ html, columns: columnEnd - column, rows: rowEnd - row }, column, column + 1)
  }
  // An empty cell in a gap keeps the others in their columns.
  return table(grid.map((line) => line.map((cell) => (cell === undefined ? { html: '' } : cell)).filter((cell) => cell !== null)), grid.length > 1 ? 1 : 0)
}
