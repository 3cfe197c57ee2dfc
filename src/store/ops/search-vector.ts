import type { IndexedPage } from '../../domain/search/search-index.ts'

/** How many positions Postgres keeps of a term per page, and the last position that it can store. */
const maxPlaces = 32
const lastPlace = 16_383
/** Gap between two fields, so that no phrase spans them. */
const gap = 10

/** Terms that stand for the words of pictures: their field has no weight of its own. */
export const pictureTerm = (term: string): string => `p:${term}`

/** A page as Postgres indexes it: the text of a `tsvector`, and its number of terms. Terms consist of letters, digits and `:.-_` only. */
export function vectorOf({ terms, scopes }: IndexedPage): { readonly text: string; readonly length: number } {
  const places = new Map<string, string[]>()
  let at = 0
  let length = 0
  const add = (text: string, weight: string, as: (term: string) => string): void => {
    for (const term of text === '' ? [] : text.split(' ')) {
      at = Math.min(at + 1, lastPlace)
      length++
      const key = as(term)
      const found = places.get(key)
      if (found === undefined) places.set(key, [`${at}${weight}`])
      else if (found.length < maxPlaces) found.push(`${at}${weight}`)
    }
    at += gap
  }
  const same = (term: string): string => term
  add(terms.title, 'A', same)
  add(terms.headings, 'B', same)
  add(terms.address, 'C', same)
  add(terms.body, 'D', same)
  add(terms.pictures, 'C', pictureTerm)
  const words = [...places].map(([term, where]) => `'${term}':${where.join(',')}`)
  return { text: [...words, ...scopes.map((scope) => `'${scope}'`)].join(' '), length }
}
