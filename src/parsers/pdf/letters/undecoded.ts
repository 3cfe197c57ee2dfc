import { areOrnaments } from './numbered-letters.ts'
import type { Placed } from '../page/placed.ts'
import { isWide } from '../native/wide-lines.ts'

/**
 * What the native library does not know about a page: its letters, their codes in bitmap fonts, or their reading order; or
 * that it takes letters for others.
 */
export type Undecoded = 'letters' | 'codes' | 'order' | 'others'

/** A page is undecoded when more than one in this many letters is unknown. */
const mostUnknown = 50
/** Text cannot be understood when more than one in this many letters is unknown. */
const mostLacking = 10
/**
 * Text that is wider than this multiple of its letters' height may be a row of separate columns: letters of a line touch
 * each other.
 */
const leastApart = 1.05

/**
 * The pages that must be read again, and why. When the letters of one page are character numbers, a few such letters on any
 * other page count too.
 */
export function undecodedPages(pages: ReadonlyMap<number, readonly Placed[]>): ReadonlyMap<number, Undecoded> {
  const found = new Map([...pages].flatMap(([page, items]) => {
    const why = undecoded(items)
    return why === null ? [] : [[page, why] as const]
  }))
  const someAreNumbers = [...found].some(([page, why]) => why === 'letters' && areNumbers(textOf(pages.get(page) ?? [])))
  for (const [page, items] of someAreNumbers ? pages : []) if (textOf(items).search(between) >= 0) found.set(page, 'letters')
  return found
}

/** Whether more than one in `most` letters of a text are unknown. */
const lacks = (text: string, most: number): boolean => text.split('\ufffd').length - 1 > text.replace(/\s+/g, '').length / most

/** Whether a text lacks so many letters that it cannot be understood. */
export const lacksLetters = (text: string): boolean => lacks(text, mostLacking)

const textOf = (items: readonly Placed[]): string => items.map(({ itemType, text }) => (itemType === 'Text' ? text : '')).join('')

/** Why a page must be read again; null when it was read well. */
function undecoded(items: readonly Placed[]): Undecoded | null {
  const texts = items.filter(({ itemType, text }) => itemType === 'Text' && text.trim() !== '')
  const all = texts.map(({ text }) => text).join('')
  if (lacks(all, mostUnknown) || areNumbers(all) || areRunTogether(texts)) return 'letters'
  if (areOrnaments(all)) return 'codes'
  return isWide.test(all) && maybeUpright(texts) ? 'order' : null
}

/** Characters between Greek and the symbols, where character numbers fall when they are taken for Unicode. */
const between = /[\u034a-\u1fff]/g
/**
 * Least share of such characters, and the number of 128-character blocks that they are spread over: no page uses so many
 * alphabets.
 */
const [leastBetween, mostBlocks] = [0.1, 8]

/** Whether the letters are numbers of a character collection: "ύοέʔδ" is パッケージ by its numbers. */
function areNumbers(text: string): boolean {
  const found = text.match(between) ?? []
  return found.length > text.replace(/\s+/g, '').length * leastBetween && new Set(found.map((letter) => letter.charCodeAt(0) >> 7)).size >= mostBlocks
}

/** The longest word, in letters; and the least share of a page's letters in longer words when its spaces are lost. */
const [longestWord, leastRunTogether] = [24, 0.4]
const latin = /[a-zA-Z]+/g

/** Whether words run together: in some fonts with two-byte codes, the library does not recognise spaces. */
function areRunTogether(texts: readonly Placed[]): boolean {
  let [letters, long] = [0, 0]
  for (const { text } of texts) {
    for (const word of text.match(latin) ?? []) {
      letters += word.length
      if (word.length > longestWord && /[a-z]{2}/.test(word)) long += word.length
    }
  }
  return letters > leastLetters && long > letters * leastRunTogether
}

/** Matches dot leaders, table rules and markdown syntax, of which a page may be full. */
const filling = /[\s.·…_=~|*#\\-]+/g
const latinWord = /(?<![\p{L}\p{N}])[a-zA-Z\u00c0-\u024f]{4,}(?![\p{L}\p{N}])/gu
const vowel = /[aeiouy\u00c0-\u024f]/i
/** Fewest letters of a readable text, their least share of the characters, and the least share of words with a vowel. */
const [leastLetters, leastShare, leastSpoken] = [40, 0.5, 0.7]

/** Whether a text that the library distrusts is readable: tables of contents and program listings only look odd. */
export function isReadable(text: string): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  if (letters < leastLetters || letters < text.replace(filling, '').length * leastShare || /[\0\ufffd\ue000-\uf8ff]/.test(text)) return false
  const words = text.match(latinWord) ?? []
  return words.filter((word) => vowel.test(word)).length >= words.length * leastSpoken
}

/** Whether text may be vertical: lines overlap, or letters of adjacent columns are apart. */
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
