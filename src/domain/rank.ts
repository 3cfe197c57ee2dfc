import { plainLetters } from '../lib/folded.ts'

/** What is known of a page before it is read. */
export interface Rankable {
  readonly url: string
  readonly title?: string | undefined
  readonly description?: string | undefined
}

/** The usual constants of BM25 (Robertson and Zaragoza, 2009, §3.5): saturation of repeats, and how much length counts. */
const k1 = 1.2
const b = 0.75
/** A word of the title says more than one of the address, and that more than one of the description. */
const weights = { title: 3, url: 2, description: 1 } as const
const maxTerms = 32
const maxText = 2_000

/** Takes documents one by one, so that many of them need not hold anybody up. */
export interface Ranking<T extends Rankable> {
  add(document: T): void
  /** Best first; among equals, and for those that do not fit at all, in the order in which they came. */
  order(): readonly T[]
}

/**
 * Orders documents by how well they fit the words of a query (BM25F over title, address and description). Words are compared without
 * case, accents and plural endings; `getUserById2` is a word, and so are get, user, by, id and 2, which together are worth one. Linear in the text.
 */
export function ranking<T extends Rankable>(query: string): Ranking<T> {
  const worth = worthOf(query.slice(0, maxText))
  const terms = new Map([...worth.keys()].map((word, i) => [word, i]))
  const having = Array.from({ length: terms.size }, () => 0)
  const all: T[] = []
  const fitting: { readonly document: T; readonly found: readonly number[]; readonly length: number }[] = []
  const others: T[] = []
  let total = 0
  return {
    add(document) {
      all.push(document)
      if (terms.size === 0) return
      const { found, length } = count(document, terms)
      total += length
      if (found === null) others.push(document)
      else {
        found.forEach((often, term) => void (often > 0 && (having[term] = (having[term] ?? 0) + 1)))
        fitting.push({ document, found, length })
      }
    },
    order() {
      if (terms.size === 0) return all
      const mean = total / Math.max(1, all.length)
      const worths = [...worth.values()]
      const rarity = having.map((often, term) => (worths[term] ?? 0) * Math.log(1 + (all.length - often + 0.5) / (often + 0.5)))
      // Numbers alone are sorted many times faster than what they belong to.
      const byScore = new Map<number, T[]>()
      for (const { document, found, length } of fitting) {
        const saturation = k1 * (1 - b + (b * length) / mean)
        let score = 0
        for (let term = 0; term < found.length; term++) score += ((rarity[term] ?? 0) * (found[term] ?? 0) * (k1 + 1)) / ((found[term] ?? 0) + saturation)
        const equal = byScore.get(score)
        if (equal === undefined) byScore.set(score, [document])
        else equal.push(document)
      }
      const best = Float64Array.from(byScore.keys()).sort().reverse()
      const ordered: T[] = []
      for (const score of best) for (const document of byScore.get(score) ?? []) ordered.push(document)
      for (const document of others) ordered.push(document)
      return ordered
    },
  }
}

interface Count {
  /** How often each word of the query occurs, weighed; null for not at all. */
  readonly found: readonly number[] | null
  /** Words in all, weighed. */
  readonly length: number
}

function count(document: Rankable, terms: ReadonlyMap<string, number>): Count {
  let found: number[] | null = null
  let length = 0
  const look = (word: string, weight: number): void => {
    const term = terms.get(compared(word))
    if (term === undefined) return
    found ??= Array.from({ length: terms.size }, () => 0)
    found[term] = (found[term] ?? 0) + weight
  }
  const add = (text: string, weight: number): void => {
    for (const word of words(text)) {
      const parts = partsOf(word)
      length += weight * (parts?.length ?? 1)
      look(word, weight)
      for (const part of parts ?? []) look(part, weight)
    }
  }
  add(addressText(document.url), weights.url)
  add(document.title?.slice(0, maxText) ?? '', weights.title)
  add(document.description?.slice(0, maxText) ?? '', weights.description)
  return { found, length }
}

/** An address without its scheme, percent signs decoded where they stand for text. */
function addressText(url: string): string {
  const text = url.slice(url.indexOf('//') + 2).slice(0, maxText)
  return text.includes('%') ? text.replace(/(?:%[\da-f]{2})+/gi, decoded) : text
}

function decoded(run: string): string {
  return new TextDecoder().decode(Uint8Array.from(run.slice(1).split('%'), (digits) => Number.parseInt(digits, 16)))
}

const plainWord = /[a-z\d]+/gi
/** The same for any script; those without spaces between words give their characters. */
const anyWord = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])[\p{L}\p{M}\p{Nd}])+/gu
/** `getUserByID2` is get, user, by, id, 2; capitals in a row are one word, but for the first letter of the next. */
const plainPart = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g
const anyPart = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{Nd}+/gu
/** Most words are: looking for their parts would cost more than all the rest. */
const onePart = /^(?:[A-Z]?[a-z]+|\d+)$/
const notPlain = /[^\x00-\x7f]/

/** The words of a text as they stand in it. */
function words(text: string): readonly string[] {
  return (notPlain.test(text) ? unaccented(text).match(anyWord) : text.match(plainWord)) ?? []
}

/** What a word is put together from; null where it is one piece. */
function partsOf(word: string): readonly string[] | null {
  if (onePart.test(word)) return null
  const parts = word.match(notPlain.test(word) ? anyPart : plainPart)
  return parts === null || parts.length < 2 ? null : parts
}

/** The form in which words are compared. */
const compared = (word: string): string => singular(word.toLowerCase())

/** What each word of a query counts; since no more pages have a word than have each of its parts, the word itself counts most. */
function worthOf(query: string): ReadonlyMap<string, number> {
  const worth = new Map<string, number>()
  const add = (word: string, value: number): void => void worth.set(compared(word), Math.max(value, worth.get(compared(word)) ?? 0))
  for (const word of words(query)) {
    const parts = partsOf(word) ?? []
    add(word, 1)
    for (const part of parts) add(part, 1 / parts.length)
  }
  return new Map([...worth].slice(0, maxTerms))
}

/** Letters without their marks, full-width forms as usual ones. */
function unaccented(text: string): string {
  return plainLetters(text.normalize('NFKD').replace(/[\u0300-\u036f]+/g, '')).normalize('NFC')
}

/** The S stemmer (Harman, 1991): plural endings of English, which are those of several other languages too. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss') || word.endsWith('us')) return word
  if (word.endsWith('ies') && !word.endsWith('eies') && !word.endsWith('aies')) return `${word.slice(0, -3)}y`
  return word.slice(0, -1)
}
