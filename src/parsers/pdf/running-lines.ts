import type { Block } from './blocks.ts'
import type { EdgeLine, PageEdges } from './page-edges.ts'
import { type LetterRange, lettersOf, PageLetters } from './page-letters.ts'

/** A page with what stands at its edges, where that is known. */
interface Sheet {
  readonly pageNumber: number
  readonly blocks: readonly Block[]
  readonly edges?: PageEdges | undefined
}

/** On fewer pages a repetition may be chance. */
const fewest = 3
/** The share of pages on which a number counts them at one place. */
const counting = 0.2
/** Points by which places of one line differ. */
const samePlace = 6
const mostNumbers = 5
/** Letters below which a line is not looked for within a paragraph, and how far from its end of the page others are. */
const [shortest, depth] = [5, 600]
/** Places at which a line is looked for. */
const mostTries = 10
/** Characters in which a number may stand anywhere: "- 3 -", "Page 3 of 12". */
const shortLine = 30

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 }

function romanValue(text: string): number {
  const digits = [...text.toLowerCase()].map((digit) => romanDigits[digit] ?? 0)
  return digits.reduce((sum, digit, i) => sum + (digit < (digits[i + 1] ?? 0) ? -digit : digit), 0)
}

/** The numbers of a line, counted from that of its page: where each stands, and what the line is without it. */
function numbersOf(text: string, pageNumber: number): { name: string; isAtEnd: boolean; rest: string }[] {
  const found = [...text.matchAll(/\d{1,5}/g)].slice(0, mostNumbers).map((match) => ({ kind: 'n', value: Number(match[0]), at: match.index, length: match[0].length }))
  const roman = /^[ivxlc]{1,7}(?!\S)|(?<!\S)[ivxlc]{1,7}$|^[IVXLC]{1,7}(?!\S)|(?<!\S)[IVXLC]{1,7}$/.exec(text)
  if (roman !== null) found.push({ kind: 'r', value: romanValue(roman[0]), at: roman.index, length: roman[0].length })
  return found.map(({ kind, value, at, length }) => {
    const name = `${kind}${value - pageNumber}`
    const isAtEnd = at === 0 || at + length === text.length || text.length <= shortLine
    return { name, isAtEnd, rest: `${text.slice(0, at)}#${name}${text.slice(at + length)}` }
  })
}

/** By what a line is the same as one of another page: what it says at its place, and the number of the page there. */
function keysOf({ text, edge, y }: EdgeLine, pageNumber: number): { said: string[]; counted: string[] } {
  const places = [y / samePlace, (y + samePlace / 2) / samePlace].map((place, i) => `${edge}${i}:${Math.round(place)}:`)
  const numbers = numbersOf(text, pageNumber)
  const saying = [...(/\p{L}{2}/u.test(text) ? [text] : []), ...numbers.map(({ rest }) => rest)]
  return {
    said: places.flatMap((place) => saying.map((said) => place + said)),
    counted: places.flatMap((place) => numbers.filter(({ isAtEnd }) => isAtEnd).map(({ name }) => place + name)),
  }
}

/** The lines of each page that are headers or footers: said again at the same place, or counting the pages there. */
function runningLines(sheets: readonly Sheet[]): EdgeLine[][] {
  const pages = new Map<string, number>()
  const keyed = sheets.map(({ pageNumber, edges }) => (edges?.lines ?? []).map((line) => ({ line, ...keysOf(line, pageNumber) })))
  for (const lines of keyed) for (const key of new Set(lines.flatMap(({ said, counted }) => [...said, ...counted.map((one) => `# ${one}`)]))) pages.set(key, (pages.get(key) ?? 0) + 1)
  const leastCounting = Math.max(fewest, sheets.length * counting)
  return keyed.map((lines) => lines.filter(({ said, counted }) => said.some((key) => (pages.get(key) ?? 0) >= fewest) || counted.some((key) => (pages.get(`# ${key}`) ?? 0) >= leastCounting)).map(({ line }) => line))
}

/** Whether a range is a block of its own, or begins or ends one near its edge of the page. */
function fits(letters: PageLetters, range: LetterRange, edge: EdgeLine['edge']): boolean {
  const [begins, ends] = [letters.isSeam(range.start), letters.isSeam(range.end)]
  const isNear = range.end - range.start >= shortest && (edge === 'top' ? begins && range.start < depth : ends && range.end > letters.text.length - depth)
  return ((begins && ends) || isNear) && letters.isFree(range)
}

/** Where a line is in the text of its page. */
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

/** The parts of a line, which may be read in another order, as the ranges that they are together. */
function partRanges(letters: PageLetters, { parts, edge }: EdgeLine): LetterRange[] {
  const near = ({ start, end }: LetterRange): boolean => (edge === 'top' ? start < depth : end > letters.text.length - depth)
  const found = parts.flatMap((part) => located(letters, lettersOf(part), edge, near) ?? []).sort((a, b) => a.start - b.start)
  const whole = found.reduce<LetterRange[]>((all, range) => (all.at(-1)?.end === range.start ? [...all.slice(0, -1), { start: all.at(-1)?.start ?? 0, end: range.end }] : [...all, range]), [])
  const fitting = whole.filter((range) => fits(letters, range, edge))
  return fitting.length > 0 ? fitting : parts.flatMap((part) => located(letters, lettersOf(part), edge, (range) => fits(letters, range, edge)) ?? [])
}

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
 * Takes headers and footers off pages by their place: also such as are on every other page, name the chapter, or stand in one paragraph with
 * the text. `mostLost` characters at the most go: pages that say the same at their edges and little else are forms.
 */
export function withoutRunningLines(sheets: readonly Sheet[], mostLost: number): readonly (readonly Block[])[] {
  if (sheets.length < fewest) return sheets.map(({ blocks }) => blocks)
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
