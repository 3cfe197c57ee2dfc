import type { Sized } from './page-lines.ts'

/** A listing: consecutive lines in a monospaced font, with nothing else between them. */
export interface Listing<Item> {
  readonly items: readonly Item[]
  /** Its lines as written, with their indentation and the blank lines between them. */
  readonly lines: readonly string[]
  /** Whether its signs and words are those of code. Otherwise it may be an address, a letter, a list or a table, too. */
  readonly isCode: boolean
}

/** The runs on one baseline that are a line of code, as far as it stands in one column. */
interface Row<Item> {
  readonly runs: readonly Item[]
  /** What is not monospaced on the same baseline. */
  readonly beside: readonly Item[]
  readonly x: number
  readonly right: number
  readonly y: number
  readonly size: number
}

/** A page with more items is not meant for reading. */
const mostItems = 5_000
/** Baselines are the same, and edges of columns, with these tolerances in points; sizes of letters are, as a multiple. */
const [sameBaseline, sameEdge, sameSize] = [0.6, 1.5, 1.05]
/** So many other texts start at the edge of a column, and a gap before it is so many letters wide. */
const [fewestAtEdge, columnGap] = [4, 2]
/** The most lines of a step within a listing, and the line height as a multiple of the font size before it is known. */
const [mostStep, usualLeading] = [3.2, 1.5]
/** How much the width of letters differs within a listing, in runs of so many letters. */
const [sameWidth, longRun] = [0.1, 4]
/** The distance of a line number from its line, in points. */
const numberGap = 200
/** Lines are a paragraph when so many have no room for the next word; of two lines, the first has so many words. */
const [mostlyFull, fewestWords] = [0.8, 5]
const widestLine = 400
/** A step that parts paragraphs, as a multiple of the least one. */
const wideStep = 1.3
/** What code has and other texts have not, and at least on which share of its lines. */
const [codeSign, fewestSigns] = [/[{}[\];=<>_$\\|^~`]|\w\(|(?:^|\s)--?\p{L}|:$/u, 0.25]
/** How code may begin, and hardly any other text: with a small letter or a sign, or with a statement of SQL. */
const codeStart = /^(?:[\p{Ll}#$%/@"'(]|(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP)\s)/u
/** A line of a table that is drawn with letters. */
const drawnRule = /^[-+ ]{5,}$/
const wideLetters = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/gu

const isMono = ({ fixedPitch }: Sized): boolean => fixedPitch === true
const rightOf = ({ x, width }: Sized): number => x + width
const count = (text: string): number => [...text].length
const widthOf = ({ text, width }: Sized): number => width / Math.max(1, count(text.trimEnd()))
const textOf = ({ runs }: Row<Sized>): string => runs.map(({ text }) => text.trim()).join(' ')

function rowOf<Item extends Sized>(runs: readonly Item[], others: readonly Item[]): Row<Item> {
  const [first] = runs
  const [x, y] = [first?.x ?? 0, first?.y ?? 0]
  return { runs, beside: others.filter((other) => Math.abs(other.y - y) < sameBaseline), x, right: Math.max(...runs.map(rightOf)), y, size: Math.max(...runs.map(({ fontSize }) => fontSize)) }
}

/** The lines in monospaced letters from top to bottom, parted where another column starts. */
function rowsOf<Item extends Sized>(mono: readonly Item[], others: readonly Item[]): Row<Item>[] {
  const baselines: Item[][] = []
  for (const run of mono.toSorted((a, b) => b.y - a.y)) {
    const last = baselines.at(-1)
    if (Math.abs((last?.[0]?.y ?? Infinity) - run.y) < run.fontSize / 3) last?.push(run)
    else baselines.push([run])
  }
  const startsColumn = (run: Item, before: Item): boolean => run.x - rightOf(before) > widthOf(run) * columnGap && others.filter(({ x }) => Math.abs(x - run.x) < sameEdge).length >= fewestAtEdge
  return baselines.flatMap((runs) => {
    const parts: Item[][] = []
    for (const run of runs.sort((a, b) => a.x - b.x)) {
      const last = parts.at(-1)
      const before = last?.at(-1)
      if (before === undefined || startsColumn(run, before)) parts.push([run])
      else last?.push(run)
    }
    return parts.map((part) => rowOf(part, others))
  })
}

const isNumber = (item: Sized, row: Row<Sized>): boolean => /^\d{1,4}$/.test(item.text.trim()) && rightOf(item) < row.x && row.x - rightOf(item) < numberGap

/** Groups of rows that follow one another without other text between them. */
function groupsOf<Item extends Sized>(rows: readonly Row<Item>[], others: readonly Item[]): Row<Item>[][] {
  const groups: { readonly rows: Row<Item>[]; least: number; left: number; right: number }[] = []
  for (const row of rows) {
    const group = groups.findLast(({ rows: own, least, left, right: most }) => {
      const last = own.at(-1) ?? row
      const right = Math.max(row.right, most)
      const step = last.y - row.y
      const isNear = step > row.size / 2 && step < mostStep * Math.min(least, row.size * usualLeading) && row.x < right && row.right > left
      const isAlike = Math.max(row.size, last.size) < Math.min(row.size, last.size) * sameSize
      return isNear && isAlike && !others.some((item) => item.y < last.y - sameBaseline && item.y > row.y + sameBaseline && item.x < right && rightOf(item) > Math.min(left, row.x))
    })
    if (group === undefined) groups.push({ rows: [row], least: Infinity, left: row.x, right: row.right })
    else {
      group.least = Math.min(group.least, (group.rows.at(-1)?.y ?? 0) - row.y)
      group.left = Math.min(group.left, row.x)
      group.right = Math.max(group.right, row.right)
      group.rows.push(row)
    }
  }
  return groups.map((group) => group.rows)
}

/** Whether rows are a paragraph in letters of a typewriter: each line ends where there is no room for the next word. */
function areProse(rows: readonly Row<Sized>[], letter: number): boolean {
  const [left, right] = [Math.min(...rows.map(({ x }) => x)), Math.max(...rows.map((row) => row.right))]
  const full = rows.slice(1).filter((next, i) => next.x < left + letter && (rows[i]?.right ?? 0) + letter * (1 + count(/^\S+/.exec(textOf(next))?.[0] ?? '')) > right)
  const words = textOf(rows[0] ?? rowOf([], [])).match(/(?<=^|\s)\p{L}+[.,;:]?(?=\s|$)/gu)?.length ?? 0
  return full.length >= (rows.length - 1) * mostlyFull && words >= fewestWords
}

/** Whether rows are paragraphs, parted by wider steps: those of several lines are most of them. */
function areParagraphs(rows: readonly Row<Sized>[], letter: number): boolean {
  const steps = rows.slice(1).map(({ y }, i) => (rows[i]?.y ?? 0) - y)
  const wide = Math.min(...steps) * wideStep
  const parts = rows.reduce<Row<Sized>[][]>((all, row, i) => {
    if (i > 0 && (steps[i - 1] ?? 0) < wide) all.at(-1)?.push(row)
    else all.push([row])
    return all
  }, [])
  const prose = parts.filter((part) => part.length > 1 && areProse(part, letter))
  return parts.every((part) => part.length < 3 || prose.includes(part)) && prose.flat().length * 2 >= rows.length
}

/** Whether most letters are of scripts whose letters are all as wide as each other, whatever they say. */
function areWide(rows: readonly Row<Sized>[]): boolean {
  const text = rows.map(textOf).join('')
  return (text.match(wideLetters)?.length ?? 0) * 2 > (text.match(/\p{L}/gu)?.length ?? 0)
}

/** Whether enough of the lines have signs of code, or they begin as it does and are no paragraphs. */
function areCode(rows: readonly Row<Sized>[], letter: number): boolean {
  const texts = rows.map(textOf)
  return texts.some((text) => drawnRule.test(text)) || texts.filter((text) => codeSign.test(text)).length >= texts.length * fewestSigns || (codeStart.test(texts[0] ?? '') && !areParagraphs(rows, letter))
}

/** Whether lines stand around one axis, as names and addresses on a title do. */
function areCentred(rows: readonly Row<Sized>[]): boolean {
  const [first] = rows
  return first !== undefined && rows.some(({ x }) => Math.abs(x - first.x) > sameEdge) && rows.every(({ x, right }) => Math.abs(x + right - first.x - first.right) < sameEdge)
}

/** The width of letters in a listing: that of its longest run. */
function letterOf(rows: readonly Row<Sized>[]): number {
  const longest = rows.flatMap(({ runs }) => runs).reduce<Sized | undefined>((most, run) => (most === undefined || count(run.text) > count(most.text) ? run : most), undefined)
  return longest === undefined ? 0 : widthOf(longest)
}

function isListing(rows: readonly Row<Sized>[]): boolean {
  const letter = letterOf(rows)
  const isEven = rows.every(({ runs }) => runs.every((run) => count(run.text) < longRun || Math.abs(widthOf(run) - letter) < letter * sameWidth))
  const withOthers = rows.filter((row) => row.beside.some((item) => !isNumber(item, row)))
  const written = rows.filter(({ runs }) => runs.some(({ text }) => /[\p{L}\p{N}]/u.test(text)))
  return isEven && written.length > 1 && withOthers.length * 2 < rows.length && !areCentred(rows) && !areWide(rows) && !areProse(rows, letter)
}

/** The text of a line, each run at its column. */
function lineOf(runs: readonly Sized[], left: number, letter: number): string {
  let line = ''
  let right = left
  for (const run of runs) {
    const text = run.text.trim()
    const x = run.x + (run.text.length - run.text.trimStart().length) * letter
    line += ' '.repeat(Math.max(0, Math.min(widestLine - line.length, Math.round((x - right) / letter)))) + text
    right = run.text === run.text.trimEnd() ? rightOf(run) : x + count(text) * letter
  }
  return line
}

/** The lines of a listing with its line numbers, and blank lines where the step is wider. */
function listingOf<Item extends Sized>(rows: readonly Row<Item>[], texts: readonly Item[]): Listing<Item> {
  const letter = letterOf(rows)
  const [top, bottom] = [rows[0]?.y ?? 0, rows.at(-1)?.y ?? 0]
  const numbers = texts.filter((item) => !isMono(item) && item.y < top + sameBaseline && item.y > bottom - sameBaseline && rows.some((row) => isNumber(item, row)))
  const baselines = rows.map(({ runs }) => runs as Item[]) // copied below, never changed
  const own = numbers.length * 2 < rows.length ? [] : numbers
  const all = [...baselines.map((runs) => [...own.filter(({ y }) => Math.abs(y - (runs[0]?.y ?? 0)) < sameBaseline), ...runs]), ...own.filter(({ y }) => !rows.some((row) => Math.abs(y - row.y) < sameBaseline)).map((item) => [item])].sort((a, b) => (b.at(-1)?.y ?? 0) - (a.at(-1)?.y ?? 0))
  const left = Math.min(...all.map((runs) => runs[0]?.x ?? Infinity))
  const steps = all.slice(1).map((runs, i) => (all[i]?.at(-1)?.y ?? 0) - (runs.at(-1)?.y ?? 0))
  const leading = Math.max(Math.min(...steps), 1)
  const lines = all.flatMap((runs, i) => [...Array.from({ length: i === 0 ? 0 : Math.round((steps[i - 1] ?? 0) / leading) - 1 }, () => ''), lineOf(runs, left, letter)])
  return { items: all.flat(), lines, isCode: areCode(rows, letter) }
}

/** The listings of a page, from top to bottom. */
export function listingsOf<Item extends Sized>(items: readonly Item[]): Listing<Item>[] {
  if (items.length > mostItems || !items.some(isMono)) return []
  const texts = items.filter(({ itemType, rotation, text }) => itemType === 'Text' && rotation === 0 && text.trim() !== '')
  const others = texts.filter((item) => !isMono(item))
  const rows = rowsOf(texts.filter(isMono), others)
  // Line numbers in the margin, also of blank lines, part no listing.
  const between = others.filter((item) => !rows.some((row) => isNumber(item, row)))
  return groupsOf(rows, between).filter((group) => group.length > 1 && isListing(group)).map((group) => listingOf(group, texts))
}
