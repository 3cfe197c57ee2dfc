import type { Block } from '../blocks.ts'
import type { PageNote } from '../page/page-edges.ts'
import { type LetterRange, lettersOf, PageLetters } from '../page/page-letters.ts'

/** A page with its footnotes separated from its text. */
export interface NotedBlocks {
  readonly body: readonly Block[]
  readonly notes: readonly Block[]
}

/** Where a footnote is in the letters of its page, mark included. */
interface Found extends LetterRange {
  readonly mark: string
  /** Where its text starts, after the mark. */
  readonly text: number
}

/** How many letters identify the start of a footnote, and its end. */
const [known, lastLetters] = [24, 12]
const raised: Readonly<Record<string, string>> = { 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' }

/** Writes a mark as a superscript. */
function written(mark: string): string {
  if (/^\d+$/.test(mark)) return [...mark].map((digit) => raised[digit] ?? digit).join('')
  return /^[a-z]$/.test(mark) ? `<sup>${mark}</sup>` : mark.replace(/\*/g, '\\*')
}

/** Finds a footnote in the letters of its page, from an index on; null when it is not found. */
function located(letters: PageLetters, { mark, text }: PageNote, from: number): Found | null {
  const wanted = lettersOf(text)
  const marked = lettersOf(mark)
  if (wanted.length < 2) return null
  const at = letters.text.indexOf(wanted.slice(0, known), from)
  if (at < 0) return null
  const start = letters.text.slice(at - marked.length, at) === marked ? at - marked.length : at
  const end = letters.text.startsWith(wanted, at) ? at + wanted.length : endNear(letters.text, wanted, at)
  return end === null ? null : { mark, start, text: at, end }
}

/** The end of a footnote in which the library decoded some letters differently; null when the end is not near where it should be. */
function endNear(text: string, wanted: string, at: number): number | null {
  const last = wanted.slice(-lastLetters)
  const found = text.slice(at, at + wanted.length * 1.2 + lastLetters).lastIndexOf(last)
  return wanted.length < known || found < wanted.length * 0.8 - lastLetters ? null : at + found + last.length
}

/** Separates the footnotes of a page from its text, which they interrupt before the next column or page. */
export function withoutNotes(blocks: readonly Block[], notes: readonly PageNote[]): NotedBlocks {
  if (notes.length === 0) return { body: blocks, notes: [] }
  const letters = new PageLetters(blocks)
  const found: Found[] = []
  for (const note of notes) {
    const one = located(letters, note, found.at(-1)?.end ?? 0)
    if (one !== null && letters.isFree(one)) found.push(one)
  }
  const made = found.map(({ mark, text, end }): Block => ({ kind: 'text', lines: [`${written(mark)} ${letters.markdown({ start: text, end }).replace(/^(?:<\/?sup>|[\\*∗⋆†‡§¶‖.)]|\s)+/u, '')}`] }))
  return { body: letters.without(found), notes: made }
}
