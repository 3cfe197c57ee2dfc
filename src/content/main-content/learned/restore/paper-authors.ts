import { attribute } from '../../../html/tree.ts'
import type { Frame } from '../frame.ts'

/** Most authors that are looked for; blocks before the title, and those after it besides one for each author. */
const mostAuthors = 200
const mostLetters = 4_000
const before = 4
const after = 16
/** Fewest letters of running text, at which the authors end. */
const aText = 200

/** Keeps the lines around the title of a paper that name its authors, whom its data names, too: a paper is cited by them. */
export function keepPaperAuthors(frame: Frame, kept: Uint8Array): void {
  const { blocks, heading, signs } = frame
  const first = heading.indexOf(1)
  if (kept[first] !== 1) return
  const names: string[] = []
  for (const meta of signs.metas) if (/^citation_authors?$/i.test(attribute(meta, 'name') ?? '')) names.push(...(attribute(meta, 'content') ?? '').slice(0, mostLetters).split(';'))
  if (names.length === 0) return
  const authors = names.slice(0, mostAuthors).map((name) => [...wordsOf(name)]).filter(({ length }) => length > 1)
  for (let i = Math.max(first - before, 0); i < Math.min(blocks.all.length, first + authors.length + after); i++) {
    const block = blocks.all[i]
    if (block === undefined || (i > first && kept[i] === 1 && (heading[i] !== 0 || block.measure.letters >= aText))) return
    const words = wordsOf(block.texts.map(({ data }) => data.slice(0, mostLetters)).join(' '))
    if (heading[i] === 0 && authors.some((name) => name.every((word) => words.has(word)))) kept[i] = 1
  }
}

const wordsOf = (line: string): ReadonlySet<string> => new Set(line.toLowerCase().match(/\p{L}{2,}/gu))
