import { type Edges, textsOf } from './body-texts.ts'
import { type PageLine, pageLines, type Run } from './page-lines.ts'
import { edgesOf, isFull, isProse, type Parted, seamsOf, stretchesOf, widthOf } from './side-regions.ts'

/** The fewest lines of a column, and the most of a page. */
const [fewestLines, mostLines] = [3, 500]
/** The least width of the narrower column, as a share of the other's. */
const leastWidth = 0.85
/** Columns are at least this share of lines of prose, and of lines that had no room for the next word. */
const [leastProse, leastFull] = [0.6, 0.5]
/** Lines start at the edge, and are level, with these tolerances in font sizes. */
const [sameStart, level] = [0.3, 0.15]
/** A step larger than this multiple of the font size parts paragraphs. */
const mostStep = 1.9

const rightOf = (lines: readonly PageLine[]): number => Math.max(...lines.map(({ right }) => right))

/** The lines that start a paragraph, a heading or a cell, without the first. */
function startsOf(lines: readonly PageLine[]): PageLine[] {
  const right = rightOf(lines)
  return lines.slice(1).filter((line, i) => {
    const above = lines[i] ?? line
    return above.y - line.y > line.size * mostStep || !isFull(above, line, right)
  })
}

/** Whether lines are a column of running text. */
function isColumn(lines: readonly PageLine[]): boolean {
  const prose = lines.filter(isProse).length
  return lines.length >= fewestLines && lines.length <= mostLines && prose >= lines.length * leastProse && startsOf(lines).length <= (lines.length - 1) * leastFull
}

/** Whether two texts are rows of a table: what starts on the one side does so on the other, too. */
function areRows(left: readonly PageLine[], right: readonly PageLine[]): boolean {
  const [starts, others] = [startsOf(right), startsOf(left)]
  return starts.some(({ y, size }) => others.some((other) => Math.abs(other.y - y) < size * level))
}

/**
 * Parts a page with two columns of running text of about the same width, of which the second goes on where the first ends. Null
 * when there are none, or any doubt. `edges` are the lines that may be headers or footers.
 */
export function columnRegions<Item extends Run>(items: readonly Item[], edges: Edges): Parted<Item> | null {
  const found = textsOf(items, edges)
  if (found === null) return null
  const { heads, others, body } = found
  for (const edge of edgesOf(others, body)) {
    for (const stretch of stretchesOf(others, edge, body)) {
      const [left, right] = [pageLines(stretch.left), pageLines(stretch.right)]
      const [one, other] = [widthOf(left), widthOf(right)]
      const last = left.at(-1)
      if (last === undefined || Math.min(one, other) < Math.max(one, other) * leastWidth || !isColumn(left) || !isColumn(right)) continue
      const atEdge = right.filter(({ x, size }) => x < edge + size * sameStart).length
      if (atEdge * 2 < right.length || areRows(left, right)) continue
      const own = new Set(stretch.right)
      return { main: [...heads, ...others.filter((item) => !own.has(item))], asides: [{ items: stretch.right, beside: last, isBefore: false, goesOn: true }], seams: [...seamsOf(left, right), ...seamsOf(right, left)] }
    }
  }
  return null
}
