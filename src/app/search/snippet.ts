import { readable } from '../../content/passages/blocks.ts'
import { best } from '../../content/passages/rank.ts'
import { termsOf } from '../../domain/search/terms.ts'

const maxLength = 300
/** Characters shown before the first matching word. */
const lead = 60
/** Longer words are addresses and the like. */
const maxWord = 80

/** The part of a text with the most words of the query. */
function window(text: string, wanted: ReadonlySet<string>, languages: readonly string[]): string {
  const words = text.split(' ').filter((word) => word.length <= maxWord)
  const all = languages.length === 0 ? [''] : languages
  const known = new Map<string, readonly string[]>()
  const termsIn = (word: string): readonly string[] => {
    const terms = known.get(word) ?? all.flatMap((language) => termsOf(word, language)).filter((term) => wanted.has(term))
    known.set(word, terms)
    return terms
  }
  const terms = words.map(termsIn)
  let [bestAt, bestScore] = [0, 0]
  terms.forEach((own, at) => {
    if (own.length === 0) return
    const seen = new Set<string>()
    for (let next = at, length = 0; next < words.length && length < maxLength - lead; next++) {
      length += (words[next]?.length ?? 0) + 1
      terms[next]?.forEach((term) => seen.add(term))
    }
    if (seen.size > bestScore) [bestAt, bestScore] = [at, seen.size]
  })
  let start = bestAt
  for (let length = 0; start > 0 && length + (words[start - 1]?.length ?? 0) < lead; start--) length += (words[start - 1]?.length ?? 0) + 1
  let end = start
  for (let length = 0; end < words.length && length + (words[end]?.length ?? 0) <= maxLength; end++) length += (words[end]?.length ?? 0) + 1
  return `${start > 0 ? '… ' : ''}${words.slice(start, end).join(' ')}${end < words.length ? ' …' : ''}`
}

/** The description of a result: the passage that best matches the query, or else the page's own description. */
export function snippet(text: string, about: { readonly query: string; readonly words: ReadonlySet<string>; readonly languages: readonly string[] }, description: string): string {
  const [passage] = about.query === '' ? [] : best(text, about.query, 1)
  if (passage !== undefined) return window(readable(passage.text), about.words, about.languages)
  return description === '' ? window(readable(text.slice(0, 2_000)), new Set(), []) : description
}
