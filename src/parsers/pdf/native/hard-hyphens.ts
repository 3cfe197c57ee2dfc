import { quoted } from '../../../lib/quoted.ts'
import { columnOf, drawnLines, lineOf, type Sized } from '../page/page-lines.ts'

/** Pages with more items are not meant for reading. */
const mostItems = 5_000
/** The least width of a column gutter, as a multiple of the font size. */
const columnGap = 1.3
/** The last word of a line that ends with a hyphen, and the first of the next; the longest words that are searched. */
const [last, next] = [/(\S{0,40}[\p{L}\p{N}])-$/u, /^[\p{L}\p{N}][^\s|]{0,40}/u]

/**
 * Joins at a line end what has a hyphen of its own: before or after a digit, and before a capital letter ("COVID-19",
 * "2019-2021", "Nord-Ostsee"). Hyphens between small letters may be those of hyphenation: `inline.ts` decides these.
 */
export function withHardHyphens(markdown: string, items: readonly Sized[]): string {
  if (items.length > mostItems || !/- [\p{Lu}\p{N}]|\p{N}- /u.test(markdown)) return markdown
  const lines = drawnLines(items, columnGap).map(lineOf)
  let made = markdown
  for (const line of lines) {
    const first = last.exec(line.text)?.[1]
    const second = first === undefined ? undefined : next.exec(columnOf(lines, line, -1)?.text ?? '')?.[0]
    if (first === undefined || second === undefined || !(/^[\p{Lu}\p{N}]/u.test(second) || /\p{N}$/u.test(first))) continue
    made = made.replace(new RegExp(`(?<![\\p{L}\\p{N}])${quoted(first)}- (?=${quoted(second)})`, 'u'), `${first.replaceAll('$', '$$$$')}-`)
  }
  return made
}
