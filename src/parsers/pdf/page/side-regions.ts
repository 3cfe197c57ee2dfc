import { type Edges, textsOf, word } from './body-texts.ts'
import { type PageLine, pageLines, type Run, type Sized } from './page-lines.ts'
import { lettersOf } from './page-letters.ts'
import { rightOf } from './placed.ts'
import { edgesOf, leastGutter, type Stretch, stretchesOf } from './stretches.ts'

/** Text beside the running text of a page. */
export interface Aside<Item> {
  readonly items: readonly Item[]
  /** The line of the running text whose paragraph it is read before or after. */
  readonly beside: PageLine
  readonly isBefore: boolean
  /** Whether the text goes on from that line, as in the next column. */
  readonly goesOn?: boolean
}

/** A page in two texts, each with its own lines. */
export interface Parted<Item> {
  readonly main: readonly Item[]
  readonly asides: readonly Aside<Item>[]
  /** Lines that follow one another in one of the texts, as their letters: a reading that mixes the texts has them apart. */
  readonly seams: readonly string[]
}

/** Texts with more lines are not meant for reading. */
const mostLines = 500
/** Of a text in columns, the least share of its runs in each, and the most that reach over their gap. */
const [leastColumn, mostCrossing] = [0.25, 0.15]
/** The widest text beside another, as a share of the other's width. */
const widestSide = 0.75
/** The fewest lines of running text beside a stretch of notes, and of notes on a page. */
const [fewestMain, fewestSide] = [3, 2]
/** The largest step within a paragraph, in font sizes; a larger step than this multiple of the leading parts paragraphs. */
const [mostLeading, apart] = [1.9, 1.35]
/** Baselines and middles that differ by less than this multiple of the font size are level. */
const level = 0.15
/** How far a label of one line is from the baseline of its text at most, in font sizes. */
const nearLabel = 0.5
/** Lines of the right text start at its edge, with this tolerance. */
const sameStart = 0.3
/** Notes are further apart than this, in font sizes. */
const betweenNotes = 2.5
/** A column has many lines close together, and headings or this many lines. */
const [closeLines, leastFilled, longColumn] = [6, 0.6, 12]
/** How many letters at a line end and start identify a seam. */
const seamLetters = 10

export const widthOf = (lines: readonly PageLine[]): number => Math.max(...lines.map(({ right }) => right)) - Math.min(...lines.map(({ x }) => x))

/** Whether a line may be one of running text: it has several words, without wide gaps between them. */
export const isProse = ({ text, parts, isCode }: PageLine): boolean => parts.length === 1 && !isCode && (/(?:\p{L}{2,}\P{L}+){3}\p{L}{2}/u.test(text) || /\p{Lo}{8}/u.test(text))

/** Lines in groups: a step larger than `most` parts them. */
function groupsOf(lines: readonly PageLine[], most: number): PageLine[][] {
  const groups: PageLine[][] = []
  for (const line of lines) {
    const last = groups.at(-1)
    const above = last?.at(-1)
    if (last !== undefined && above !== undefined && above.y - line.y < most) last.push(line)
    else groups.push([line])
  }
  return groups
}

/** Whether a line of running text had no room for the first word of the next, which follows it closely. */
export function isFull(above: PageLine, below: PageLine, right: number): boolean {
  const word = below.text.split(/\s/)[0] ?? ''
  const step = above.y - below.y
  return step < below.size * mostLeading && above.right + ((below.right - below.x) * (word.length + 1)) / Math.max(1, below.text.length) > right - below.size
}

/** Whether lines of a text run on into one that reaches over the edge: the edge is a gap between words that happen to be in a column. */
function runsOn(line: PageLine | undefined, other: PageLine | undefined, over: Sized | undefined): boolean {
  if (line === undefined || other === undefined || over === undefined) return false
  return Math.abs(line.y - other.y) < line.size * level && Math.abs(over.y - line.y) < line.size * mostLeading && Math.abs(over.fontSize - line.size) < line.size * level
}

/** The running text beside notes, with what is needed to compare them. */
interface Column {
  readonly lines: readonly PageLine[]
  readonly right: number
  /** Paragraphs, as far as a gap parts them. */
  readonly groups: readonly (readonly PageLine[])[]
}

function columnFrom(lines: readonly PageLine[]): Column {
  const right = Math.max(...lines.map((line) => line.right))
  const steps = lines.slice(1).flatMap((line, i) => (isFull(lines[i] ?? line, line, right) ? [(lines[i]?.y ?? 0) - line.y] : []))
  return { lines, right, groups: groupsOf(lines, Math.min(...steps) * apart) }
}

/** Whether a note has no row in a table: it starts and stands where no paragraph does. */
function isOwn(note: readonly PageLine[], column: Column, notes: readonly (readonly PageLine[])[]): boolean {
  const { lines, groups } = column
  const [first, last] = [note[0], note.at(-1)]
  if (first === undefined || last === undefined) return false
  const isLevel = (a: number, b: number): boolean => Math.abs(a - b) < first.size * level
  const isRow = groups.some((group, i) => {
    const [top, bottom] = [group[0]?.y ?? 0, group.at(-1)?.y ?? 0]
    const isBeforeNext = last.y > (groups[i + 1]?.[0]?.y ?? -Infinity)
    if (isLevel(top, first.y) && isBeforeNext) return true
    if (group.length <= note.length || !isLevel((top + bottom) / 2, (first.y + last.y) / 2)) return false
    return notes.every((other) => other === note || (other[0]?.y ?? 0) > top + first.size || (other[0]?.y ?? 0) < bottom - first.size)
  })
  if (isRow) return false
  // A label of one line may be in other letters than its text.
  if (note.length === 1) return !isInRow(first, column, nearLabel)
  if (note.some(({ y }) => !lines.some((line) => isLevel(line.y, y)))) return true
  return !isInRow(first, column)
}

/** Whether a line is level with one that starts something, as the cells of a row are: it has no full line above. */
function isInRow({ y, size }: PageLine, { lines, right }: Column, within = level): boolean {
  const at = lines.findIndex((line) => Math.abs(line.y - y) < size * within)
  const [above, beside] = [lines[at - 1], lines[at]]
  return beside !== undefined && (above === undefined || !isFull(above, beside, right))
}

/** Whether the lines of a text beside the running text are one column, such as a sidebar with headings, instead of single notes. */
function isColumn(lines: readonly PageLine[], isLoud: (line: PageLine) => boolean): boolean {
  const steps = lines.slice(1).map(({ y }, i) => (lines[i]?.y ?? 0) - y)
  const size = Math.min(...lines.map((line) => line.size))
  const filled = steps.reduce((sum, step) => sum + Math.min(step, size * betweenNotes), 0)
  const whole = steps.reduce((sum, step) => sum + step, 0)
  return lines.length >= closeLines && filled > whole * leastFilled && (lines.length >= longColumn || lines.slice(1).some(isLoud))
}

/** The seams of a text at lines beside those of another. */
export function seamsOf(lines: readonly PageLine[], others: readonly PageLine[]): string[] {
  return lines.slice(1).flatMap((line, i) => {
    const above = lines[i]
    if (above === undefined || above.y - line.y > line.size * mostLeading) return []
    const isBeside = others.some(({ y }) => y < above.y + above.size / 2 && y > line.y - line.size / 2)
    return isBeside ? [lettersOf(above.text).slice(-seamLetters) + lettersOf(line.text).slice(0, seamLetters)] : []
  })
}

/** The one for which a distance is smallest. */
function nearest<T>(some: readonly T[], away: (one: T) => number): T | undefined {
  let [best, least]: [T | undefined, number] = [undefined, Infinity]
  for (const one of some) {
    const own = away(one)
    if (own < least) [best, least] = [one, own]
  }
  return best
}

/** Whether a text is in columns itself: nearly all of it is on either side of an edge. */
function areColumns(items: readonly Sized[], body: number): boolean {
  return edgesOf(items, body).some((edge) => {
    const right = items.filter(({ x }) => x > edge - 1).length
    const left = items.filter((item) => rightOf(item) < edge - body * leastGutter).length
    return Math.min(left, right) > items.length * leastColumn && left + right > items.length * (1 - mostCrossing)
  })
}

/** Where a text may start, the body size of the page, and how many lines the page has. */
interface Place {
  readonly edge: number
  readonly body: number
  readonly count: number
}

/** The notes of a stretch beside its running text; null when it may be a table, or two columns. */
function partsOf<Item extends Run>(stretch: Stretch<Item>, { edge, body, count }: Place): Parted<Item> | null {
  const [left, right] = [pageLines(stretch.left), pageLines(stretch.right)]
  if (right.filter(({ x, size }) => x < edge + size * sameStart).length * 2 < right.length) return null
  const isLeft = widthOf(left) < widthOf(right)
  const [side, main] = isLeft ? [left, right] : [right, left]
  if (main.length < fewestMain || main.length > mostLines || side.length > mostLines || widthOf(side) > widthOf(main) * widestSide || side.filter(({ text }) => word.test(text)).length * 2 < side.length) return null
  if (runsOn(side[0], main[0], stretch.above) || runsOn(side.at(-1), main.at(-1), stretch.below)) return null
  const column = columnFrom(main)
  const beside = main.filter(({ y, size }) => side.some((line) => Math.abs(line.y - y) < size * betweenNotes))
  const running = main.slice(1).filter((line, i) => isProse(line) && isFull(main[i] ?? line, line, column.right))
  const levelled = side.filter(({ y, size }) => main.some((line) => Math.abs(line.y - y) < size * level))
  const isLevel = levelled.length * 2 > side.length
  if (beside.length < fewestMain || running.length < (levelled.length * 3 < side.length && side.length >= closeLines ? 1 : 2)) return null
  // Lines of the same leading are more likely a table: then prose must be beside them, on most of the page.
  if (isLevel && (beside.filter(isProse).length * 2 < beside.length || main.length * 2 < count)) return null
  if (side.filter((line) => isInRow(line, column)).length * 2 > side.length) return null
  if (areColumns(isLeft ? stretch.right : stretch.left, body)) return null
  const size = Math.max(...side.map((line) => line.size))
  const paragraphs = groupsOf(side, Math.min(...side.map((line) => line.size)) * mostLeading)
  if (paragraphs.filter((note) => isOwn(note, column, paragraphs)).length * 2 <= paragraphs.length) return null
  const items = isLeft ? stretch.left : stretch.right
  const bold = items.filter(({ isBold }) => isBold)
  const isLoud = (line: PageLine): boolean => bold.some(({ y }) => Math.abs(y - line.y) < 1) || line.size > Math.min(...side.map((other) => other.size)) * 1.15
  const last = main.at(-1) ?? column.lines[0]
  const isWhole = isColumn(side, isLoud)
  const notes = (isWhole ? [side] : groupsOf(side, size * betweenNotes)).map((lines) => ({ lines, items: [] as Item[] })) // filled below
  for (const item of items) nearest(notes, ({ lines }) => Math.min(...lines.map(({ y }) => Math.abs(y - item.y))))?.items.push(item)
  const asides = notes.flatMap((note): Aside<Item>[] => {
    const [first] = note.lines
    const near = isWhole ? last : nearest(main, ({ y }) => Math.abs(y - (first?.y ?? 0)))
    if (near === undefined || first === undefined || note.items.length === 0) return []
    const isBefore = !isWhole && isLeft && isInRow(first, column, nearLabel)
    // A label of one line stays in the line of its text.
    return isBefore && note.lines.length === 1 ? [] : [{ items: note.items, beside: near, isBefore }]
  })
  return { main: isLeft ? stretch.right : stretch.left, asides, seams: [...seamsOf(main, side), ...seamsOf(side, main)] }
}

/** The page with the notes at one edge; null when there are none. */
function partedAt<Item extends Run>(texts: readonly Item[], place: Place): Parted<Item> | null {
  const parts = stretchesOf(texts, place.edge, place.body).flatMap((stretch) => partsOf(stretch, place) ?? [])
  const asides = parts.flatMap((part) => part.asides)
  const own = new Set(asides.flatMap(({ items }) => items))
  return own.size < fewestSide ? null : { main: texts.filter((item) => !own.has(item)), asides, seams: parts.flatMap(({ seams }) => seams) }
}

const sizeOf = ({ asides }: Parted<unknown>): number => asides.reduce((sum, { items }) => sum + items.length, 0)

/**
 * Parts the running text of a page from narrower text beside it: margin notes, sidebars, address blocks. They are told from
 * columns of a table by their lines, which are not in rows with those of the running text. `edges` are the lines that may be
 * headers or footers: they have no notes. Null when there is no such text, or any doubt.
 */
export function sideRegions<Item extends Run>(items: readonly Item[], edges: Edges): Parted<Item> | null {
  const found = textsOf(items, edges)
  if (found === null) return null
  const { heads, others, body } = found
  const bestOf = (main: readonly Item[]): Parted<Item> | undefined => edgesOf(main, body).flatMap((edge) => partedAt(main, { edge, body, count }) ?? []).sort((a, b) => sizeOf(b) - sizeOf(a))[0]
  const count = new Set(others.map(({ y }) => Math.round(y))).size
  const one = bestOf(others)
  if (one === undefined) return null
  // There may be notes on both sides.
  const two = bestOf(one.main)
  return { main: [...heads, ...(two ?? one).main], asides: [...one.asides, ...(two?.asides ?? [])], seams: [...one.seams, ...(two?.seams ?? [])] }
}
