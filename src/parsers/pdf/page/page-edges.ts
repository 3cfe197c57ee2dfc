import { bodySize, drawnLines, lineOf, mostItems, pageLines, type PageLine, type Sized } from './page-lines.ts'

/** A line at the top or bottom edge of a page, set off from the text by extra leading. */
export interface EdgeLine {
  readonly text: string
  /** The text, split at wide gaps. */
  readonly parts: readonly string[]
  readonly edge: 'top' | 'bottom'
  readonly y: number
}

/** A footnote: its mark, and its text without the mark. */
export interface PageNote {
  readonly mark: string
  readonly text: string
}

/** The lines at the edges of a page that may be headers or footers, and its footnotes. */
export interface PageEdges {
  readonly lines: readonly EdgeLine[]
  readonly notes: readonly PageNote[]
  /** The first and the last line of a page of two lines or more, however close to the text. */
  readonly outermost?: { readonly top: EdgeLine; readonly bottom: EdgeLine } | undefined
}

/** The most lines of a header or footer, and the most characters of one line. */
const [mostLines, longest] = [4, 160]
/** The least leading between a header or footer and the text, as a multiple of the page's usual leading. */
const apart = 1.3
/** A page of fewer lines has the leading of the file: its own median may be the step to its footer. */
const fewLines = 6
/** How many pages are measured for it. */
const mostMeasured = 50
/** Font sizes as multiples of the body size: larger letters are headings, smaller ones may be footnotes. */
const [largestSize, noteSize] = [1.05, 0.93]
const mostNotes = 40
/** Limits of footnotes: columns per page, and lines per column. */
const [mostColumns, mostNoteLines] = [50, 200]
/** The widest page number, as a multiple of its font size. Wider text below footnotes is body text. */
const widestNumber = 4
/** The least width of a column gutter, and the most that a mark is raised above its baseline; multiples of the font size. */
const [columnGap, raisedAtMost] = [1.3, 0.6]
/** Footnotes in the body size begin within this part of the page's height, from the bottom. */
const lowPart = 0.4

const stepsOf = (lines: readonly PageLine[]): number[] => lines.slice(1).map(({ y }, i) => (lines[i]?.y ?? 0) - y)

function median(steps: readonly number[]): number {
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
}

/** The usual leading of a file: the median distance between the baselines of adjacent lines. 0 when no page has two lines. */
export function leadingOf(pages: readonly (readonly Sized[])[]): number {
  return median(pages.filter((items) => items.length <= mostItems).slice(0, mostMeasured).flatMap((items) => stepsOf(pageLines(items))))
}

/** The lines between an edge of the page and its text. `lines` start at the edge. */
function linesAtEdge(lines: readonly PageLine[], leading: number): readonly PageLine[] {
  // A page left blank may have nothing but its header and its footer.
  if (lines.length <= 2) return lines.slice(0, 1)
  const most = Math.min(mostLines, lines.length - 1)
  let end = 0
  for (let i = 0; i < most; i++) if (Math.abs((lines[i]?.y ?? 0) - (lines[i + 1]?.y ?? 0)) > leading * apart) end = i + 1
  return lines.slice(0, end)
}

const edgeLine = ({ text, parts, y }: PageLine, edge: EdgeLine['edge']): EdgeLine => ({ text, parts, edge, y })

function outermostOf(lines: readonly PageLine[]): PageEdges['outermost'] {
  const [top, bottom] = [lines[0], lines.at(-1)]
  return top === undefined || bottom === undefined || top === bottom ? undefined : { top: edgeLine(top, 'top'), bottom: edgeLine(bottom, 'bottom') }
}

/** The lines at the top and bottom edges that may be a header or footer. */
function edgeLines(lines: readonly PageLine[], body: number, usual: number): EdgeLine[] {
  const own = median(stepsOf(lines))
  const leading = lines.length < fewLines && usual > 0 ? Math.min(own, usual) : own
  const plain = ({ text, size }: PageLine): boolean => size <= body * largestSize && text.length <= longest
  const found = (edge: EdgeLine['edge'], some: readonly PageLine[]): EdgeLine[] => linesAtEdge(some, leading).filter(plain).map((line) => edgeLine(line, edge))
  return [...found('top', lines), ...found('bottom', lines.toReversed())]
}

/** Matches the mark at the start of a footnote: a number that is no part of a longer one or of an amount, a symbol or a letter. */
const noteMark = /^([\d⁰¹²³⁴-⁹]{1,3}(?![\d⁰¹²³⁴-⁹]|[.,:'’/–-]\d|\s?[%‰€$£])|[*∗⋆†‡§¶‖]{1,3}|[a-z](?=[\s.)]))[.)]?\s*(?=\S)/u

/** A line that is a date ("12 March 2025", "12. März 2025", "12 de marzo de 2025") begins with no mark. */
const isDate = /^\d{1,2}\.?\s(?:de\s)?\p{L}{3,12}\.?,?\s(?:de\s)?\d{4}\.?$/u

/** Joins a mark to its line when a tab separates them: such marks come as lines of their own. */
function withMarks(lines: readonly PageLine[]): PageLine[] {
  return lines.flatMap((line, i): PageLine[] => {
    const [before, next] = [lines[i - 1], lines[i + 1]]
    if (next !== undefined && isMarkOf(line, next)) return []
    return [before !== undefined && isMarkOf(before, line) ? { ...line, text: `${before.text} ${line.text}`, x: before.x } : line]
  })
}

/** Whether `mark` is a footnote mark directly to the left of `line`. */
const isMarkOf = (mark: PageLine, line: PageLine): boolean => /^(?:[\d⁰¹²³⁴-⁹]{1,3}|[*∗⋆†‡§¶‖]{1,3})[.)]?$/u.test(mark.text) && mark.size <= line.size && Math.abs(mark.y - line.y) < line.size * raisedAtMost && line.x > mark.right && line.x < mark.right + line.size * widestNumber

/** The footnotes at the foot of one text column. */
interface NoteColumn {
  /** The first line begins with a mark. */
  readonly lines: PageLine[]
  /** Lines in letters of this size or larger are no footnotes. */
  readonly size: number
  left: number
  right: number
  /** Whether body text follows below: then these lines are no footnotes. */
  ended: boolean
}

/**
 * The footnotes of a page: lines in small letters at the foot of a column, from a line with a mark on. Lines in the body
 * size count when their mark is raised.
 */
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
      if (begins && isWritten && noteMark.test(line.text) && !isDate.test(line.text) && columns.length < mostColumns) columns.push({ lines: [line], size: isSmall ? body * noteSize : line.size * largestSize, left: line.x, right: line.right, ended: false })
    } else if (isWritten && line.size < column.size && column.lines.length < mostNoteLines) {
      column.lines.push(line)
      column.left = Math.min(column.left, line.x)
      column.right = Math.max(column.right, line.right)
    } else if (line.right - line.x > line.size * widestNumber) column.ended = true
  }
  return columns.flatMap(({ lines: own, ended }) => (ended ? [] : parted(own))).slice(0, mostNotes)
}

/** Splits lines into footnotes; each begins at its mark. */
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

/** Whether a mark is the next one after `before`: a line that begins with any other number continues its footnote. */
const follows = (before: string, mark: string): boolean => (/^\d/.test(mark) ? !/^\d/.test(before) || Number(mark) === Number(before) + 1 : /^[a-z]/.test(mark) ? mark.charCodeAt(0) === before.charCodeAt(0) + 1 : true)

/**
 * Finds by position what surrounds the text of a page: lines that may be headers or footers, and footnotes.
 * `running-lines.ts` decides which of these lines are headers and footers; `footnotes.ts` moves the footnotes.
 * `leading` is that of the file.
 */
export function pageEdges(items: readonly Sized[], leading = 0): PageEdges {
  if (items.length > mostItems) return { lines: [], notes: [] }
  const [body, lines] = [bodySize(items), pageLines(items)]
  return { lines: edgeLines(lines, body, leading), notes: notesOf(items, body), outermost: outermostOf(lines) }
}
