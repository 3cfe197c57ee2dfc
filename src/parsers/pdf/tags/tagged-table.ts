/** A cell of a tagged table: its markdown, and its horizontal extent where known. */
export interface TaggedCell {
  readonly text: string
  readonly head: boolean
  readonly left: number | null
  readonly right: number | null
}

type Row = readonly TaggedCell[]

/** The horizontal extent of each column, by the rows that have a cell in every column. */
function columnsOf(rows: readonly Row[], count: number): readonly (readonly [number, number])[] {
  const full = rows.filter((row) => row.length === count)
  return Array.from({ length: count }, (_, i) => {
    const cells = full.flatMap((row) => row[i] ?? [])
    return [Math.min(...cells.map(({ left }) => left ?? Infinity)), Math.max(...cells.map(({ right }) => right ?? -Infinity))] as const
  })
}

/** Assigns the cells of a row to columns by position: tags do not say how many columns or rows a cell spans. */
function placed(row: Row, columns: readonly (readonly [number, number])[]): readonly string[] {
  const cells = columns.map(() => '')
  let next = 0
  row.forEach((cell, i) => {
    const last = columns.length - (row.length - i)
    let at = next
    if (cell.left !== null && cell.right !== null) {
      const [left, right] = [cell.left, cell.right]
      const shared = columns.slice(next, last + 1).map(([from, to]) => Math.min(right, to) - Math.max(left, from))
      const most = Math.max(...shared)
      if (most > 0) at = next + shared.indexOf(most)
    }
    cells[at] = cell.text
    next = at + 1
  })
  return cells
}

const line = (cells: readonly string[]): string => `|${cells.join('|')}|`

/** Rows of cells as a markdown table; '' when all are empty. */
export function tableMarkdown(rows: readonly Row[]): string {
  const filled = rows.filter((row) => row.some(({ text }) => text !== ''))
  const count = Math.max(0, ...filled.map((row) => row.length))
  if (count === 0) return ''
  const columns = filled.some((row) => row.length < count) ? columnsOf(filled, count) : []
  const [head = [], ...body] = filled.map((row) => line(row.length === count ? row.map(({ text }) => text) : placed(row, columns)))
  return [head, line(Array.from({ length: count }, () => '---')), ...body].join('\n')
}
