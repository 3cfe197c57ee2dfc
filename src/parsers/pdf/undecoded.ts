import type { Placed } from './anchors.ts'
import { isWide } from './wide-lines.ts'

/** What the native library does not know of a page: its letters, or in which order they may be read. */
export type Undecoded = 'letters' | 'order'

/** Of so many letters one is unknown. */
const mostUnknown = 50
/** Points by which text stands apart from what is beside it in one line, by its height: letters in a line touch each other. */
const leastApart = 1.05

/** The pages that are to be read again, and why. Where letters of one are numbers, few of them on another are too. */
export function undecodedPages(pages: ReadonlyMap<number, readonly Placed[]>): ReadonlyMap<number, Undecoded> {
  const found = new Map([...pages].flatMap(([page, items]) => {
    const why = undecoded(items)
    return why === null ? [] : [[page, why] as const]
  }))
  const someAreNumbers = [...found].some(([page, why]) => why === 'letters' && areNumbers(textOf(pages.get(page) ?? [])))
  for (const [page, items] of someAreNumbers ? pages : []) if (textOf(items).search(between) >= 0) found.set(page, 'letters')
  return found
}

const textOf = (items: readonly Placed[]): string => items.map(({ itemType, text }) => (itemType === 'Text' ? text : '')).join('')

/** Whether a page is to be read again, and why; null where it was read well. */
function undecoded(items: readonly Placed[]): Undecoded | null {
  const texts = items.filter(({ itemType, text }) => itemType === 'Text' && text.trim() !== '')
  const all = texts.map(({ text }) => text).join('')
  if (all.split('\ufffd').length - 1 > all.replace(/\s+/g, '').length / mostUnknown) return 'letters'
  if (areNumbers(all)) return 'letters'
  return isWide.test(all) && maybeUpright(texts) ? 'order' : null
}

/** Letters between Greek and the signs beyond the alphabets, among which numbers of a collection fall that are taken for codes of Unicode. */
const between = /[\u034a-\u1fff]/g
/** The share of such letters, and blocks of 128 that they are spread over: no page is written in so many alphabets. */
const [leastBetween, mostBlocks] = [0.1, 8]

/** Whether letters are numbers of a character collection: "ύοέʔδ" is パッケージ by its numbers. */
function areNumbers(text: string): boolean {
  const found = text.match(between) ?? []
  return found.length > text.replace(/\s+/g, '').length * leastBetween && new Set(found.map((letter) => letter.charCodeAt(0) >> 7)).size >= mostBlocks
}

/** What fills lines, rules tables and marks text, of any of which a page may be full. */
const filling = /[\s.·…_=~|*#\\-]+/g
const latinWord = /(?<![\p{L}\p{N}])[a-zA-Z\u00c0-\u024f]{4,}(?![\p{L}\p{N}])/gu
const vowel = /[aeiouy\u00c0-\u024f]/i
/** Letters below which a text says nothing of its page, the share of them in what is written, and of words that can be spoken. */
const [leastLetters, leastShare, leastSpoken] = [40, 0.5, 0.7]

/** Whether a text that its reader distrusts is one: tables of contents and programs look odd, and are. */
export function isReadable(text: string): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  if (letters < leastLetters || letters < text.replace(filling, '').length * leastShare || /[\0\ufffd\ue000-\uf8ff]/.test(text)) return false
  const words = text.match(latinWord) ?? []
  return words.filter((word) => vowel.test(word)).length >= words.length * leastSpoken
}

/** Whether letters may stand below each other: then lines lie upon each other, or letters of columns stand apart. */
function maybeUpright(texts: readonly Placed[]): boolean {
  let [odd, wide] = [0, 0]
  texts.forEach((text, i) => {
    if (!isWide.test(text.text)) return
    wide++
    const next = texts[i + 1]
    const isOver = next !== undefined && Math.abs(next.y - text.y) < 1 && next.x > text.x - text.width && next.x < text.x + text.width / 2
    if (isOver || [...text.text].length === 1 || text.width > [...text.text].length * text.height * leastApart) odd++
  })
  return odd * 3 > wide
}
