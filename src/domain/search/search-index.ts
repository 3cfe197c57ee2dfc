import { endingIn } from '../pages/file-kind.ts'

/** An image of a page, as the page shows it. */
export interface Picture {
  readonly url: string
  /** The description given by the page; empty when there is none. */
  readonly alt: string
  /** As declared by the page; null when it is not. */
  readonly width: number | null
  readonly height: number | null
}

/** The searchable parts of a page, as terms (see `termsOf`) separated by spaces. */
export interface PageTerms {
  readonly title: string
  readonly headings: string
  readonly body: string
  readonly pictures: string
}

/** A page in the search index; its text is found through the memo of its cache entry. */
export interface IndexedPage {
  /** The URL that answered. */
  readonly url: string
  readonly title: string
  readonly description: string
  /** The first subtag of its language; empty when unknown. */
  readonly language: string
  /** The publication date that the page declares; null without one. */
  readonly publishedAt: number | null
  /** URL of the page's representative image. */
  readonly image: string | null
  readonly terms: PageTerms & { readonly address: string }
  /** What it can be filtered by: words of `scopes`. */
  readonly scopes: readonly string[]
}

/** Where to look for a term. */
export type IndexField = 'title' | 'address' | 'pictures' | 'text'

/** A condition on a page: it contains any of these, each a term or a sequence of terms. */
export interface IndexClause {
  readonly anyOf: readonly (readonly string[])[]
  readonly field: IndexField
  readonly prefix?: boolean
}

/** A query to the index. */
export interface IndexQuery {
  readonly team: string
  /** What the page should be about; determines the order. */
  readonly words: readonly IndexClause[]
  /** Whether a page must match all of the words, or any. */
  readonly match: 'all' | 'any'
  /** Further conditions that it must meet, and must not meet. */
  readonly must: readonly IndexClause[]
  readonly not: readonly IndexClause[]
  /** Words of `scopes`: at least one of each list, and none of the excluded ones. */
  readonly within: readonly (readonly string[])[]
  readonly without: readonly string[]
  /** Published, or if unknown fetched, in [from, to]; milliseconds since 1970. */
  readonly from: number
  readonly to: number
  readonly order: 'relevance' | 'date'
  readonly now: number
  readonly limit: number
}

/** A page that the index found; best first. */
export interface IndexHit extends Omit<IndexedPage, 'terms' | 'scopes'> {
  readonly fetchedAt: number
  readonly score: number
  /** Blob of the derived page; null when it is not stored. */
  readonly memo: string | null
  /** Whether it is a PDF file, whatever its address. */
  readonly pdf?: true
}

/** Full-text index of the pages in a team's cache. */
export interface SearchIndex {
  search(query: IndexQuery): Promise<readonly IndexHit[]>
  /** The languages of the team's pages, the most frequent first, at most eight. */
  languages(team: string): Promise<readonly string[]>
  /** The number of pages of the team, or of all teams. */
  pages(team?: string): Promise<number>
}

/** What pages can be filtered by: words of letters, digits and `:.-_` only. */
export const scopes = {
  // Hexadecimal, since an index may ignore case.
  team: (team: string): string => `t:${[...new TextEncoder().encode(team)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  host: (host: string): string => `h:${host.toLowerCase().replace(/[^a-z0-9.-]/g, '_')}`,
  file: (ending: string): string => `f:${ending.toLowerCase().replace(/[^a-z0-9]/g, '_')}`,
  published: 'k:published',
  pictures: 'k:pictures',
} as const

/** The scopes of a page: its team, its host and every parent domain, its kind of file. */
export function scopesOf(team: string, url: string, has: { readonly published: boolean; readonly pictures: boolean; readonly pdf: boolean }): readonly string[] {
  const { hostname, pathname } = new URL(url)
  const labels = hostname.split('.').slice(-10)
  const ending = endingIn(pathname)
  return [
    scopes.team(team),
    ...labels.map((_, at) => scopes.host(labels.slice(at).join('.'))),
    ...(has.pdf ? [scopes.file('pdf')] : ending === '' ? [] : [scopes.file(ending)]),
    ...(has.published ? [scopes.published] : []),
    ...(has.pictures ? [scopes.pictures] : []),
  ]
}
