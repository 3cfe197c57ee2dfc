import type { PageDrawing } from '../shapes/page-drawings.ts'
import type { Edges } from './body-texts.ts'
import { lettersOf } from './page-letters.ts'
import { bodySize, pageLines, type Run, type Sized } from './page-lines.ts'
import { isText, rightOf } from './placed.ts'
import type { Aside, Parted } from './side-regions.ts'
import { type ColumnSigns, inColumns, level, mostLevel } from './slide-columns.ts'
import { withMarkers } from './slide-markers.ts'

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

/** What is known of a slide before its texts. */
export interface SlidePage {
  readonly drawing: PageDrawing
  /** What stands in small letters at the same place of most slides, by `placeOf`: a sidebar, if beside the others. */
  readonly running: ReadonlySet<string>
}

/** What the texts of a slide are told by. */
export interface SlideWork extends SlidePage, ColumnSigns {
  /** Lines that may be headers or footers. */
  readonly edges: readonly (Edges[number] & { readonly edge: 'top' | 'bottom' })[]
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
