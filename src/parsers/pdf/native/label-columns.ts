import { type Block, blocksOf, toMarkdown } from '../blocks.ts'
import { type Cut, lettersOf, PageLetters } from '../page/page-letters.ts'
import { columnOf, drawnLines, lineOf, type PageLine, type Sized } from '../page/page-lines.ts'

/** Pages with more items or lines are not meant for reading. */
const [mostItems, mostLines] = [5_000, 500]
/** The longest label, in characters; the fewest labels of a column; tolerance of a margin, in points. */
const [longest, fewest, sameStart] = [30, 2, 2]
/** The least and the widest gap between a label and its text, in font sizes. */
const [narrowest, widest] = [0.75, 12]
/** The largest step between two labels of one text, in font sizes. */
const mostStep = 1.5
/** How many letters of the text, and of the line above, identify the place of a label. */
const [lettersAfter, lettersBefore] = [24, 12]
const listItem = /^\d{1,9}[.)]\s/
/** A label is a name or a year, and not the number of a section in a table of contents. */
const named = /\p{L}{2}|\d{4}/u
const starts = /^["'“„«(]?[\p{Lu}\p{Lo}\d]/u

/** A label, such as a date or a language, and the first line of the text beside it. */
interface Entry {
  readonly label: PageLine
  readonly text: PageLine
}

/** The lines that begin with a label: short text with a gap behind it. */
function entriesOf(lines: readonly PageLine[]): Entry[] {
  const rows = new Map<number, PageLine[]>()
  for (const line of lines) {
    const key = Math.round(line.y)
    const row = rows.get(key) ?? rows.get(key - 1) ?? rows.get(key + 1)
    if (row === undefined) rows.set(key, [line])
    else row.push(line)
  }
  return [...rows.values()].flatMap((row) => {
    const [label, text] = row.toSorted((a, b) => a.x - b.x)
    const isEntry = label !== undefined && text !== undefined && label.text.length <= longest && text.x - label.right < text.size * widest && starts.test(label.text) && named.test(label.text) && starts.test(text.text) && /\p{L}{2}/u.test(text.text) && !text.isCode
    return isEntry ? [{ label, text }] : []
  })
}

/** Whether other labels stand in the same column: their texts start at the same place, and they start or end at the same. */
function isInColumn({ label, text }: Entry, entries: readonly Entry[]): boolean {
  return entries.filter((other) => Math.abs(other.text.x - text.x) < sameStart && (Math.abs(other.label.x - label.x) < sameStart || Math.abs(other.label.right - label.right) < sameStart)).length >= fewest
}

/** Whether a label stands closely below a line that is only a label: both name the same text. */
function goesOn({ label, text }: Entry, lines: readonly PageLine[], labels: ReadonlySet<PageLine>): boolean {
  const above = columnOf(lines, label, 1, mostStep)
  return above !== undefined && above.right < text.x && !labels.has(above)
}

/** Ends a list before the lines that start with a label: the library wrote them into its last item. */
function partedList(block: Block, keys: readonly string[]): Block[] {
  const at = block.kind === 'list' ? block.lines.findIndex((line, i) => i > 0 && starts.test(line) && !listItem.test(line) && keys.some((key) => lettersOf(line).startsWith(key))) : -1
  return at < 0 ? [block] : [{ kind: 'list', lines: block.lines.slice(0, at) }, { kind: 'text', lines: block.lines.slice(at) }]
}

/** Where a label stands in the letters of a page; null when that is not certain. */
function placeOf(key: string, above: string, letters: string): number | null {
  const at = letters.indexOf(key)
  if (at >= 0 && letters.indexOf(key, at + 1) < 0) return at
  const wanted = above.slice(-lettersBefore) + key
  const next = letters.indexOf(wanted)
  return above === '' || next < 0 || letters.indexOf(wanted, next + 1) >= 0 ? null : next + wanted.length - key.length
}

/**
 * Makes paragraphs of texts with a label in a column beside them, as the dates of a résumé: the library joins them with
 * the text before.
 */
export function withLabelColumns(markdown: string, items: readonly Sized[]): string {
  if (items.length > mostItems || markdown.trim() === '') return markdown
  const lines = drawnLines(items, narrowest).map(lineOf)
  const entries = lines.length > mostLines ? [] : entriesOf(lines)
  const labels = new Set(entries.map(({ label }) => label))
  const own = entries.filter((entry) => isInColumn(entry, entries) && !goesOn(entry, lines, labels))
  if (own.length === 0) return markdown
  const above = new Map(lines.map((line, i) => [line, lettersOf(lines[i - 1]?.text ?? '')]))
  const keys = new Map(own.map(({ label, text }) => [label, lettersOf(label.text) + lettersOf(text.text).slice(0, lettersAfter)]))
  const letters = new PageLetters(blocksOf(markdown).flatMap((block) => partedList(block, [...keys.values()])))
  const cuts = [...keys].flatMap(([label, key]): Cut[] => {
    const at = placeOf(key, above.get(label) ?? '', letters.text)
    return at === null ? [] : [{ at, level: null }]
  })
  return toMarkdown(letters.split(cuts))
}
