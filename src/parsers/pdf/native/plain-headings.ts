import { type Block, blocksOf, toMarkdown } from '../blocks.ts'
import { lettersOf } from '../page/page-letters.ts'
import { startsWithDate } from '../page/page-numbers.ts'
import { bodySize, drawnLines, lineOf, type Sized } from '../page/page-lines.ts'

/** A text run with its font. */
interface Written extends Sized {
  readonly font: string
  readonly isBold: boolean
  readonly isItalic: boolean
}

/** Pages with more items are not meant for reading. */
const mostItems = 5_000
/** The least width of a column gutter, that of a narrow one, and how far font sizes of one text differ, as multiples. */
const [columnGap, narrowGap, sameSize] = [1.3, 0.7, 1.05]
/** A line of text has at least this many letters. */
const fewestLetters = 20
/** What a heading may look like without a style of its own: capital letters, or the number of a section. */
const named = /^(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVXLC]{1,6}|[A-Z])[.)]?\s+\p{Lu}|^§|^\p{L}+\s+(?:\d{1,3}|[IVXLC]{1,6})\b/u
const looksNamed = (text: string): boolean => (named.test(text) && !startsWithDate(text)) || text === text.toUpperCase()

/** Whether a gap before a run is wider than a blank. */
const startsColumn = (run: Written, before: Written): boolean => run.x - before.x - before.width > run.fontSize * narrowGap

/** The font of most letters of a page. */
function bodyFont(items: readonly Written[]): string {
  const counts = new Map<string, number>()
  for (const { itemType, font, text } of items) if (itemType === 'Text') counts.set(font, (counts.get(font) ?? 0) + text.length)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? ''
}

/** The letters of the lines in the font and size of the text; a narrow gutter joins those of two columns, so their ends are among them. */
function plainLines(items: readonly Written[]): string[] {
  const [body, font] = [bodySize(items), bodyFont(items)]
  // The signs of lists have fonts of their own.
  const isPlain = (run: Written): boolean => !/[\p{L}\p{N}]/u.test(run.text) || (run.font === font && !run.isBold && !run.isItalic && run.fontSize < body * sameSize && run.fontSize > body / sameSize)
  const rows = drawnLines(items, columnGap) as Written[][] // the runs that were passed in
  return rows
    .flatMap((runs) => runs.flatMap((run, i) => (i === 0 || startsColumn(run, runs[i - 1] ?? run) ? [runs.slice(i)] : [])))
    .filter((runs) => runs.every(isPlain))
    .map((runs) => lettersOf(lineOf(runs).text))
    .filter((letters) => letters !== '')
}

/** Whether a sentence goes on from one block to the next. */
const goesOn = (first: string, second: string): boolean => /[\p{L}\p{N},;-]$/u.test(first) && /^\p{Ll}/u.test(second)

/**
 * Makes paragraphs of headings that look like the text around them: the library takes short lines between wide gaps for
 * headings. Headings in capital letters or with a number stay.
 */
export function withoutPlainHeadings(markdown: string, items: readonly Written[]): string {
  if (items.length > mostItems || !/^#/m.test(markdown)) return markdown
  const headings = new Set(blocksOf(markdown).filter(({ kind }) => kind === 'heading').map(({ lines }) => lettersOf(lines[0] ?? '')))
  const lines = plainLines(items)
  const plain = new Set(lines)
  // On a page of headings only, nothing says how text looks.
  if (!lines.some((letters) => !headings.has(letters) && letters.length >= fewestLetters)) return markdown
  const made: Block[] = []
  let [changed, wasChanged] = [false, false]
  for (const block of blocksOf(markdown)) {
    const text = (block.lines[0] ?? '').replace(/^#+\s+/, '')
    const isPlain = block.kind === 'heading' && !looksNamed(text) && plain.has(lettersOf(text))
    const last = made.at(-1)
    const next: Block = isPlain ? { kind: 'text', lines: [text] } : block
    if (last?.kind === 'text' && next.kind === 'text' && (isPlain || wasChanged) && goesOn(last.lines.at(-1) ?? '', next.lines[0] ?? '')) made[made.length - 1] = { kind: 'text', lines: [...last.lines.slice(0, -1), `${last.lines.at(-1) ?? ''} ${next.lines[0] ?? ''}`, ...next.lines.slice(1)] }
    else made.push(next)
    changed ||= isPlain
    wasChanged = isPlain
  }
  return changed ? toMarkdown(made) : markdown
}
