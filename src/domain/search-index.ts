/** A picture of a page, as the page shows it. */
export interface Picture {
  readonly url: string
  /** What the page says it shows; empty for nothing. */
  readonly alt: string
  /** As the page gives them; null where it does not. */
  readonly width: number | null
  readonly height: number | null
}

/** What of a page is looked for, as terms (see `termsOf`) with spaces between. */
export interface PageTerms {
  readonly title: string
  readonly headings: string
  readonly body: string
  readonly pictures: string
}

/** A page as the search index has it; where its text is, the memo of its cache entry says. */
export interface IndexedPage {
  /** Where it answered. */
  readonly url: string
  readonly title: string
  readonly description: string
  /** First part of a language tag; empty where it is not known. */
  readonly language: string
  /** When the page says that it was published; null where it does not. */
  readonly publishedAt: number | null
  /** Address of the picture that stands for the page. */
  readonly image: string | null
  readonly terms: PageTerms & { readonly address: string }
  /** What it can be filtered by: words of `scopes`. */
  readonly scopes: readonly string[]
}

/** Where a term may be looked for. */
export type IndexField = 'title' | 'address' | 'pictures' | 'text'

/** Something that a page has or has not: any of these, each one term or several in a row. */
export interface IndexClause {
  readonly anyOf: readonly (readonly string[])[]
  readonly field: IndexField
  readonly prefix?: boolean
}

/** A question to the index. */
export interface IndexQuery {
  readonly team: string
  /** What the page is about; decides about the order. */
  readonly words: readonly IndexClause[]
  /** Whether a page must have all of the words, or any. */
  readonly match: 'all' | 'any'
  /** What it must have and must not have beyond that. */
  readonly must: readonly IndexClause[]
  readonly not: readonly IndexClause[]
  /** Words of `scopes`: of each list at least one; and none of the others. */
  readonly within: readonly (readonly string[])[]
  readonly without: readonly string[]
  /** Published, or else fetched, in [from, to]; milliseconds since 1970. */
  readonly from: number
  readonly to: number
  readonly order: 'relevance' | 'date'
  readonly now: number
  readonly limit: number
}

/** A page that the index found, best first. */
export interface IndexHit extends Omit<IndexedPage, 'terms' | 'scopes'> {
  readonly fetchedAt: number
  readonly score: number
  /** Blob of the page as it was derived; null where it is not kept. */
  readonly memo: string | null
}

/** Full text of the pages that a team has in its cache. */
export interface SearchIndex {
  search(query: IndexQuery): Promise<readonly IndexHit[]>
  /** The languages of the team's pages, most of them first, at most eight. */
  languages(team: string): Promise<readonly string[]>
  /** Pages of the team, or of all. */
  pages(team?: string): Promise<number>
}

/** By what pages can be filtered: a word each, of letters, digits and `:.-_` only. */
export const scopes = {
  // Hexadecimal: an index may not tell capitals from small letters.
  team: (team: string): string => `t:${[...new TextEncoder().encode(team)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  host: (host: string): string => `h:${host.toLowerCase().replace(/[^a-z0-9.-]/g, '_')}`,
  file: (ending: string): string => `f:${ending.toLowerCase().replace(/[^a-z0-9]/g, '_')}`,
  published: 'k:published',
  pictures: 'k:pictures',
} as const

/** The scopes of a page: its team, its host and every domain above that, its kind of file. */
export function scopesOf(team: string, url: string, has: { readonly published: boolean; readonly pictures: boolean; readonly pdf: boolean }): readonly string[] {
  const { hostname, pathname } = new URL(url)
  const labels = hostname.split('.').slice(-10)
  const ending = /\.([a-z0-9]{1,8})$/i.exec(pathname)?.[1]
  return [
    scopes.team(team),
    ...labels.map((_, at) => scopes.host(labels.slice(at).join('.'))),
    ...(has.pdf ? [scopes.file('pdf')] : ending === undefined ? [] : [scopes.file(ending)]),
    ...(has.published ? [scopes.published] : []),
    ...(has.pictures ? [scopes.pictures] : []),
  ]
}
