import { drawnLines, lineOf, mostItems, type Sized } from './page-lines.ts'
import { lettersOf } from './page-letters.ts'
import type { RawPage } from './source.ts'

const heading = /^(#{1,6}) +(?=\S)/
/** Letters by which a heading is found among the lines of its page, and lines that begin with the same ones that are compared. */
const [knownLetters, mostAlike] = [6, 20]
/** Sizes are one that differ by less than this, in points. */
const steps = 2
/** By the size of larger headings: what is smaller is a level of its own. */
const alike = 0.95
/** Headings of one size from which on it is one of the document's, rather than that of its cover; and levels that there are. */
const [fewest, deepest] = [2, 6]

/** Which lines of a text are headings: those of code are none. */
function headingsOf(lines: readonly string[]): number[] {
  let inCode = false
  return lines.flatMap((line, i) => {
    if (line.startsWith('```')) inCode = !inCode
    return !inCode && heading.test(line) ? [i] : []
  })
}

/** How large the headings of a page are, in their order; 0 for one that is not found. */
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
  // The header of a page may say the same in smaller letters.
  return headings.map((letters) => Math.max(0, ...(lines.get(letters.slice(0, knownLetters)) ?? []).filter((line) => line.letters.startsWith(letters) || letters.startsWith(line.letters)).map(({ size }) => size)))
}

/** The level of headings by their size: one below all larger ones, of which such as are there once are on the cover, but for the first of all. The largest have the highest level that the library gave one of them. */
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

/** Pages whose headings of one size are of one level: the library sets levels page by page, by what else is there. */
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
