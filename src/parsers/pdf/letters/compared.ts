import type { SecondReading } from './decoded.ts'
import type { Undecoded } from './undecoded.ts'

/** Milliseconds for comparing; a file must not fail because of it. */
const maxMs = 8_000
/** The other library must read at least this share of a page's signs: it may be the one that cannot read it. */
const leastShare = 0.9

const lengthOf = (text: string): number => text.replace(/\s+/g, '').length

/** How often each letter and digit is in a text; the parts of a ligature count as letters, accents do not count. */
function lettersOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const letter of text.normalize('NFKD').match(/[\p{L}\p{N}]/gu) ?? []) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return counts
}

/**
 * The pages where a text has letters or digits that are not on the page, as the other library reads it. Its order and blanks
 * do not matter, nor what it lacks.
 */
export async function falsifiedPages(texts: ReadonlyMap<number, string>, open: SecondReading['open']): Promise<ReadonlyMap<number, Undecoded>> {
  const found = new Map<number, Undecoded>()
  try {
    const end = performance.now() + maxMs
    const proxy = await open()
    for (const [number, text] of texts) {
      if (performance.now() > end) break
      const page = await proxy.getPage(number)
      const { items } = await page.getTextContent().finally(() => page.cleanup())
      const other = items.map((item) => ('str' in item ? item.str : '')).join('')
      const drawn = lettersOf(other)
      const more = [...lettersOf(text)].filter(([letter, count]) => count > (drawn.get(letter) ?? 0))
      // The libraries differ about a symbol here and there.
      const isOther = more.length > 1 || more.some(([letter]) => /\p{N}/u.test(letter))
      if (isOther && lengthOf(other) >= lengthOf(text) * leastShare) found.set(number, 'others')
    }
  } catch {
    // What the other library cannot open stays as it is.
  }
  return found
}
