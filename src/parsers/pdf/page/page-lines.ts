import type { Placed } from './placed.ts'

/** A text run with its font size and rotation. */
export interface Sized extends Placed {
  readonly fontSize: number
  readonly rotation: number
  readonly fixedPitch?: boolean
}

/** A text run whose style is known. */
export interface Run extends Sized {
  readonly isBold: boolean
  readonly isItalic: boolean
}

/** The text runs on one baseline, from left to right. */
export interface PageLine {
  readonly text: string
  /** The text, split at wide gaps. */
  readonly parts: readonly string[]
  readonly x: number
  readonly right: number
  /** The baseline of the largest letters. */
  readonly y: number
  /** The font size of the largest letters. */
  readonly size: number
  /** Whether all letters are monospaced, as in code. */
  readonly isCode: boolean
  /** Whether the line begins with a superscript. */
  readonly isRaised: boolean
}

/** Rules that need lines skip pages with more items. */
export const mostItems = 10_000
/** The least gap between words, and between the parts of a line; multiples of the font size. */
const [wordGap, partGap] = [0.15, 2]
/** A superscript: its font size at most, relative to the line's; how far it is raised at least, relative to its own. */
const [smallSign, raised] = [0.8, 0.2]
/** Baselines closer than this multiple of the font size are one line, so that superscripts and subscripts stay in it. */
const sameLine = 0.5

const isText = ({ itemType, text, rotation }: Sized): boolean => itemType === 'Text' && rotation === 0 && text.trim() !== ''

/** The body size of a page: the font size of most of its letters. */
export function bodySize(items: readonly Sized[]): number {
  const counts = new Map<number, number>()
  for (const { fontSize, text } of items.filter(isText)) {
    const size = Math.round(fontSize * 2) / 2
    counts.set(size, (counts.get(size) ?? 0) + text.length)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

/** Makes a line of its runs, which may come in any order. */
export function lineOf(runs: readonly Sized[]): PageLine {
  const row = runs.toSorted((a, b) => a.x - b.x)
  const parts: string[] = []
  let right = -Infinity
  let largest: Sized | undefined
  for (const run of row) {
    const gap = run.x - right
    if (gap > run.fontSize * partGap) parts.push(run.text)
    else parts.push((parts.pop() ?? '') + (gap < run.fontSize * wordGap ? '' : ' ') + run.text)
    right = Math.max(right, run.x + run.width)
    if (largest === undefined || run.fontSize > largest.fontSize) largest = run
  }
  const [first] = row
  const isRaised = /^[⁰¹²³⁴-⁹]/.test(first?.text ?? '') || (first !== undefined && largest !== undefined && first.text.trim().length <= 3 && first.fontSize < largest.fontSize * smallSign && first.y > largest.y + first.fontSize * raised)
  const tidy = parts.map((part) => part.replace(/\s+/g, ' ').trim())
  return { text: tidy.join(' '), parts: tidy, x: row[0]?.x ?? 0, right, y: largest?.y ?? 0, size: largest?.fontSize ?? 0, isCode: row.every(({ fixedPitch, text }) => fixedPitch === true || !/\p{L}{2}/u.test(text)), isRaised }
}

/** The lines of a page from top to bottom, each across all columns. */
export function pageLines(items: readonly Sized[]): PageLine[] {
  const rows: { y: number; runs: Sized[] }[] = []
  for (const run of items.filter(isText).sort((a, b) => b.y - a.y)) {
    const last = rows.at(-1)
    if (last !== undefined && last.y - run.y < run.fontSize * sameLine) last.runs.push(run)
    else rows.push({ y: run.y, runs: [run] })
  }
  return rows.map(({ runs }) => lineOf(runs))
}

/**
 * The lines of a page in drawing order, which reads one column after the other. A gap of `columnGap` font sizes ends a
 * line.
 */
export function drawnLines(items: readonly Sized[], columnGap: number): Sized[][] {
  const rows: Sized[][] = []
  let right = 0
  for (const run of items.filter(isText)) {
    const row = rows.at(-1)
    const last = row?.at(-1)
    const gap = run.x - right
    const isSame = last !== undefined && Math.abs(last.y - run.y) < Math.max(last.fontSize, run.fontSize) * sameLine && gap > -run.fontSize && gap < run.fontSize * columnGap
    if (isSame) row?.push(run)
    else rows.push([run])
    right = run.x + run.width
  }
  return rows
}

/** The largest distance of adjacent baselines within a text, as a multiple of the font size. */
export const mostLeading = 2.5

/** The line above (1) or below (-1) a line in the same column; undefined when there is none within `most` font sizes. */
export function columnOf<Line extends PageLine>(lines: readonly Line[], line: Line, way: 1 | -1, most = mostLeading): Line | undefined {
  let best: Line | undefined
  for (const other of lines) {
    const away = (other.y - line.y) * way
    if (away > line.size * sameLine && away < line.size * most && other.x < line.right && other.right > line.x && (best === undefined || away < (best.y - line.y) * way)) best = other
  }
  return best
}
