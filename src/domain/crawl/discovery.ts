/** A link of a page. */
export interface FoundLink {
  readonly url: string
  /** The link's text. */
  readonly title?: string
}

/** What a page links to: absolute http(s) URLs without duplicates per list, in document order. */
export interface Discovery {
  readonly links: readonly FoundLink[]
  /** Further pages of the list that this page is part of. */
  readonly next: readonly string[]
  /** RSS, Atom and JSON feeds. */
  readonly feeds: readonly string[]
  readonly canonical: string | null
}

/** Where a page leads. */
export interface References {
  /** Each address once, in document order. */
  readonly all: readonly string[]
  /** Those of them that have `rel=nofollow` wherever the page has them. */
  readonly unfollowed: readonly string[]
}

/**
 * How many URLs of a job may wait to be fetched: more than its limit, since some will fail or turn out to be duplicates.
 */
export const maxWaiting = (limit: number): number => 2 * limit + 1_000
