import type { Placed } from './anchors.ts'

/** A text run with the size of its letters. */
export interface Sized extends Placed {
  readonly fontSize: number
  readonly rotation: number
  readonly fixedPitch?: boolean
}

/** Text runs that stand beside each other, from the left. */
export interface PageLine {
  readonly text: string
  /** The same where wide gaps part it. */
  readonly parts: readonly string[]
  readonly x: number
  readonly right: number
  /** Of its largest letters. */
  readonly y: number
  readonly size: number
  /** Whether it is all of letters of one width, as code is. */
  readonly isCode: boolean
  /** Whether it begins with a small sign above it. */
  readonly isRaised: boolean
}

/** Pages of more are read without their lines. */
export const mostItems = 10_000
/** Between words, and between parts of a line, by the size of letters. */
const [wordGap, partGap] = [0.15, 2]
/** Of a sign that is raised: its size by that of its line, and how far it is, by its own. */
const [smallSign, raised] = [0.8, 0.2]
/** What is raised, or lowered, stands in the line of what is beside it. */
const sameLine = 0.5

const isText = ({ itemType, text, rotation }: Sized): boolean => itemType === 'Text' && rotation === 0 && text.trim() !== ''

/** How large most letters are. */
export function bodySize(items: readonly Sized[]): number {
  const counts = new Map<number, number>()
  for (const { fontSize, text } of items.filter(isText)) {
    const size = Math.round(fontSize * 2) / 2
    counts.set(size, (counts.get(size) ?? 0) + text.length)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

/** One line of runs that stand in it in any order. */
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

/** The lines of a page from above, whatever its columns. */
export function pageLines(items: readonly Sized[]): PageLine[] {
  const rows: { y: number; runs: Sized[] }[] = []
  for (const run of items.filter(isText).sort((a, b) => b.y - a.y)) {
    const last = rows.at(-1)
    if (last !== undefined && last.y - run.y < run.fontSize * sameLine) last.runs.push(run)
    else rows.push({ y: run.y, runs: [run] })
  }
  return rows.map(({ runs }) => lineOf(runs))
}

/** The lines of a page in the order in which they were drawn, one column after the other; a gap as wide as that between columns ends a line. */
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
