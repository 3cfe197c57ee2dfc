import type { Placed } from '../page/placed.ts'

/** Matches characters of scripts that are written without spaces, and their punctuation. */
export const wide = '[\\u2e80-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff\\uff00-\\uffef]|[\\ud840-\\ud887][\\udc00-\\udfff]'
const blank = new RegExp(`(?<=((?:${wide}){1,2})) (?=((?:${wide}){1,2}))`, 'g')
/** Whether a text has such characters. */
export const isWide = new RegExp(wide)
const [lasts, firsts] = [new RegExp(`(?:${wide}){1,2}$`), new RegExp(`^(?:${wide}){1,2}`)]

/** Removes the spaces that the library inserts at the ends of lines in such scripts; spaces on the page stay. */
export function withoutLineBlanks(markdown: string, items: readonly Placed[]): string {
  if (!isWide.test(markdown)) return markdown
  const ends = new Set<string>()
  let before: Placed | null = null
  for (const item of items) {
    if (item.itemType !== 'Text' || item.text.trim() === '') continue
    const [end, start] = [lasts.exec(before?.text.trim() ?? '')?.[0], firsts.exec(item.text.trim())?.[0]]
    if (before !== null && end !== undefined && start !== undefined && Math.abs(before.y - item.y) > Math.min(before.height, item.height) / 2) ends.add(`${end} ${start}`)
    before = item
  }
  return markdown.replace(blank, (whole: string, end: string, start: string) => ([`${end} ${start}`, `${end.slice(-1)} ${start}`, `${end} ${start.slice(0, 1)}`].some((key) => ends.has(key)) ? '' : whole))
}
