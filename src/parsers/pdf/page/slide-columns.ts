import type { PageDrawing } from '../shapes/page-drawings.ts'
import { rulesOf } from '../shapes/rules.ts'
import { areRows } from './column-regions.ts'
import { bodySize, type PageLine, pageLines, type Run, type Sized } from './page-lines.ts'
import { isFull, isProse, seamsOf } from './side-regions.ts'
import { bulletSigns } from './slide-markers.ts'
import { edgesOf, type Stretch, stretchesOf } from './stretches.ts'

/** What columns are told by, beside the texts of a slide. */
export interface ColumnSigns {
  readonly drawing: PageDrawing
  /** The texts of items whose markers are drawn. */
  readonly bullets: ReadonlySet<string>
}

/** Texts in the order in which they are read, and the seams of columns among them. */
interface Parts<Item> {
  readonly parts: readonly (readonly Item[])[]
  readonly seams: readonly string[]
}

/** The fewest lines of a column, and how far before an edge a marker of an item that starts there may stand, in font sizes. */
const [fewestLines, beforeItem] = [2, 3]
/** Baselines closer than this multiple of the font size are of lines beside each other. */
const beside = 0.8
/** Baselines closer than this multiple of the font size are level, and the share of lines that are level in a table. */
export const [level, mostLevel] = [0.2, 0.75]

/** The sign of an item, or its number. A dash alone, or before a number, is a value that is missing. */
const signed = new RegExp(`^(?:[${bulletSigns}]\\s|[–-]\\s.*\\p{L})`, 'u')
const numberOf = (text: string): number => Number(/^(\d{1,2})[.)]\s/.exec(text)?.[1] ?? NaN)
const bareMarker = new RegExp(`^(?:[${bulletSigns}–-]|\\d{1,2}[.)])$`, 'u')

/** Whether numbers count items, also of several lists: those of dates do not. */
function doCount(numbers: readonly number[]): boolean {
  const known = new Set(numbers)
  return numbers.length > 0 && numbers.slice(1).every((number) => number === 1 || known.has(number - 1))
}

/** Whether lines are a list, by its markers. */
const areItems = (lines: readonly PageLine[], bullets: ColumnSigns['bullets']): boolean =>
  lines.some(({ text, parts: [first = ''] }) => signed.test(first) || bullets.has(text)) || doCount(lines.map(({ text }) => numberOf(text)).filter((number) => !Number.isNaN(number)))

/** Whether an item, or a dash for a value that is missing, stands behind a gap in a line: the line is a row of a table. */
const hasCells = (lines: readonly PageLine[], bullets: ColumnSigns['bullets']): boolean => lines.some(({ parts }) => parts.slice(1).some((part) => signed.test(part) || bareMarker.test(part) || bullets.has(part)))

/** Whether lines are names of rows: they are level with lines of the other side, which goes on between them. */
function areNames(lines: readonly PageLine[], others: readonly PageLine[]): boolean {
  const levelled = lines.filter(({ y, size }) => others.some((other) => Math.abs(other.y - y) < size * level)).length
  const between = lines.slice(1).filter(({ y, size }, i) => others.some((other) => other.y > y + size * level && other.y < (lines[i]?.y ?? 0) - size * level)).length
  return levelled >= lines.length * mostLevel && between * 2 >= lines.length - 1
}

/** Whether a line of prose goes on in the next. */
function runsOn(lines: readonly PageLine[]): boolean {
  const right = Math.max(...lines.map((line) => line.right))
  return lines.slice(1).some((line, i) => isProse(lines[i] ?? line) && isFull(lines[i] ?? line, line, right))
}

/** Whether a line that is drawn within a stretch goes over an edge: between the rows of a table. */
function isRuled([left, right]: readonly [readonly PageLine[], readonly PageLine[]], edge: number, { shapes }: PageDrawing): boolean {
  const heights = [...left, ...right].map(({ y }) => y)
  const [top, bottom] = [Math.max(...heights), Math.min(...heights)]
  return rulesOf(shapes)?.across.some(({ at, from, to }) => at < top && at > bottom && from < edge - 1 && to > edge + 1) ?? true
}

/** Whether lines of both sides are beside each other, not between each other as those of a list within a list. */
const areBeside = (left: readonly PageLine[], right: readonly PageLine[]): boolean => right.filter(({ y, size }) => left.some((line) => Math.abs(line.y - y) < size * beside)).length * 2 >= Math.min(left.length, right.length)

/** Whether both sides of an edge are texts of their own: lists, or prose that does not start at the same heights. */
function areColumns(stretch: Stretch<Run>, edge: number, { bullets, drawing }: ColumnSigns): boolean {
  const sides = [pageLines(stretch.left), pageLines(stretch.right)] as const
  const [left, right] = sides
  if (sides.some((lines) => lines.length < fewestLines || !(areItems(lines, bullets) || runsOn(lines)))) return false
  if (stretch.left.some(({ text, x, fontSize }) => bareMarker.test(text.trim()) && x > edge - fontSize * beforeItem)) return false
  return (sides.some((lines) => areItems(lines, bullets)) || !areRows(left, right)) && areBeside(left, right) && !hasCells(left, bullets) && !areNames(left, right) && !isRuled(sides, edge, drawing)
}

/** Where the title of a list starts whose items start at an edge: somewhat before them. */
const titleOver = (edge: number, texts: readonly Sized[]): number => Math.min(edge, ...texts.flatMap(({ x, fontSize }) => (x > edge - fontSize * beforeItem && x < edge ? [x] : [])))

/** The texts down to a height, and those below it. */
function cutAt<Item extends Sized>(texts: readonly Item[], height: number): readonly [above: Item[], below: Item[]] {
  return [texts.filter(({ y }) => y >= height), texts.filter(({ y }) => y < height)]
}

/** Texts by columns: what is above columns is read with the first of them, what is below them after the last. `texts` come from top to bottom. */
export function inColumns<Item extends Run>(texts: readonly Item[], work: ColumnSigns): Parts<Item> {
  const body = bodySize(texts)
  const starts = edgesOf(texts, body)
  // From the left, so that what is right of an edge may have further columns.
  for (const edge of [...new Set(starts.flatMap((start) => [titleOver(start, texts), start]))].sort((a, b) => a - b)) {
    const found = stretchesOf(texts, edge, body).filter((stretch) => areColumns(stretch, edge, work))
    if (found.length === 0) continue
    const right = new Set(found.flatMap((stretch) => stretch.right))
    let rest: readonly Item[] = texts.filter((item) => !right.has(item))
    const made = found.map((stretch): Parts<Item> => {
      const left = new Set(stretch.left)
      const [own, below] = cutAt(rest, Math.min(...stretch.left.map(({ y }) => y)))
      const further = inColumns(stretch.right, work)
      const lines = [pageLines(stretch.left), pageLines(stretch.right)] as const
      rest = below
      return { parts: [own.filter((item) => !left.has(item)), own.filter((item) => left.has(item)), ...further.parts], seams: [...seamsOf(...lines), ...seamsOf(lines[1], lines[0]), ...further.seams] }
    })
    return { parts: [...made.flatMap(({ parts }) => parts), rest].filter((own) => own.length > 0), seams: made.flatMap(({ seams }) => seams) }
  }
  return { parts: [texts], seams: [] }
}
