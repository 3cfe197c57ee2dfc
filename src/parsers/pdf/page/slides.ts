import type { PageDrawing } from '../shapes/page-drawings.ts'
import { rulesOf } from '../shapes/rules.ts'
import type { Edges } from './body-texts.ts'
import { areRows } from './column-regions.ts'
import { lettersOf } from './page-letters.ts'
import { bodySize, type PageLine, pageLines, type Run, type Sized } from './page-lines.ts'
import { rightOf } from './placed.ts'
import { type Aside, isFull, isProse, type Parted, seamsOf } from './side-regions.ts'
import { edgesOf, type Stretch, stretchesOf } from './stretches.ts'

/** A slide is so many times as wide as high at least, and its letters are at least this share of its width. */
const [leastWide, largeLetters] = [1.2, 0.017]
/** How near to its border what is drawn is a bar at the edge, in points. */
const atBorder = 1
/** The size of a title at least, as a multiple of the body size. */
const titleSize = 1.15
/** What runs is on at least so many slides, and on this share of them. */
const [fewestRunning, mostSlides] = [3, 0.6]
/** Slides with more runs are not meant for reading. */
const mostItems = 2_000
/** The fewest lines of a column, and how far before an edge a marker of an item that starts there may stand, in font sizes. */
const [fewestLines, beforeItem] = [2, 3]
/** Baselines closer than this multiple of the font size are of lines beside each other. */
const beside = 0.8
/** A small bullet, or the number of an item in a ball: its size at most, relative to the text, the gap behind it, and how far it is raised at most, in font sizes. */
const [ballSize, leastGap, mostGap, mostRaised] = [0.85, 0.4, 2, 0.4]
/** Baselines closer than this multiple of the font size are level, and the share of lines that are level in a table. */
const [level, mostLevel] = [0.2, 0.75]
/** Numbers whose places differ by less, in points, are below each other. */
const sameStart = 3

/** What is known of a slide before its texts. */
export interface SlidePage {
  readonly drawing: PageDrawing
  /** What stands in small letters at the same place of most slides, by `placeOf`: a sidebar, if beside the others. */
  readonly running: ReadonlySet<string>
}

/** What the texts of a slide are told by. */
export interface SlideWork extends SlidePage {
  /** Lines that may be headers or footers. */
  readonly edges: readonly (Edges[number] & { readonly edge: 'top' | 'bottom' })[]
  /** The texts of items whose markers are drawn. */
  readonly bullets: ReadonlySet<string>
}

/** A slide with its texts apart. */
export interface Slide<Item> extends Parted<Item> {
  /** What it has in common with most slides beside its texts: it is left out. */
  readonly gone: readonly Item[]
  /** Whether markers of items were not as others have them. */
  readonly isMended: boolean
  /** The letters at its edges. */
  readonly edges: readonly string[]
}

const isText = ({ itemType, text }: Sized): boolean => itemType === 'Text' && text.trim() !== ''
const isWide = ({ size }: PageDrawing): boolean => size !== null && size[0] > size[1] * leastWide
/** The size of letters below which they are no text of a slide, but that of its header or footer. */
const smallOn = ({ size }: PageDrawing): number => (size?.[0] ?? 0) * largeLetters

const placeOf = ({ x, y, text }: Sized): string => `${Math.round(x)} ${Math.round(y)} ${text.trim()}`

/** What most slides have in small letters at the same place, such as the outline in a sidebar. */
function runningOn(slides: readonly { readonly drawing: PageDrawing; readonly items: readonly Sized[] }[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const { drawing, items } of slides) for (const place of new Set(items.filter((item) => isText(item) && item.fontSize < smallOn(drawing)).map(placeOf))) counts.set(place, (counts.get(place) ?? 0) + 1)
  return new Set([...counts].flatMap(([place, count]) => (count >= Math.max(fewestRunning, slides.length * mostSlides) ? [place] : [])))
}

/** The slides of a file: pages wider than high, when most pages are that, with large letters. */
export function slidesOf(pages: readonly { readonly drawing: PageDrawing | null; readonly items: readonly Sized[] }[]): readonly (SlidePage | undefined)[] {
  const wide = pages.flatMap(({ drawing, items }) => (drawing !== null && isWide(drawing) ? [{ drawing, items }] : []))
  if (wide.filter(({ drawing, items }) => bodySize(items) > smallOn(drawing)).length * 2 <= pages.length) return pages.map(() => undefined)
  const running = runningOn(wide)
  return pages.map(({ drawing }) => (drawing !== null && isWide(drawing) ? { drawing, running } : undefined))
}

/** What a slide draws, without the bars at its border, which stand behind headers and footers. */
export function withoutBars({ shapes, size }: PageDrawing): PageDrawing['shapes'] {
  const [right, top] = size ?? [Infinity, Infinity]
  return shapes.filter((shape) => shape.left > atBorder && shape.bottom > atBorder && shape.right < right - atBorder && shape.top < top - atBorder)
}

const smallMarker = /^(?:[•●▪◦‣∙▶►■➢✓✔»○>–]|\d{1,2})$/u
/** The sign of an item, or its number. A dash alone, or before a number, is a value that is missing. */
const signed = /^(?:[•●▪◦‣∙▶►■➢✓✔»○]\s|[–-]\s.*\p{L})/u
const numberOf = (text: string): number => Number(/^(\d{1,2})[.)]\s/.exec(text)?.[1] ?? NaN)
const bareMarker = /^(?:[•●▪◦‣∙▶►■➢✓✔»○–-]|\d{1,2}[.)])$/u

/** Whether numbers count items, also of several lists: those of dates do not. */
function doCount(numbers: readonly number[]): boolean {
  const known = new Set(numbers)
  return numbers.length > 0 && numbers.slice(1).every((number) => number === 1 || known.has(number - 1))
}

/** Whether lines are a list, by its markers. */
const areItems = (lines: readonly PageLine[], bullets: SlideWork['bullets']): boolean =>
  lines.some(({ text, parts: [first = ''] }) => signed.test(first) || bullets.has(text)) || doCount(lines.map(({ text }) => numberOf(text)).filter((number) => !Number.isNaN(number)))

/** Whether an item, or a dash for a value that is missing, stands behind a gap in a line: the line is a row of a table. */
const hasCells = (lines: readonly PageLine[], bullets: SlideWork['bullets']): boolean => lines.some(({ parts }) => parts.slice(1).some((part) => signed.test(part) || bareMarker.test(part) || bullets.has(part)))

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
function areColumns(stretch: Stretch<Run>, edge: number, { bullets, drawing }: SlideWork): boolean {
  const sides = [pageLines(stretch.left), pageLines(stretch.right)] as const
  const [left, right] = sides
  if (sides.some((lines) => lines.length < fewestLines || !(areItems(lines, bullets) || runsOn(lines)))) return false
  if (stretch.left.some(({ text, x, fontSize }) => bareMarker.test(text.trim()) && x > edge - fontSize * beforeItem)) return false
  return (sides.some((lines) => areItems(lines, bullets)) || !areRows(left, right)) && areBeside(left, right) && !hasCells(left, bullets) && !areNames(left, right) && !isRuled(sides, edge, drawing)
}

/** Texts in the order in which they are read, and the seams of columns among them. */
interface Parts<Item> {
  readonly parts: readonly (readonly Item[])[]
  readonly seams: readonly string[]
}

/** Where the title of a list starts whose items start at an edge: somewhat before them. */
const titleOver = (edge: number, texts: readonly Sized[]): number => Math.min(edge, ...texts.flatMap(({ x, fontSize }) => (x > edge - fontSize * beforeItem && x < edge ? [x] : [])))

/** The texts down to a height, and those below it. */
function cutAt<Item extends Sized>(texts: readonly Item[], height: number): readonly [above: Item[], below: Item[]] {
  return [texts.filter(({ y }) => y >= height), texts.filter(({ y }) => y < height)]
}

/** Texts by columns: what is above columns is read with the first of them, what is below them after the last. `texts` come from top to bottom. */
function inColumns<Item extends Run>(texts: readonly Item[], work: SlideWork): Parts<Item> {
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

/** The text that begins behind a small number, in its line. */
function behind<Item extends Sized>(number: Item, items: readonly Item[]): Item | undefined {
  return items.find((item) => {
    const gap = item.x - number.x - number.width
    const up = number.y - item.y
    return number.fontSize < item.fontSize * ballSize && gap > item.fontSize * leastGap && gap < item.fontSize * mostGap && up > -1 && up < item.fontSize * mostRaised
  })
}

/** Bullets in smaller letters than their items, and numbers of items that are drawn small in a ball, from 1 on below each other, in the size and on the baseline of their texts. */
function withMarkers<Item extends Run>(items: readonly Item[]): ReadonlyMap<Item, Item> {
  const found = items.flatMap((number) => {
    const text = smallMarker.test(number.text.trim()) ? behind(number, items) : undefined
    return text === undefined ? [] : [{ number, text }]
  })
  const bullets = found.filter(({ number }) => !/\d/.test(number.text))
  const lists: { number: Item; text: Item }[][] = []
  for (const one of found.filter((one) => !bullets.includes(one)).toSorted((a, b) => b.number.y - a.number.y)) {
    const list = lists.find((own) => Math.abs((own[0]?.number.x ?? 0) - one.number.x) < sameStart && own.length + 1 === Number(one.number.text))
    if (list !== undefined) list.push(one)
    else if (one.number.text.trim() === '1') lists.push([one])
  }
  const numbers = lists.filter((list) => list.length > 1).flat().map(({ number, text }) => ({ text, number, sign: `${number.text.trim()}.`, width: number.width + text.fontSize / 3 }))
  return new Map([...numbers, ...bullets.map(({ number, text }) => ({ text, number, sign: '•', width: number.width }))].map(({ number, text, sign, width }) => [number, { ...number, text: sign, y: text.y, fontSize: text.fontSize, height: text.height, width }]))
}

/** The rows in small letters at the edges of a slide, from top to bottom. */
function rowsAtEdges<Item extends Run>(items: readonly Item[], { edges, drawing }: SlideWork): { readonly edge: 'top' | 'bottom'; readonly row: readonly Item[] }[] {
  const found = edges.map(({ edge, y }) => ({ edge, row: items.filter((item) => isText(item) && Math.abs(item.y - y) < item.fontSize / 4) }))
  return found.filter(({ row }) => row.length > 0 && row.every(({ fontSize }) => fontSize < smallOn(drawing))).toSorted((a, b) => (b.row[0]?.y ?? 0) - (a.row[0]?.y ?? 0))
}

/** What of the texts that most slides have is a sidebar: beside all others, and no names of their rows. */
function sidebarOf<Item extends Run>(found: readonly Item[], others: readonly Item[]): readonly Item[] {
  const [left, right] = [Math.min(...others.map(({ x }) => x)), Math.max(...others.map(rightOf))]
  const beside = others.length === 0 ? [] : found.filter((item) => rightOf(item) <= left || item.x >= right)
  const levelled = beside.filter(({ y }) => others.some((other) => Math.abs(other.y - y) < other.fontSize * level)).length
  return levelled >= beside.length * mostLevel ? [] : beside
}

/**
 * Parts a slide with texts side by side, which the native library takes for rows of a table or mixes line by line, and from its
 * header and footer, and gives small bullets the size of their items and numbers in balls a full stop. Null when it is not meant for reading.
 */
export function slideOf<Item extends Run>(items: readonly Item[], work: SlideWork): Slide<Item> | null {
  if (items.length > mostItems) return null
  const markers = withMarkers(items)
  const rows = rowsAtEdges(items, work)
  const atEdges = new Set(rows.flatMap(({ row }) => row))
  const shown = items.filter((item) => isText(item) && !atEdges.has(item))
  const isRunning = (item: Item): boolean => work.running.has(placeOf(item))
  const side = sidebarOf(shown.filter(isRunning), shown.filter((item) => !isRunning(item)))
  for (const item of side) atEdges.add(item)
  const texts = shown.filter((item) => !atEdges.has(item)).map((item) => markers.get(item) ?? item).sort((a, b) => b.y - a.y)
  if (texts.some(({ rotation }) => rotation !== 0)) return null
  const body = bodySize(texts)
  const [first] = pageLines(texts)
  // A title belongs to all columns, wherever it stands.
  const title = texts.filter(({ y, fontSize }) => first !== undefined && fontSize > body * titleSize && Math.abs(y - first.y) < fontSize)
  const { parts: [head = [], ...others], seams } = inColumns(texts.filter((item) => !title.includes(item)), work)
  const main = [...title, ...head]
  const lines = pageLines(main)
  const last = lines.at(-1)
  const asides = others.flatMap((own): Aside<Item>[] => (last === undefined ? [] : [{ items: own, beside: last, isBefore: false, goesOn: true }]))
  const edges = rows.flatMap(({ edge, row }): Aside<Item>[] => {
    const line = edge === 'top' ? lines[0] : last
    return line === undefined ? [] : [{ items: row, beside: line, isBefore: edge === 'top', goesOn: edge === 'bottom' }]
  })
  return { main, asides: [...asides, ...edges], gone: side, seams, isMended: markers.size > 0, edges: [...rows.map(({ row }) => row), ...side.map((item) => [item])].map((row) => lettersOf(row.map(({ text }) => text).join(''))) }
}
