import type { Block } from './blocks.ts'
import type { EdgeLine, PageEdges } from './page-edges.ts'
import { namesPart } from './named-parts.ts'
import { type LetterRange, lettersOf, PageLetters } from './page-letters.ts'

/** A page with the lines at its edges, where positions are known. */
interface Sheet {
  readonly pageNumber: number
  readonly blocks: readonly Block[]
  readonly edges?: PageEdges | undefined
}

/** A line is a header or footer when at least this many pages have it: on fewer, a repetition may be chance. */
const fewest = 3
/** A number is a page number when it counts the pages on at least this share of them. */
const leastCounted = 0.2
/** How far the baselines of one header differ from page to page, in points. */
const samePlace = 6
const mostNumbers = 5
/** Within a paragraph, only lines of at least `shortest` letters are searched, up to `depth` letters from the page's edge. */
const [shortest, depth] = [5, 600]
/** How many occurrences of a line's letters are tried. */
const mostTries = 10
/** In a line of at most this many characters, a page number may stand anywhere: "- 3 -", "Page 3 of 12". */
const shortLine = 30

/** A page number that says so, by a word or by the number of pages: no repetition is needed to know it. */
const [called, counted] = [/^(?:page|seite|p[áa]gina|strona|страница|sida|side|sivu|sayfa|strana)\s+(\d{1,5})(?:\s*(?:of|von|de|sur|di|van|av|\/|z|из)\s*\d{1,5})?$/iu, /^(\d{1,5})\s*(?:of|von|sur|\/)\s*(\d{1,5})$/iu]

function isPageNumber(text: string, pageNumber: number, last: number): boolean {
  const line = text.replace(/^[\s–—|-]+|[\s–—|-]+$/g, '')
  const [, number, total] = counted.exec(line) ?? []
  return Number(called.exec(line)?.[1] ?? NaN) === pageNumber || (Number(number ?? NaN) === pageNumber && Number(total) === last)
}

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 }

function romanValue(text: string): number {
  const digits = [...text.toLowerCase()].map((digit) => romanDigits[digit] ?? 0)
  return digits.reduce((sum, digit, i) => sum + (digit < (digits[i + 1] ?? 0) ? -digit : digit), 0)
}

/**
 * The numbers in a line, decimal and Roman, each relative to the page number. `rest` is the line with that number as a
 * placeholder, so that "Page 3" and "Page 4" are equal on adjacent pages.
 */
function numbersOf(text: string, pageNumber: number): { name: string; isAtEnd: boolean; rest: string }[] {
  if (namesPart(text)) return []
  const found = [...text.matchAll(/\d{1,5}/g)].slice(0, mostNumbers).map((match) => ({ kind: 'n', value: Number(match[0]), at: match.index, length: match[0].length }))
  const roman = /^[ivxlc]{1,7}(?!\S)|(?<!\S)[ivxlc]{1,7}$|^[IVXLC]{1,7}(?!\S)|(?<!\S)[IVXLC]{1,7}$/.exec(text)
  if (roman !== null) found.push({ kind: 'r', value: romanValue(roman[0]), at: roman.index, length: roman[0].length })
  return found.map(({ kind, value, at, length }) => {
    const name = `${kind}${value - pageNumber}`
    const isAtEnd = at === 0 || at + length === text.length || text.length <= shortLine
    return { name, isAtEnd, rest: `${text.slice(0, at)}#${name}${text.slice(at + length)}` }
  })
}

/**
 * The keys by which a line is compared with those of other pages: its text at its position (`texts`), and its page number
 * at that position (`counts`). A position has two keys, since rounding may separate neighbours.
 */
function keysOf({ text, edge, y }: EdgeLine, pageNumber: number): { texts: string[]; counts: string[] } {
  const places = [y / samePlace, (y + samePlace / 2) / samePlace].map((place, i) => `${edge}${i}:${Math.round(place)}:`)
  const numbers = numbersOf(text, pageNumber)
  const wordings = [...(/\p{L}{2}/u.test(text) ? [text] : []), ...numbers.map(({ rest }) => rest)]
  return {
    texts: places.flatMap((place) => wordings.map((wording) => place + wording)),
    counts: places.flatMap((place) => numbers.filter(({ isAtEnd }) => isAtEnd).map(({ name }) => place + name)),
  }
}

const raisedDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹'
/** A line that begins with a number and goes on with words. */
const numbered = /^(\d{1,3})[.)]?\s*\p{L}/u
/** The same with a sign behind the number: a heading or an entry of a list. */
const isEntry = /^\d{1,3}[.)]\s+\p{L}/u

/** The numbers of the footnotes to which the text of a page refers. One footnote a page counts the pages, too. */
function notesOn({ blocks, edges }: Sheet): ReadonlySet<string> {
  if (edges === undefined || edges.notes.length === 0) return new Set()
  const text = blocks.flatMap(({ lines }) => lines).join('\n')
  const raised = [...text.matchAll(/<sup>(\d{1,3})<\/sup>|([⁰¹²³⁴-⁹]{1,3})/g)].map(([, plain, digits = '']) => plain ?? [...digits].map((digit) => raisedDigits.indexOf(digit)).join(''))
  return new Set(raised.filter((mark) => edges.notes.some((note) => note.mark === mark)))
}

/** The headers and footers of each page: lines that other pages repeat at the same position, or that count the pages there. */
function runningLines(sheets: readonly Sheet[]): EdgeLine[][] {
  const pages = new Map<string, number>()
  const keyed = sheets.map((sheet) => {
    const notes = notesOn(sheet)
    return (sheet.edges?.lines ?? []).map((line) => {
      const keys = keysOf(line, sheet.pageNumber)
      return { line, texts: keys.texts, counts: isEntry.test(line.text) || notes.has(numbered.exec(line.text)?.[1] ?? '') ? [] : keys.counts }
    })
  })
  for (const lines of keyed) for (const key of new Set(lines.flatMap(({ texts, counts }) => [...texts, ...counts.map((one) => `# ${one}`)]))) pages.set(key, (pages.get(key) ?? 0) + 1)
  const leastCounting = Math.max(fewest, sheets.length * leastCounted)
  return keyed.map((lines, i) => lines.filter(({ line, texts, counts }) => isPageNumber(line.text, sheets[i]?.pageNumber ?? 0, sheets.length) || texts.some((key) => (pages.get(key) ?? 0) >= fewest) || counts.some((key) => (pages.get(`# ${key}`) ?? 0) >= leastCounting)).map(({ line }) => line))
}

/** Whether a range is a whole block, or begins a block near the top edge (ends one near the bottom edge). */
function fits(letters: PageLetters, range: LetterRange, edge: EdgeLine['edge']): boolean {
  const [begins, ends] = [letters.isSeam(range.start), letters.isSeam(range.end)]
  const isNear = range.end - range.start >= shortest && (edge === 'top' ? begins && range.start < depth : ends && range.end > letters.text.length - depth)
  return ((begins && ends) || isNear) && letters.isFree(range)
}

/** Finds a line in the letters of its page, searching from its edge; null when no occurrence passes `isWanted`. */
function located({ text }: PageLetters, wanted: string, edge: EdgeLine['edge'], isWanted: (range: LetterRange) => boolean): LetterRange | null {
  if (wanted === '') return null
  const isTop = edge === 'top'
  for (let at = isTop ? text.indexOf(wanted) : text.lastIndexOf(wanted), tries = 0; at >= 0 && tries < mostTries; tries++) {
    const range = { start: at, end: at + wanted.length }
    if (isWanted(range)) return range
    at = isTop ? text.indexOf(wanted, at + 1) : at === 0 ? -1 : text.lastIndexOf(wanted, at - 1)
  }
  return null
}

/** Finds the parts of a line one by one, since the library may write them in another order. Adjacent parts become one range. */
function partRanges(letters: PageLetters, { parts, edge }: EdgeLine): LetterRange[] {
  const near = ({ start, end }: LetterRange): boolean => (edge === 'top' ? start < depth : end > letters.text.length - depth)
  const found = parts.flatMap((part) => located(letters, lettersOf(part), edge, near) ?? []).sort((a, b) => a.start - b.start)
  const whole = found.reduce<LetterRange[]>((all, range) => (all.at(-1)?.end === range.start ? [...all.slice(0, -1), { start: all.at(-1)?.start ?? 0, end: range.end }] : [...all, range]), [])
  const fitting = whole.filter((range) => fits(letters, range, edge))
  return fitting.length > 0 ? fitting : parts.flatMap((part) => located(letters, lettersOf(part), edge, (range) => fits(letters, range, edge)) ?? [])
}

/** The ranges of some lines in the letters of their page, in order and without overlaps. */
function rangesOf(letters: PageLetters, lines: readonly EdgeLine[]): LetterRange[] {
  const ranges: LetterRange[] = []
  const isApart = ({ start, end }: LetterRange): boolean => ranges.every((other) => end <= other.start || start >= other.end)
  for (const line of lines) {
    const whole = located(letters, lettersOf(line.text), line.edge, (range) => fits(letters, range, line.edge))
    for (const range of whole === null ? partRanges(letters, line) : [whole]) if (isApart(range)) ranges.push(range)
  }
  return ranges.sort((a, b) => a.start - b.start)
}

/**
 * Removes running headers, running footers and page numbers by their position on the page. It finds what `furniture.ts`
 * misses: lines on every other page, lines that name the chapter, and lines that the library joined with a paragraph.
 * Removes nothing if more than `mostLost` characters would go: such pages are forms.
 */
export function withoutRunningLines(sheets: readonly Sheet[], mostLost: number): readonly (readonly Block[])[] {
  const lines = runningLines(sheets)
  let lost = 0
  const made = sheets.map(({ blocks }, i) => {
    const own = lines[i] ?? []
    if (own.length === 0) return blocks
    const letters = new PageLetters(blocks)
    const ranges = rangesOf(letters, own)
    lost += ranges.reduce((sum, { start, end }) => sum + end - start, 0)
    return ranges.length === 0 ? blocks : letters.without(ranges)
  })
  return lost > mostLost ? sheets.map(({ blocks }) => blocks) : made
}
