import { columnOf, drawnLines, lineOf, mostLeading, type PageLine, type Sized } from '../page/page-lines.ts'

/** Pages with more items are not meant for reading. */
const mostItems = 5_000
/** The least width of a column gutter, as a multiple of the font size. */
const columnGap = 1.3
/** The last word of a line that ends with a hyphen, and the first of the next; the longest words that are searched. */
const [last, next] = [/(\S{0,40}[\p{L}\p{N}])-$/u, /^[\p{L}\p{N}][^\s|]{0,40}/u]
/** Most code units of either. */
const longest = 82

/**
 * Joins at a line end what has a hyphen of its own: before or after a digit, and before a capital letter ("COVID-19",
 * "2019-2021", "Nord-Ostsee"). Hyphens between small letters may be those of hyphenation: `inline.ts` decides these.
 */
export function withHardHyphens(markdown: string, items: readonly Sized[]): string {
  if (items.length > mostItems || !/- [\p{Lu}\p{N}]|\p{N}- /u.test(markdown)) return markdown
  const lines = drawnLines(items, columnGap).map(lineOf).sort((a, b) => b.y - a.y)
  /** What follows the first parts of such words, and how often it does. */
  const wanted = new Map<string, Map<string, number>>()
  for (const [i, line] of lines.entries()) {
    const first = last.exec(line.text)?.[1]
    const second = first === undefined ? undefined : next.exec(below(lines, i, line)?.text ?? '')?.[0]
    if (first === undefined || second === undefined || !(/^[\p{Lu}\p{N}]/u.test(second) || /\p{N}$/u.test(first))) continue
    const seconds = wanted.get(first) ?? new Map<string, number>()
    wanted.set(first, seconds.set(second, (seconds.get(second) ?? 0) + 1))
  }
  return wanted.size === 0 ? markdown : markdown.replace(/- (?=[\p{L}\p{N}])/gu, (blank, at: number) => (take(wanted, markdown.slice(Math.max(0, at - longest - 1), at), markdown.slice(at + 2, at + 2 + longest)) ? '-' : blank))
}

/** The line below another of lines from top to bottom, in its column. */
function below(lines: readonly PageLine[], at: number, line: PageLine): PageLine | undefined {
  let end = at
  while (line.y - (lines[end]?.y ?? -Infinity) < line.size * mostLeading) end++
  return columnOf(lines.slice(at, end), line, -1)
}

/** Takes one of the wanted words whose parts end a text, at the start of a word, and begin another. */
function take(wanted: ReadonlyMap<string, Map<string, number>>, before: string, after: string): boolean {
  for (let from = before.length - 1; from >= 0 && before.length - from <= longest && /\S/.test(before[from] ?? ''); from--) {
    const seconds = /[\p{L}\p{N}]/u.test(before[from - 1] ?? '') ? undefined : wanted.get(before.slice(from))
    if (seconds === undefined) continue
    for (let length = after.length; length > 0; length--) {
      const left = seconds.get(after.slice(0, length)) ?? 0
      if (left === 0) continue
      seconds.set(after.slice(0, length), left - 1)
      return true
    }
  }
  return false
}
