import { quoted } from '../../../lib/quoted.ts'
import type { Placed } from '../page/placed.ts'
import { dashItems } from './dash-items.ts'
import { letteredItems } from './lettered-items.ts'

/** A page with more items is not meant for reading. */
const mostItems = 5_000
const mostMarkdown = 100_000
/** Limit of lines that are not found: each of them searches the whole rest. */
const mostMisses = 100
/** Tolerance of a line start, and the largest indentation of one list level, in points. */
const [sameStart, widestLevel] = [3, 60]
/**
 * List markers, and characters that are list markers only when several lines start with them at the same place. The bullet
 * of TeX's bitmap fonts has the name of "❼".
 */
const mark = /^([•●▪◦‣∙■□▫◆◇►▶➢➤✓✔✗❖○⁃\uf0b7\uf0a7\uf0d8\uf0fc\uf076\uf06e\uf071\uf0a8\uf02d])(?:\s+|$)/u
const maybeMark = /^([o§·–—❼*∗-])$/u
/** What such a character is a part of: a negative number, or the number of a section of a law. */
const ofNumber = /^(?:[–—-]\s*[^\p{L}]*$|§\s*\d)/u

/** A line of a page: where it starts, its list marker if it has one, and the words after that. */
interface Line {
  readonly x: number
  readonly mark: string | null
  /** Whether its marker is a letter or number, which stays in the text. */
  readonly isLettered: boolean
  readonly text: string
  /** The text without spaces. */
  readonly bare: string
  /** The average width of a letter in the first run of the line. */
  readonly letter: number
}

const squeezed = (text: string): string => text.replace(/[\s\\]+/g, '')

/** A line whose first run begins with a dash, with this as its list marker. */
function withDash(line: Line): Line {
  const text = line.text.slice(1).trim()
  return { ...line, mark: line.text.slice(0, 1), text, bare: squeezed(text) }
}

function linesOf(items: readonly Placed[]): Line[] {
  const rows: Placed[][] = []
  for (const item of items) {
    if (item.itemType !== 'Text' || item.text.trim() === '') continue
    const last = rows.at(-1)?.at(-1)
    if (last !== undefined && Math.abs(last.y - item.y) < item.height / 3 && item.x >= last.x) rows.at(-1)?.push(item)
    else rows.push([item])
  }
  const lines = rows.map((row): Line => {
    const [first, ...rest] = row
    const own = first?.text ?? ''
    const blanks = own.length - own.trimStart().length
    const letter = (first?.width ?? 0) / Math.max(1, own.length)
    const all = [own, ...rest.map(({ text }) => text)].join(' ').trim()
    const found = mark.exec(own.trimStart())?.[1] ?? (rest.length > 0 && !ofNumber.test(all) ? (maybeMark.exec(own.trim())?.[1] ?? null) : null)
    const text = found === null ? all : all.slice(found.length).trim()
    return { x: (first?.x ?? 0) + blanks * letter, mark: found, isLettered: false, text, bare: squeezed(text), letter }
  })
  const isMark = (line: Line): boolean => line.mark !== null && (!maybeMark.test(line.mark) || lines.filter((other) => other.mark === line.mark && Math.abs(other.x - line.x) < sameStart).length > 1)
  const dashed = dashItems(lines)
  const labels = letteredItems(lines)
  const withLabel = (line: Line, label: string): Line => ({ ...line, mark: label, isLettered: true, text: line.text.slice(label.length).trim() })
  return lines.map((line) => (labels.has(line) ? withLabel(line, labels.get(line) ?? '') : dashed.has(line) ? withDash(line) : line.mark === null || isMark(line) ? line : { ...line, text: `${line.mark} ${line.text}`, bare: squeezed(`${line.mark} ${line.text}`), mark: null }))
}

/** A pattern of the first words of a line. */
const firstWords = (text: string): string => text.split(/\s+/).slice(0, 4).map((word) => quoted(word)).join('\\s+')

/**
 * Starts list items where the library joined items because it does not know their markers; the text after the last item
 * becomes a paragraph again.
 */
function withItems(markdown: string, lines: readonly Line[]): string {
  const done: string[] = []
  let rest = markdown
  let open: Line | null = null
  let misses = 0
  for (const line of lines) {
    if (line.text === '' || misses > mostMisses) continue
    const isItem = line.mark !== null
    if (!isItem && (open === null || line.x > open.x + sameStart)) continue
    const sign = quoted(line.mark ?? '')
    const pattern = isItem ? `(^|\\s)(?:- )?(?:\\*\\*\\\\?${sign}\\*\\*|\\\\?${sign})[^\\S\\n]*(?=${firstWords(line.text)})` : `([^\\S\\n])(?=${firstWords(line.text)})`
    const found = new RegExp(pattern, 'u').exec(rest)
    if (isItem) open = line
    else open = null
    if (found === null) misses++
    if (found === null) continue
    const before = rest.slice(0, found.index)
    // The text done so far ends with a list marker or a complete line.
    const begun = before.slice(before.lastIndexOf('\n') + 1)
    if (/^[|#]/.test(begun) && (before.includes('\n') || done.length === 0)) continue
    done.push(before.trimEnd(), isItem ? `${done.length === 0 && before.trim() === '' ? '' : '\n'}- ${line.isLettered ? `${line.mark} ` : ''}` : '\n\n')
    rest = rest.slice(found.index + found[0].length)
  }
  return done.join('') + rest
}

const fence = /^(?:```|~~~)/
const listItem = /^(?:[-*+]|\d{1,9}[.)]) +/

/** The lines of the page for each line of a block, in order; null for a line that is not found. */
function locate(block: readonly string[], lines: readonly Line[], isWhole: boolean): (Line | null)[] {
  let at = 0
  let misses = 0
  return block.map((text) => {
    if (misses > mostMisses) return null
    const wanted = squeezed(text.replace(/(?<!\\)\*|<[^>]*>/g, ''))
    if (wanted === '') return null
    for (let i = at; i < lines.length; i++) {
      const line = lines[i]
      const own = isWhole ? (line?.bare ?? '') : (line?.bare ?? '').replace(/^\d{1,9}[.)]/, '')
      if (line === undefined || own === '' || !(isWhole ? own === wanted : wanted.startsWith(own) || own.startsWith(wanted))) continue
      at = i + 1
      return line
    }
    misses++
    return null
  })
}

function indentedCode(block: readonly string[], lines: readonly Line[]): string[] {
  const found = locate(block, lines, true)
  const left = Math.min(...found.map((line) => line?.x ?? Infinity))
  return block.map((text, i) => {
    const line = found[i]
    const blanks = line === null || line === undefined || line.letter === 0 || /^\s/.test(text) ? 0 : Math.round((line.x - left) / line.letter)
    return ' '.repeat(Math.max(0, Math.min(80, blanks))) + text
  })
}

/** Nests list items by the position of their markers. */
function nestedList(block: readonly string[], lines: readonly Line[]): readonly string[] {
  const items = block.filter((text) => listItem.test(text))
  if (items.length !== block.length) return block
  const found = locate(items.map((text) => text.replace(listItem, '')), lines, false)
  if (found.some((line) => line === null)) return block
  const open: { x: number; indent: number }[] = []
  const made = block.map((text, i) => {
    const x = found[i]?.x ?? 0
    while (open.length > 0 && x < (open.at(-1)?.x ?? 0) - sameStart) open.pop()
    const last = open.at(-1)
    const marked = listItem.exec(block[i - 1] ?? '')?.[0].trim() ?? ''
    if (last === undefined) open.push({ x, indent: 0 })
    else if (x > last.x + sameStart) {
      if (x > last.x + widestLevel) return null
      open.push({ x, indent: last.indent + marked.length + 1 })
    }
    return ' '.repeat(open.at(-1)?.indent ?? 0) + text
  })
  return made.every((text) => text !== null) ? made.flatMap((text) => text ?? []) : block
}

/** Restores what the positions of line starts say: list markers, nesting of list items, indentation of code. */
export function withLineStarts(markdown: string, items: readonly Placed[]): string {
  if (items.length > mostItems || markdown.length > mostMarkdown) return markdown
  const lines = linesOf(items)
  const text = (lines.some((line) => line.mark !== null) ? withItems(markdown, lines) : markdown).split('\n')
  const done: string[] = []
  for (let at = 0; at < text.length; ) {
    let end = at + 1
    if (fence.test(text[at] ?? '')) {
      while (end < text.length && !fence.test(text[end] ?? '')) end++
      done.push(text[at] ?? '', ...indentedCode(text.slice(at + 1, end), lines), ...text.slice(end, end + 1))
      end++
    } else if (listItem.test(text[at] ?? '')) {
      while (listItem.test(text[end] ?? '')) end++
      done.push(...nestedList(text.slice(at, end), lines))
    } else done.push(text[at] ?? '')
    at = end
  }
  return done.join('\n')
}
