import { blocksOf, toMarkdown } from '../blocks.ts'
import { lettersOf, PageLetters, type Cut } from '../page/page-letters.ts'
import { bodySize, columnOf, drawnLines, lineOf, type PageLine, type Sized } from '../page/page-lines.ts'

/** A text run whose style the library knows. */
export interface Styled extends Sized {
  readonly isBold: boolean
  readonly isItalic: boolean
}

/** A line of a column, and whether all of its letters are bold or italic. */
export interface ColumnLine extends PageLine {
  readonly isBold: boolean
  readonly isItalic: boolean
}

/** Pages with more items or lines are not meant for reading. */
const [mostItems, mostLines] = [5_000, 500]
/** The least width of a column gutter; the least and the largest indentation; tolerance of a margin: multiples of the font size. */
const [columnGap, leastIndent, mostIndent, sameStart] = [1.3, 0.7, 4, 0.25]
/** A heading is at least this many times as large as body text, and has at most this many characters. */
const [leastLarger, longestHeading] = [1.12, 100]
/** The largest share of a page's letters that are larger than most: beyond it, what is larger is text beside code. */
const mostLarger = 0.2
/** How many letters before and after a start identify its place. */
const [lettersBefore, lettersAfter] = [16, 24]
/** A wider step to the line before, as a multiple of the leading; how far that line ends before the margin, and how far it is away at most, in font sizes. */
const [widerStep, shortBy, farthest] = [1.35, 3, 6]
/** The end of a sentence; notes may be marked there. */
const ended = /[.!?:;…]["'”’»›)\]]*[⁰¹²³⁴-⁹\d*†‡]{0,3}$/u
/** The start of an entry in a list of references. */
const reference = /^\[(?:\d{1,3}|[A-Z][\p{L}+]{1,10}\d{2}[a-z]?)\]\s*\S/u
/** The number of a section before its name. */
const numbered = /^(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}|[A-Z])[.)]?\s+\p{Lu}/u

/** The lines of each column. */
export function columnLines(items: readonly Styled[]): ColumnLine[] {
  const rows = drawnLines(items, columnGap) as Styled[][] // the runs that were passed in
  return rows.map((runs) => ({ ...lineOf(runs), isBold: runs.every(({ isBold }) => isBold), isItalic: runs.every(({ isItalic }) => isItalic) }))
}

/** Where most lines of a column start: those that overlap with a line and have its size. */
function marginOf(lines: readonly ColumnLine[], line: ColumnLine): number {
  const counts = new Map<number, number>()
  for (const { x, right, size } of lines) {
    if (x < line.right && right > line.x && Math.abs(size - line.size) < line.size * 0.05) counts.set(Math.round(x), (counts.get(Math.round(x)) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? line.x
}

/** Whether lines have letters of one size. */
export const isAlike = (a: ColumnLine, b: ColumnLine): boolean => Math.abs(a.size - b.size) < a.size * 0.05

/**
 * The leading of the text of a page: the smallest distance of baselines that occurs more than once. The median is no measure on letters
 * and forms, where most paragraphs are single lines. Infinite when there is none.
 */
function leadingOf(lines: readonly ColumnLine[], body: number): number {
  const counts = new Map<number, number>()
  for (const line of lines) {
    const before = columnOf(lines, line, 1)
    const step = before === undefined || !isAlike(line, before) || Math.abs(line.size - body) > body * 0.05 ? 0 : Math.round((before.y - line.y) * 2) / 2
    if (step > line.size * 0.9) counts.set(step, (counts.get(step) ?? 0) + 1)
  }
  return Math.min(...[...counts].filter(([, count]) => count > 1).map(([step]) => step))
}

/** Whether a line follows at a wider step than the leading on one that ends before the margin. */
function isApart(line: ColumnLine, before: ColumnLine, lines: readonly ColumnLine[], { leading, body }: { readonly leading: number; readonly body: number }): boolean {
  const margin = Math.max(...lines.filter(({ x, right }) => x < line.right && right > line.x).map(({ right }) => right))
  return isAlike(line, before) && Math.abs(line.size - body) < body * 0.05 && before.y - line.y > leading * widerStep && before.right < margin - line.size * shortBy
}

/** Whether a line starts a paragraph: it is indented after the end of a sentence, or starts an entry of a list of references. */
function startsParagraph(line: ColumnLine, before: ColumnLine, lines: readonly ColumnLine[]): boolean {
  if (!isAlike(line, before)) return false
  if (reference.test(line.text)) return lines.filter(({ text, x }) => reference.test(text) && Math.abs(x - line.x) < line.size).length > 1
  const margin = marginOf(lines, line)
  const indent = line.x - margin
  const isMargin = Math.abs(before.x - margin) < line.size * sameStart + 1 || Math.abs(before.x - line.x) < line.size * sameStart
  return indent > line.size * leastIndent && indent < line.size * mostIndent && isMargin && ended.test(before.text) && /^["'“‘„«»‹¿¡(]*[\p{Lu}\p{Lo}\d]/u.test(line.text)
}

/** Whether a line may be a heading that text in another style follows. */
const isName = (line: ColumnLine, after: ColumnLine): boolean => line.text.length <= longestHeading && /^[\p{Lu}\p{Lo}\d¿¡"“«„(§]/u.test(line.text) && /\p{L}{2}/u.test(line.text) && !/[.,;:-]$/.test(line.text) && !line.isCode && !after.isCode

/** Whether a line names a section by its number in a style of its own. */
function isNumbered(line: ColumnLine, after: ColumnLine): boolean {
  const isCapital = line.text === line.text.toUpperCase() && line.x > after.x + line.size * leastIndent && line.right < after.right - line.size * leastIndent
  return numbered.test(line.text) && ((line.isBold && !after.isBold) || (line.isItalic && !after.isItalic) || isCapital)
}

/** The level of a heading by its size, as a multiple of the body size; `heading-levels.ts` makes levels even. */
const levelOf = (times: number): number => (times >= 1.6 ? 1 : times >= 1.3 ? 2 : 3)

/** The starts of paragraphs and headings in the letters of a page, where the library joined them with the text around them. */
function cutsOf(items: readonly Styled[], letters: PageLetters, hasHeadings: boolean): Cut[] {
  const lines = columnLines(items)
  if (lines.length > mostLines) return []
  const body = bodySize(items)
  const isLarge = ({ size }: ColumnLine): boolean => size > body * leastLarger
  const leading = leadingOf(lines, body)
  const letterCount = (some: readonly ColumnLine[]): number => some.reduce((sum, { text }) => sum + text.length, 0)
  const areHeadings = letterCount(lines.filter(isLarge)) < letterCount(lines) * mostLarger
  const cuts: Cut[] = []
  /** Cuts before a line, where it follows another one. */
  const add = (before: string, after: string): void => {
    const wanted = before.slice(-lettersBefore) + after.slice(0, lettersAfter)
    const at = letters.text.indexOf(wanted)
    if (at >= 0 && letters.text.indexOf(wanted, at + 1) < 0) cuts.push({ at: at + Math.min(before.length, lettersBefore), level: null })
  }
  for (const line of lines) {
    const [before, after] = [columnOf(lines, line, 1), columnOf(lines, line, -1)]
    const own = lettersOf(line.text)
    const isLeading = areHeadings && isLarge(line) && (before === undefined || !isAlike(before, line))
    const isFollowed = after !== undefined && isName(line, after) && !isLarge(after) && (isNumbered(line, after) || isLeading)
    if (isFollowed || (!hasHeadings && isLeading && isName(line, line))) {
      const start = letters.text.indexOf(own + (isFollowed ? lettersOf(after.text).slice(0, lettersAfter) : ''))
      const end = start + own.length
      if (start < 0) continue
      if (isFollowed && !letters.isSeam(end)) cuts.push({ at: start, level: levelOf(line.size / body) }, { at: end, level: null, withSigns: true })
      // Where the library marked other headings, it had its reasons to leave a whole paragraph.
      else if (!hasHeadings && letters.isSeam(start) && letters.isSeam(end)) cuts.push({ at: start, level: levelOf(line.size / body) })
    } else {
      const above = before ?? columnOf(lines, line, 1, farthest)
      if (above !== undefined && (startsParagraph(line, above, lines) || isApart(line, above, lines, { leading, body }))) add(lettersOf(above.text), own)
    }
  }
  return cuts
}

/**
 * Splits paragraphs where the positions of lines show that another one starts, or a heading: the library looks for wider
 * leading only, and books mark paragraphs by an indented first line.
 */
export function withParagraphStarts(markdown: string, items: readonly Styled[]): string {
  if (items.length > mostItems || markdown.trim() === '') return markdown
  const blocks = blocksOf(markdown)
  const letters = new PageLetters(blocks)
  const cuts = cutsOf(items, letters, blocks.some(({ kind }) => kind === 'heading'))
  return cuts.length === 0 ? markdown : toMarkdown(letters.split(cuts))
}
