import { plainLetters } from '../../lib/folded.ts'
import { percentRead } from '../../lib/percent-decoded.ts'

/** What is known of a page before it is fetched. */
export interface Rankable {
  readonly url: string
  readonly title?: string | undefined
  readonly description?: string | undefined
}

/** The usual constants of BM25 (Robertson and Zaragoza, 2009, §3.5): term saturation and length normalisation. */
const k1 = 1.2
const b = 0.75
/** A word in the title counts more than one in the URL, and that more than one in the description. */
const weights = { title: 3, url: 2, description: 1 } as const
const maxTerms = 32
const maxText = 2_000

/** Ranks documents added one by one, so that ranking many of them does not block the thread for long. */
export interface Ranking<T extends Rankable> {
  add(document: T): void
  /** Best first; documents of equal rank, and those that do not match at all, in the order in which they were added. */
  order(): readonly T[]
}

/**
 * Ranks documents by the words of a query (BM25F over title, URL and description). Words are compared without case, accents
 * and plural endings, and what is derived from the same English word counts half; `getUserById2` is a word, and so are get, user, by, id and 2, which together count as one. Linear in
 * the text.
 */
export function ranking<T extends Rankable>(query: string): Ranking<T> {
  const worth = worthOf(query.slice(0, maxText))
  const terms = termsOf([...worth.keys()])
  const having = Array.from({ length: worth.size }, () => 0)
  const all: T[] = []
  const fitting: { readonly document: T; readonly found: readonly number[]; readonly length: number }[] = []
  const others: T[] = []
  let total = 0
  return {
    add(document) {
      all.push(document)
      if (worth.size === 0) return
      const { found, length } = count(document, terms)
      total += length
      if (found === null) others.push(document)
      else {
        found.forEach((often, term) => void (often > 0 && (having[term] = (having[term] ?? 0) + 1)))
        fitting.push({ document, found, length })
      }
    },
    order() {
      if (worth.size === 0) return all
      const mean = total / Math.max(1, all.length)
      const worths = [...worth.values()]
      const rarity = having.map((often, term) => (worths[term] ?? 0) * Math.log(1 + (all.length - often + 0.5) / (often + 0.5)))
      // Sorting numbers is many times faster than sorting objects by them.
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
  /** Weighted number of occurrences of each word of the query; null when there are none. */
  readonly found: readonly number[] | null
  /** Weighted number of all words. */
  readonly length: number
}

/** The words of a query, by their number. */
interface Terms {
  readonly words: ReadonlyMap<string, number>
  readonly roots: ReadonlyMap<string, number>
  /** How the roots begin: most words of a document do not, and their own root is not needed. */
  readonly heads: ReadonlySet<string>
}

function termsOf(words: readonly string[]): Terms {
  const roots = new Map(words.map((word, i) => [rootOf(word), i]))
  return { words: new Map(words.map((word, i) => [word, i])), roots, heads: new Set([...roots.keys()].map(headOf)) }
}

function count(document: Rankable, { words: terms, roots, heads }: Terms): Count {
  let found: number[] | null = null
  let length = 0
  const look = (word: string, weight: number): void => {
    const same = compared(word)
    const exact = terms.get(same)
    const term = exact ?? (heads.has(headOf(same)) ? roots.get(rootOf(same)) : undefined)
    if (term === undefined) return
    found ??= Array.from({ length: terms.size }, () => 0)
    found[term] = (found[term] ?? 0) + (exact === undefined ? weight / 2 : weight)
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

/** A URL without its scheme, with percent-encoded text decoded. */
function addressText(url: string): string {
  return percentRead(url.slice(url.indexOf('//') + 2).slice(0, maxText))
}

const plainWord = /[a-z\d]+/gi
/** The same for any script; in scripts without spaces each character is a word. */
const anyWord = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])[\p{L}\p{M}\p{Nd}])+/gu
/** `getUserByID2` is get, user, by, id, 2; consecutive capitals are one word, except the last one before a small letter. */
const plainPart = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g
const anyPart = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{Nd}+/gu
/** Most words have one part: looking for parts would cost more than everything else. */
const onePart = /^(?:[A-Z]?[a-z]+|\d+)$/
const notPlain = /[^\x00-\x7f]/

/** The words of a text as written. */
function words(text: string): readonly string[] {
  return (notPlain.test(text) ? unaccented(text).match(anyWord) : text.match(plainWord)) ?? []
}

/** The parts of a compound word; null when it has only one. */
function partsOf(word: string): readonly string[] | null {
  if (onePart.test(word)) return null
  const parts = word.match(notPlain.test(word) ? anyPart : plainPart)
  return parts === null || parts.length < 2 ? null : parts
}

/** The form in which words are compared. */
const compared = (word: string): string => singular(word.toLowerCase())

/** Words of any sentence: they decide only between pages that are equal otherwise. */
const filling: ReadonlySet<string> = new Set('a an the of to in on at for by with from and or is are was be it its this that these those as do does did has have had can i you he she we they what which who when where why how'.split(' '))

/** The weight of each word of a query; the whole word counts most, being rarer than its parts. */
function worthOf(query: string): ReadonlyMap<string, number> {
  const worth = new Map<string, number>()
  const add = (word: string, value: number): void => void worth.set(compared(word), Math.max(value, worth.get(compared(word)) ?? 0))
  for (const word of words(query)) {
    const parts = partsOf(word) ?? []
    add(word, filling.has(word.toLowerCase()) ? 0.05 : 1)
    for (const part of parts) add(part, 1 / parts.length)
  }
  return new Map([...worth].slice(0, maxTerms))
}

/** Letters without diacritics, full-width forms as normal ones. */
function unaccented(text: string): string {
  return plainLetters(text.normalize('NFKD').replace(/[\u0300-\u036f]+/g, '')).normalize('NFC')
}

/** The S stemmer (Harman, 1991): removes plural endings of English, which several other languages share. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss') || word.endsWith('us')) return word
  if (word.endsWith('ies') && !word.endsWith('eies') && !word.endsWith('aies')) return `${word.slice(0, -3)}y`
  return word.slice(0, -1)
}

/** Endings that make one English word of another, in the order in which they are tried, and how many letters must remain. */
const derivations: readonly (readonly [RegExp, number])[] = [
  [/(?:ation|ating|ated|ate)$/, 4],
  [/(?:ment|ing|ed)$/, 4],
  [/ion$/, 5],
  [/e$/, 4],
]
const doubled = /([bdgmnprt])\1$/

/** A compared word without such an ending; others have no root but themselves. */
function rootOf(word: string): string {
  for (const [ending, least] of derivations) {
    const rest = word.replace(ending, '')
    if (rest !== word && rest.length >= least) return rest.length > least ? rest.replace(doubled, '$1') : rest
  }
  return word
}

const headOf = (word: string): string => word.slice(0, 4)
