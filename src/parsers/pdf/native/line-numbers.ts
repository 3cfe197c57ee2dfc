import { blocksOf, toMarkdown } from '../blocks.ts'
import { lettersOf, PageLetters } from '../page/page-letters.ts'
import { bodySize, pageLines, type Sized } from '../page/page-lines.ts'

/** Pages with more items are not meant for reading. */
const mostItems = 5_000
/** How far the edges of line numbers differ, in points. */
const sameEdge = 2
/** The fewest line numbers of a page, in letters smaller than this multiple of the body size; and in letters as large as text. */
const [smaller, fewestSmall, fewest] = [0.85, 5, 15]
/** What stands beside large numbers is text when this share of its lines has this many characters, and no gap. */
const [leastText, textLength] = [0.6, 40]
/** Marks of notes are raised by at least and at most this multiple of the font size, and this close to their text; nearly all numbers are. */
const [leastRaised, mostRaised, beside, nearlyAll] = [0.15, 0.6, 0.8, 0.8]
/** How many letters behind a line number identify its line. */
const lettersBehind = 16

/** Whether numbers, from top to bottom, rise by one or by five. */
function areCounted(numbers: readonly Sized[]): boolean {
  const steps = new Set(numbers.slice(1).map(({ text }, i) => Number(text) - Number(numbers[i]?.text)))
  return steps.size === 1 && (steps.has(1) || steps.has(5))
}

/** Whether text stands beside numbers, rather than cells of a table or entries of a list. */
function areBesideText(numbers: readonly Sized[], others: readonly Sized[]): boolean {
  const lines = pageLines(others).filter(({ y }) => numbers.some((number) => Math.abs(number.y - y) < number.fontSize / 2))
  return lines.filter(({ text, parts }) => parts.length === 1 && text.length >= textLength).length > lines.length * leastText
}

/** Whether numbers are raised before their lines, as the marks of notes are at the end of a text. */
function areMarks(numbers: readonly Sized[], others: readonly Sized[]): boolean {
  const lines = pageLines(others)
  const isMark = ({ x, y, width }: Sized): boolean => lines.some((line) => y - line.y > line.size * leastRaised && y - line.y < line.size * mostRaised && line.x > x && line.x - x - width < line.size * beside)
  return numbers.filter(isMark).length > numbers.length * nearlyAll
}

/**
 * The line numbers in the margins of a page, as drafts and court papers have them: numbers that rise from line to line,
 * beside all text. A table may have such a column too; its numbers are as large as its text.
 */
export function lineNumbersOf<Item extends Sized>(items: readonly Item[]): ReadonlySet<Item> {
  const texts = items.length > mostItems ? [] : items.filter(({ itemType, text, rotation }) => itemType === 'Text' && rotation === 0 && text.trim() !== '')
  const groups = new Map<string, Item[]>()
  for (const item of texts.filter(({ text }) => /^\d{1,5}$/.test(text.trim()))) {
    for (const key of [`right ${Math.round((item.x + item.width) / sameEdge)}`, `left ${Math.round(item.x / sameEdge)}`]) groups.set(key, [...(groups.get(key) ?? []), item])
  }
  const body = bodySize(items)
  const found = [...groups.values()].find((numbers) => {
    const isSmall = numbers.every(({ fontSize }) => fontSize < body * smaller)
    if (numbers.length < (isSmall ? fewestSmall : fewest) || !areCounted(numbers.sort((a, b) => b.y - a.y))) return false
    const own = new Set(numbers)
    const others = texts.filter((item) => !own.has(item))
    const [left, right] = [Math.min(...numbers.map(({ x }) => x)), Math.max(...numbers.map(({ x, width }) => x + width))]
    const areOutside = others.every(({ x }) => x > right) || others.every(({ x, width }) => x + width < left)
    return areOutside && (isSmall ? !areMarks(numbers, others) : areBesideText(numbers, others))
  })
  return new Set(found)
}

/** Removes line numbers from the markdown of a page, where they stand before or behind the text of their line. */
export function withoutLineNumbers<Item extends Sized>(markdown: string, items: readonly Item[], numbers: ReadonlySet<Item>): string {
  if (numbers.size === 0) return markdown
  const letters = new PageLetters(blocksOf(markdown))
  const lines = pageLines(items.filter((item) => !numbers.has(item)))
  const ranges = [...numbers].flatMap((number) => {
    const own = number.text.trim()
    const text = lettersOf(lines.find(({ y, size }) => Math.abs(y - number.y) < size / 2)?.text ?? '')
    const before = letters.text.indexOf(own + text.slice(0, lettersBehind))
    const behind = letters.text.indexOf(text.slice(-lettersBehind) + own)
    if (text === '') return []
    if (before >= 0) return [{ start: before, end: before + own.length }]
    return behind < 0 ? [] : [{ start: behind + Math.min(lettersBehind, text.length), end: behind + Math.min(lettersBehind, text.length) + own.length }]
  })
  const sorted = ranges.sort((a, b) => a.start - b.start).filter(({ start }, i, all) => start >= (all[i - 1]?.end ?? 0))
  return toMarkdown(letters.without(sorted, false))
}
