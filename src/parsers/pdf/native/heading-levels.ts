import { drawnLines, lineOf, mostItems, type Sized } from '../page/page-lines.ts'
import { lettersOf } from '../page/page-letters.ts'
import type { RawPage } from '../source.ts'

const heading = /^(#{1,6}) +(?=\S)/
/** Lines are indexed by this many of their first letters, and at most this many lines with the same ones are compared. */
const [knownLetters, mostAlike] = [6, 20]
/** Steps per point to which font sizes are rounded. */
const steps = 2
/** Letters smaller than this multiple of the next larger headings are a level of their own. */
const alike = 0.95
/** A size that fewer headings have is that of a cover, and opens no level; and the deepest level of markdown. */
const [fewest, deepest] = [2, 6]

/** The indexes of the lines that are headings. A comment in code is none. */
function headingsOf(lines: readonly string[]): number[] {
  let inCode = false
  return lines.flatMap((line, i) => {
    if (line.startsWith('```')) inCode = !inCode
    return !inCode && heading.test(line) ? [i] : []
  })
}

/** The font size of each heading of a page, in their order; 0 for a heading that is not found. */
export function headingSizes(markdown: string, items: readonly Sized[]): number[] {
  const own = markdown.split('\n')
  const headings = headingsOf(own).map((i) => lettersOf((own[i] ?? '').replace(/<[^>]*>/g, '')))
  if (headings.length === 0 || items.length > mostItems) return headings.map(() => 0)
  const lines = new Map<string, { letters: string; size: number }[]>()
  for (const { text, size } of drawnLines(items, 2).map(lineOf)) {
    const letters = lettersOf(text)
    const alike = lines.get(letters.slice(0, knownLetters)) ?? []
    if (alike.length < mostAlike) lines.set(letters.slice(0, knownLetters), [...alike, { letters, size }])
  }
  // The running header may repeat a heading in smaller letters.
  return headings.map((letters) => Math.max(0, ...(lines.get(letters.slice(0, knownLetters)) ?? []).filter((line) => line.letters.startsWith(letters) || letters.startsWith(line.letters)).map(({ size }) => size)))
}

/**
 * The level of each font size. The largest size gets `highest`, the highest level that the library gave to a heading of
 * this size; each smaller size is one level deeper. A size that only one heading has is on a cover and does not count,
 * unless it is the size of the first heading.
 */
function levelsOf(sizes: readonly number[], highest: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const size of sizes) counts.set(size, (counts.get(size) ?? 0) + 1)
  const levels = new Map<number, number>()
  const first = sizes[0] ?? 0
  let [level, above, isCounted] = [highest, Infinity, false]
  for (const [size, count] of [...counts].sort((a, b) => b[0] - a[0])) {
    if (size < above * alike) {
      if (isCounted) level++
      isCounted = false
      above = size
    }
    levels.set(size, Math.min(deepest, level))
    isCounted ||= count >= fewest || size === first
  }
  return levels
}

/**
 * Gives all headings of one font size the same level throughout the document. The library decides which lines are
 * headings, but sets levels page by page.
 */
export function withEvenLevels(pages: readonly RawPage[], sizes: readonly (readonly number[])[]): RawPage[] {
  const keyed = sizes.map((own) => own.map((size) => Math.round(size * steps) / steps))
  const texts = pages.map(({ markdown }) => markdown.split('\n'))
  const known = keyed.flat().filter((size) => size > 0)
  const largest = known.reduce((most, size) => Math.max(most, size), 0)
  const given = texts.flatMap((lines, i) => headingsOf(lines).flatMap((line, at) => (keyed[i]?.[at] === largest ? [heading.exec(lines[line] ?? '')?.[1]?.length ?? 1] : [])))
  const levels = levelsOf(known, given.reduce((least, level) => Math.min(least, level), deepest))
  return pages.map((page, i) => {
    const lines = [...(texts[i] ?? [])]
    headingsOf(lines).forEach((line, at) => {
      const level = levels.get(keyed[i]?.[at] ?? 0)
      if (level !== undefined) lines[line] = (lines[line] ?? '').replace(/^#+/, '#'.repeat(level))
    })
    return { ...page, markdown: lines.join('\n') }
  })
}
