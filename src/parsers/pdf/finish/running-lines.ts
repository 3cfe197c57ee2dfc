import type { Block } from '../blocks.ts'
import type { EdgeLine, PageEdges } from '../page/page-edges.ts'
import { type LetterRange, lettersOf, PageLetters } from '../page/page-letters.ts'
import { isPageNumber, numbersOf } from '../page/page-numbers.ts'

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
/** Within a paragraph, only lines of at least `shortest` letters are searched, up to `depth` letters from the page's edge. */
const [shortest, depth] = [5, 600]
/** How many occurrences of a line's letters are tried. */
const mostTries = 10
/** A line may name the chapter where repeated lines stand, or lines on this share of the pages; in at least this many letters. */
const [namedPlace, shortestName] = [0.6, 4]

interface Keys {
  readonly places: readonly string[]
  readonly texts: readonly string[]
  readonly counts: readonly string[]
}

/**
 * The keys by which a line is compared with those of other pages: its text at its position (`texts`), and its page number
 * at that position (`counts`). A position has two keys, since rounding may separate neighbours.
 */
function keysOf({ text, parts, edge, y }: EdgeLine, pageNumber: number): Keys {
  const places = [y / samePlace, (y + samePlace / 2) / samePlace].map((place, i) => `${edge}${i}:${Math.round(place)}:`)
  const numbers = numbersOf(text, parts, pageNumber)
  const wordings = [...(/\p{L}{2}/u.test(text) ? [text] : []), ...numbers.map(({ rest }) => rest)]
  return {
    places,
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

/** A line at the edge of a page, and the part of it that is removed when it is not removed as a whole. */
interface Gone extends EdgeLine {
  readonly part?: string
}

interface Keyed extends Keys {
  readonly line: EdgeLine
}

/** What all pages together say about their edges. */
class Repetitions {
  readonly #pages = new Map<string, number>()
  readonly #sheets: readonly Sheet[]
  /** Where repeated lines stand. */
  readonly #repeated: ReadonlySet<string>
  /** The letters of all headings in their order, without lines at the edges. */
  readonly #headings: string

  constructor(sheets: readonly Sheet[], keyed: readonly (readonly Keyed[])[]) {
    this.#sheets = sheets
    for (const lines of keyed) for (const key of new Set(lines.flatMap(({ places, texts, counts }) => [...places, ...texts, ...counts.map((one) => `# ${one}`)]))) this.#pages.set(key, (this.#pages.get(key) ?? 0) + 1)
    this.#repeated = new Set(keyed.flat().flatMap((one) => (this.#isRepeated(one) ? one.places : [])))
    this.#headings = sheets.flatMap(({ blocks, edges }) => {
      const atEdge = new Set(edges?.lines.map(({ text }) => lettersOf(text)))
      return blocks.filter(({ kind }) => kind === 'heading').map(({ lines }) => lettersOf(lines.join(' '))).filter((letters) => !atEdge.has(letters))
    }).join('').toLowerCase()
  }

  #count(keys: readonly string[]): number {
    return Math.max(0, ...keys.map((key) => this.#pages.get(key) ?? 0))
  }

  /** Whether other pages repeat a line, or its number counts them. */
  #isRepeated({ line, texts, counts }: Keyed): boolean {
    const onlyRoman = /^[ivxlc]+$/i.test(line.text)
    return this.#count(texts) >= fewest || this.#count(counts.map((key) => `# ${key}`)) >= Math.max(fewest, onlyRoman ? 0 : this.#sheets.length * leastCounted)
  }

  /** Whether a line names the chapter, where headers stand. */
  #isName({ line, places }: Keyed): boolean {
    const names = line.parts.map((part) => lettersOf(part).toLowerCase()).filter((part) => !/^\d*$/.test(part))
    const isPlace = places.some((place) => this.#repeated.has(place)) || this.#count(places) >= Math.max(fewest, this.#sheets.length * namedPlace)
    return isPlace && names.length > 0 && names.every((name) => name.length >= shortestName && this.#headings.includes(name))
  }

  /** Whether a line is a header or footer. */
  isRunning(one: Keyed): boolean {
    return this.#isRepeated(one) || this.#isName(one)
  }

  /** Whether a line of two pages is nothing but their numbers, at one place. */
  isBareNumber({ line, counts }: Keyed): boolean {
    return this.#sheets.length === 2 && /^\W*\d\W*$/.test(line.text) && this.#count(counts.filter((key) => key.endsWith(':n0')).map((key) => `# ${key}`)) === 2
  }

  /** Whether both pages of a file have this line, and this is the one inside of the text: the other one stays. */
  isBetween({ line, texts }: Keyed, at: number): boolean {
    return this.#sheets.length === 2 && at === (line.edge === 'top' ? 1 : 0) && this.#count(texts.filter((key) => /\p{L}{2}/u.test(key.slice(line.edge.length)) && !/#(?!n0(?!\d))/.test(key))) === 2
  }
}

/** Whether a header is a heading of the first page: it may be the title of the file, and stays there. */
const isTitle = (blocks: readonly Block[], { line, counts }: Keyed): boolean => line.edge === 'top' && counts.length === 0 && blocks.some(({ kind, lines }) => kind === 'heading' && lettersOf(lines.join(' ')) === lettersOf(line.text))

/** Whether a page has no other lines than these: they are its text then. */
function isWhole(sheet: Sheet | undefined, lines: readonly Keyed[]): boolean {
  const rows = new Map(lines.map(({ line }) => [line.y, lettersOf(line.text).length]))
  return lettersOf((sheet?.blocks ?? []).flatMap((block) => block.lines).join('')).length <= [...rows.values()].reduce((sum, letters) => sum + letters, 0)
}

/** The headers and footers of each page, and page numbers within other lines. */
function runningLines(sheets: readonly Sheet[]): Gone[][] {
  const keyed = sheets.map((sheet) => {
    const notes = notesOn(sheet)
    return (sheet.edges?.lines ?? []).map((line): Keyed => {
      const keys = keysOf(line, sheet.pageNumber)
      return { ...keys, line, counts: isEntry.test(line.text) || notes.has(numbered.exec(line.text)?.[1] ?? '') ? [] : keys.counts }
    })
  })
  const all = new Repetitions(sheets, keyed)
  return keyed.map((lines, i) => lines.flatMap((one): Gone[] => {
    const isNumber = (text: string): boolean => isPageNumber(text, sheets[i]?.pageNumber ?? 0, sheets.length)
    if (i === 0 && isTitle(sheets[i]?.blocks ?? [], one)) return []
    if (isNumber(one.line.text) || all.isRunning(one) || all.isBareNumber(one) || (all.isBetween(one, i) && !isWhole(sheets[i], lines))) return [one.line]
    const part = one.line.parts.find(isNumber)
    return part === undefined ? [] : [{ ...one.line, part }]
  }))
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

/** The range of a part of a line; null when the library did not keep the line together. */
function partOf(letters: PageLetters, { text, edge }: EdgeLine, part: string): LetterRange | null {
  const [whole, wanted] = [located(letters, lettersOf(text), edge, (range) => fits(letters, range, edge)), lettersOf(part)]
  if (whole === null) return located(letters, wanted, edge, (range) => fits(letters, range, edge))
  const at = letters.text.slice(whole.start, whole.end).lastIndexOf(wanted)
  return at < 0 ? null : { start: whole.start + at, end: whole.start + at + wanted.length }
}

/** The ranges of some lines in the letters of their page, in order and without overlaps. */
function rangesOf(letters: PageLetters, lines: readonly Gone[]): LetterRange[] {
  const ranges: LetterRange[] = []
  const isApart = ({ start, end }: LetterRange): boolean => ranges.every((other) => end <= other.start || start >= other.end)
  for (const line of lines) {
    const whole = line.part === undefined ? located(letters, lettersOf(line.text), line.edge, (range) => fits(letters, range, line.edge)) : partOf(letters, line, line.part)
    const found = whole !== null ? [whole] : line.part === undefined ? partRanges(letters, line) : []
    for (const range of found) if (isApart(range)) ranges.push(range)
  }
  return ranges.sort((a, b) => a.start - b.start)
}

/** A page without some lines, where they are found. */
export function withoutLines(blocks: readonly Block[], lines: readonly EdgeLine[]): readonly Block[] {
  const letters = new PageLetters(blocks)
  const ranges = rangesOf(letters, withoutRows(lines, blocks))
  return ranges.length === 0 ? blocks : letters.without(ranges)
}

/** The lines that are no table rows: a row stays, since a table has its head at the top of each page, too. */
function withoutRows(lines: readonly Gone[], blocks: readonly Block[]): readonly Gone[] {
  const rows = new Set(blocks.flatMap((block) => (block.kind === 'table' ? block.lines.map(lettersOf) : [])))
  return rows.size === 0 ? lines : lines.filter(({ text }) => !rows.has(lettersOf(text)))
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
    const own = withoutRows(lines[i] ?? [], blocks)
    if (own.length === 0) return blocks
    const letters = new PageLetters(blocks)
    const ranges = rangesOf(letters, own)
    lost += ranges.reduce((sum, { start, end }) => sum + end - start, 0)
    return ranges.length === 0 ? blocks : letters.without(ranges)
  })
  return lost > mostLost ? sheets.map(({ blocks }) => blocks) : made
}
