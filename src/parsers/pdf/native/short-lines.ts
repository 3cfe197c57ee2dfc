import { blocksOf, toMarkdown } from '../blocks.ts'
import { type Cut, lettersOf, PageLetters } from '../page/page-letters.ts'
import { columnOf } from '../page/page-lines.ts'
import { type ColumnLine, columnLines, isAlike, type Styled } from './paragraph-starts.ts'

/** Pages with more items or lines are not meant for reading. */
const [mostItems, mostLines] = [5_000, 500]
/** The largest step within a block, as a multiple of the font size. */
const mostStep = 1.7
/** A block has so many lines: two short ones may be a sentence that a picture made narrow, many the column of a table. */
const [fewest, most] = [3, 8]
/** Short lines have at most this many characters, and cover at most this part of the width of the text around them. */
const [longest, part] = [48, 0.55]
/** The text around them has at least this many lines, of at least this many characters. */
const [fewestLong, long] = [2, 50]
/** Lines of an address or a letter head start like this: a wrapped sentence goes on with a small letter sooner or later. */
const startsLine = /^["“„«(]?[\p{Lu}\p{Lo}\d+☎✉]|^(?:c\/o|z\. ?Hd|i\. ?A|e-?mail|tel|fax|www\.)(?!\p{L})|^\S+@\S+$/u
/** A sentence that goes on in the next line, or ends. */
const isSentence = /[.!?:;+&=/-]["'”’»)]?$|(?:^|\s)\p{Ll}{1,3},?$/u
/** An abbreviation at the end of a line. */
const abbreviated = /(?:^|\s)\S{1,5}\.$/u

/** The median of where long lines end that begin above or below a line and go on beyond it; 0 when there are too few of them. */
function marginAt(line: ColumnLine, lines: readonly ColumnLine[]): number {
  const rights = lines.filter(({ x, right, text }) => text.length >= long && x < line.right && right > line.right).map(({ right }) => right)
  return rights.length < fewestLong ? 0 : (rights.toSorted((a, b) => a - b)[Math.floor(rights.length / 2)] ?? 0)
}

/** Whether a line ends far before the margin, where the next one had room, and says no part of a sentence. */
function isShort(line: ColumnLine, lines: readonly ColumnLine[]): boolean {
  if (line.text.length > longest || line.isItalic || (line.isCode && /\p{L}{2}/u.test(line.text)) || !startsLine.test(line.text)) return false
  return (!isSentence.test(line.text) || abbreviated.test(line.text)) && line.right - line.x < (marginAt(line, lines) - line.x) * part
}

/** The lines below a line that belong to its block, and are short as well. */
function blockFrom(first: ColumnLine, lines: readonly ColumnLine[], short: ReadonlySet<ColumnLine>): ColumnLine[] {
  const block = [first]
  for (let next = columnOf(lines, first, -1, mostStep); next !== undefined; next = columnOf(lines, next, -1, mostStep)) {
    const last = block.at(-1) ?? first
    const isAligned = Math.abs(next.x - first.x) < 2 || Math.abs(next.x + next.right - first.x - first.right) < 4 || Math.abs(next.right - first.right) < 2
    if (!short.has(next) || !isAlike(next, last) || !isAligned || block.includes(next)) return []
    block.push(next)
  }
  return block
}

/** The starts of lines that are set line by line in the letters of a page. */
function cutsOf(lines: readonly ColumnLine[], letters: PageLetters): Cut[] {
  const short = new Set(lines.filter((line) => isShort(line, lines)))
  return [...short].flatMap((first) => {
    const above = columnOf(lines, first, 1, mostStep)
    const block = above === undefined || !isAlike(above, first) ? blockFrom(first, lines, short) : []
    const own = block.map(({ text }) => lettersOf(text))
    const whole = own.join('')
    const at = letters.text.indexOf(whole)
    if (block.length < fewest || block.length > most || block.filter(({ text }) => /\p{L}{2}/u.test(text)).length < block.length / 2 || at < 0 || letters.text.indexOf(whole, at + 1) >= 0) return []
    // The block is apart from what stands above and below it.
    return [0, ...own.keys()].map((_, i) => ({ at: at + own.slice(0, i).join('').length, level: null }))
  })
}

/**
 * Makes paragraphs of lines that are set line by line, as in addresses and letter heads: the library joins them with the
 * next line, although they end far before the margin.
 */
export function withShortLines(markdown: string, items: readonly Styled[]): string {
  if (items.length > mostItems || markdown.trim() === '') return markdown
  const lines = columnLines(items)
  if (lines.length > mostLines) return markdown
  const letters = new PageLetters(blocksOf(markdown))
  const cuts = cutsOf(lines, letters)
  return cuts.length === 0 ? markdown : toMarkdown(letters.split(cuts))
}
