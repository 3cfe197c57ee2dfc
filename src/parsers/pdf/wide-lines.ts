/** What is needed of a text run and its place. */
interface Placed {
  readonly text: string
  readonly y: number
  readonly height: number
  readonly itemType: string
}

/** Letters of scripts that are written without blanks, and the signs between them. */
export const wide = '[\\u2e80-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff\\uff00-\\uffef]|[\\ud840-\\ud887][\\udc00-\\udfff]'
const blank = new RegExp(`(?<=((?:${wide}){1,2})) (?=((?:${wide}){1,2}))`, 'g')
/** Whether there are such letters in a text. */
export const isWide = new RegExp(wide)
const [lasts, firsts] = [new RegExp(`(?:${wide}){1,2}$`), new RegExp(`^(?:${wide}){1,2}`)]

/** Takes the blanks out that the library puts where a line of such a script ends: those that the page has stay. */
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
