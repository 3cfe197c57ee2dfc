import { attribute } from '../../../../html/tree.ts'
import type { Frame } from '../../frame.ts'
import { isIn, lineOf } from '../lines.ts'

/** Most authors that are looked for; blocks before the title, and those after it besides one for each author. */
const mostAuthors = 200
const mostLetters = 4_000
const before = 4
const after = 16
/** Fewest letters of running text, at which the authors end. */
const aText = 200

/** Names of what a page's data cites besides the authors, and most letters of a line with it. */
const cited = /^citation_(?:doi|pmid|journal_title|arxiv_id|date|publication_date)$/i
const longestLine = 160
/** The start of a line that names what a paper is about. */
const keywords = /^(?:key ?words?|index terms|schlüsselwörter|schlagwörter|mots[- ]clés|palabras clave|palavras-chave|parole chiave|ключевые слова|关键词|關鍵詞|キーワード)\s?[:：]\s?\S/i

/**
 * Keeps the lines around the title of a paper that name its authors or where it was published, which its data names, too: a paper
 * is cited by them. So does the line behind its summary that says what it is about.
 */
export function keepCitation(frame: Frame, kept: Uint8Array): void {
  const { blocks, heading, signs } = frame
  const first = heading.indexOf(1)
  if (kept[first] !== 1) return
  const names: string[] = []
  for (const meta of signs.metas) if (/^citation_authors?$/i.test(attribute(meta, 'name') ?? '')) names.push(...(attribute(meta, 'content') ?? '').slice(0, mostLetters).split(';'))
  if (names.length === 0) return
  const values = signs.metas.filter((meta) => cited.test(attribute(meta, 'name') ?? '')).map((meta) => (attribute(meta, 'content') ?? '').trim().toLowerCase()).filter(({ length }) => length >= 4)
  keepKeywords(frame, kept)
  const authors = names.slice(0, mostAuthors).map((name) => [...wordsOf(name)]).filter(({ length }) => length > 1)
  for (let i = Math.max(first - before, 0); i < Math.min(blocks.all.length, first + authors.length + after); i++) {
    const block = blocks.all[i]
    if (block === undefined || (i > first && kept[i] === 1 && (heading[i] !== 0 || block.measure.letters >= aText))) return
    const line = block.texts.map(({ data }) => data.slice(0, mostLetters)).join(' ')
    const words = wordsOf(line)
    const isCitation = block.measure.letters <= longestLine && !isIn(frame, block) && values.some((value) => line.toLowerCase().includes(value))
    if (heading[i] === 0 && (isCitation || authors.some((name) => name.every((word) => words.has(word))))) kept[i] = 1
  }
}

function keepKeywords(frame: Frame, kept: Uint8Array): void {
  frame.blocks.all.forEach((block, i) => {
    if (kept[i - 1] === 1 && kept[i] === 0 && !isIn(frame, block) && keywords.test(lineOf(block))) kept[i] = 1
  })
}

const wordsOf = (line: string): ReadonlySet<string> => new Set(line.toLowerCase().match(/\p{L}{2,}/gu))
