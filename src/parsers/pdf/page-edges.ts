import { bodySize, drawnLines, lineOf, mostItems, pageLines, type PageLine, type Sized } from './page-lines.ts'

/** A line at the edge of a page that stands apart from the text. */
export interface EdgeLine {
  readonly text: string
  /** The same where wide gaps part it. */
  readonly parts: readonly string[]
  readonly edge: 'top' | 'bottom'
  readonly y: number
}

/** A footnote: its mark, and all of its text without it. */
export interface PageNote {
  readonly mark: string
  readonly text: string
}

/** What stands around the text of a page, by its place. */
export interface PageEdges {
  readonly lines: readonly EdgeLine[]
  readonly notes: readonly PageNote[]
}

/** Lines that a header or footer has at most, and characters of each. */
const [mostLines, longest] = [4, 160]
/** How far a header or footer stands from the text, by the usual distance of lines; lines of it may stand so far from each other too. */
const apart = 1.3
/** By the size of most letters: those of headings are larger, those of footnotes smaller. */
const [largestSize, noteSize] = [1.05, 0.93]
const mostNotes = 40
/** Places of small letters that are notes, and lines of each; what is wider than the number of the page, by its size, is text. */
const [mostColumns, mostNoteLines, widestNumber] = [50, 200, 4]
/** By the size of letters: between columns, and how far a mark is above its line. */
const [columnGap, raisedAtMost] = [1.3, 0.6]
/** The part of a page, from below, in which notes of letters as large as others begin. */
const lowPart = 0.4

function usualStep(lines: readonly PageLine[]): number {
  const steps = lines.slice(1).map(({ y }, i) => (lines[i]?.y ?? 0) - y).sort((a, b) => a - b)
  return steps[Math.floor(steps.length / 2)] ?? 0
}

/** The lines from an edge on up to where the text begins. */
function band(lines: readonly PageLine[], step: number): readonly PageLine[] {
  const most = Math.min(mostLines, lines.length - 1)
  let end = 0
  for (let i = 0; i < most; i++) if (Math.abs((lines[i]?.y ?? 0) - (lines[i + 1]?.y ?? 0)) > step * apart) end = i + 1
  return lines.slice(0, end)
}

function edgeLines(items: readonly Sized[], body: number): EdgeLine[] {
  const lines = pageLines(items)
  const step = usualStep(lines)
  const plain = ({ text, size }: PageLine): boolean => size <= body * largestSize && text.length <= longest
  const found = (edge: EdgeLine['edge'], some: readonly PageLine[]): EdgeLine[] => band(some, step).filter(plain).map(({ text, parts, y }) => ({ text, parts, edge, y }))
  return [...found('top', lines), ...found('bottom', lines.toReversed())]
}

const noteMark = /^([\d⁰¹²³⁴-⁹]{1,3}|[*∗⋆†‡§¶‖]{1,3}|[a-z](?=[\s.)]))[.)]?\s*(?=\S)/u

/** Lines with the marks that stand before them at the distance of a tab. */
function withMarks(lines: readonly PageLine[]): PageLine[] {
  return lines.flatMap((line, i): PageLine[] => {
    const [before, next] = [lines[i - 1], lines[i + 1]]
    if (next !== undefined && isMarkOf(line, next)) return []
    return [before !== undefined && isMarkOf(before, line) ? { ...line, text: `${before.text} ${line.text}`, x: before.x } : line]
  })
}

const isMarkOf = (mark: PageLine, line: PageLine): boolean => /^(?:[\d⁰¹²³⁴-⁹]{1,3}|[*∗⋆†‡§¶‖]{1,3})[.)]?$/u.test(mark.text) && mark.size <= line.size && Math.abs(mark.y - line.y) < line.size * raisedAtMost && line.x > mark.right && line.x < mark.right + line.size * widestNumber

/** The lines of smaller letters in one column, from one on that begins with a mark; `ended` where larger ones follow below. */
interface NoteColumn {
  readonly lines: PageLine[]
  /** Letters of notes are as large at the most. */
  readonly size: number
  left: number
  right: number
  ended: boolean
}

/** The footnotes of a page: what is below all larger letters of its column; letters as large as others are notes where a raised mark says so. */
function notesOf(items: readonly Sized[], body: number): PageNote[] {
  const columns: NoteColumn[] = []
  const lines = withMarks(drawnLines(items, columnGap).map(lineOf))
  const [top, bottom] = [Math.max(...lines.map(({ y }) => y)), Math.min(...lines.map(({ y }) => y))]
  for (const line of lines) {
    const column = columns.find(({ left, right, ended }) => !ended && line.x < right && line.right > left)
    const isSmall = line.size < body * noteSize
    const isWritten = /\p{L}/u.test(line.text)
    if (column === undefined) {
      const begins = (isSmall && !line.isCode) || (line.isRaised && line.y < bottom + (top - bottom) * lowPart)
      if (begins && isWritten && noteMark.test(line.text) && columns.length < mostColumns) columns.push({ lines: [line], size: isSmall ? body * noteSize : line.size * largestSize, left: line.x, right: line.right, ended: false })
    } else if (isWritten && line.size < column.size && column.lines.length < mostNoteLines) {
      column.lines.push(line)
      column.left = Math.min(column.left, line.x)
      column.right = Math.max(column.right, line.right)
    } else if (line.right - line.x > line.size * widestNumber) column.ended = true
  }
  return columns.flatMap(({ lines: own, ended }) => (ended ? [] : parted(own))).slice(0, mostNotes)
}

/** Lines as notes, each from its mark on. */
function parted(lines: readonly PageLine[]): { mark: string; text: string }[] {
  const notes: { mark: string; text: string }[] = []
  for (const { text } of lines) {
    const [begun = '', mark] = noteMark.exec(text) ?? []
    const last = notes.at(-1)
    if (last === undefined || (mark !== undefined && follows(last.mark, mark.normalize('NFKC')))) notes.push({ mark: (mark ?? '').normalize('NFKC'), text: text.slice(begun.length) })
    else last.text += ` ${text}`
  }
  return notes
}

/** Numbers of notes count on; a line that begins with another number is the next of a note. */
const follows = (before: string, mark: string): boolean => (/^\d/.test(mark) ? !/^\d/.test(before) || Number(mark) === Number(before) + 1 : /^[a-z]/.test(mark) ? mark.charCodeAt(0) === before.charCodeAt(0) + 1 : true)

/** What stands around the text of a page: lines that may be headers or footers, and its footnotes. */
export function pageEdges(items: readonly Sized[]): PageEdges {
  if (items.length > mostItems) return { lines: [], notes: [] }
  const body = bodySize(items)
  return { lines: edgeLines(items, body), notes: notesOf(items, body) }
}
