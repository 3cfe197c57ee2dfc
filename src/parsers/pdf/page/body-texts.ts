import { bodySize, type PageLine, type Run } from './page-lines.ts'
import { isText } from './placed.ts'

/** Pages with more runs, or fewer, have no margin or columns that are meant for reading. */
const [mostItems, leastItems] = [5_000, 8]
/** Baselines that differ by less than this multiple of the font size are level. */
const level = 0.15

export const word = /\p{L}{3}|\p{Lo}{2}/u
/** Lines that may be headers or footers. */
export type Edges = readonly Pick<PageLine, 'y' | 'parts'>[]

/**
 * The runs of a page from top to bottom, apart from its headers and footers (`heads`), and its body size; null when it is not
 * meant for reading.
 */
export function textsOf<Item extends Run>(items: readonly Item[], edges: Edges): { heads: readonly Item[]; others: readonly Item[]; body: number } | null {
  const texts = items.filter(isText).sort((a, b) => b.y - a.y)
  if (texts.length < leastItems || texts.length > mostItems || texts.some(({ rotation }) => rotation !== 0)) return null
  const body = bodySize(texts)
  const heads = edges.flatMap(({ y, parts }) => {
    const row = texts.filter((item) => Math.abs(item.y - y) < body * level)
    const isOne = parts.length > 1 ? row.every(({ fontSize }) => Math.abs(fontSize - (row[0]?.fontSize ?? 0)) < 0.5) : !word.test(parts[0] ?? '')
    return isOne ? row : []
  })
  return { heads, others: heads.length === 0 ? texts : texts.filter((item) => !heads.includes(item)), body }
}
