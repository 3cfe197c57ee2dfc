/** A link of a page. */
export interface FoundLink {
  readonly url: string
  /** What the page calls it. */
  readonly title?: string
}

/** What a page leads to; absolute http and https addresses, each once in its list, in document order. */
export interface Discovery {
  readonly links: readonly FoundLink[]
  /** Further pages of the list that this page is part of. */
  readonly next: readonly string[]
  /** RSS, Atom and JSON feeds. */
  readonly feeds: readonly string[]
  readonly canonical: string | null
}

/** URLs of a job that may wait to be fetched: more than its limit, for some will fail, or lead to what is there already. */
export const maxWaiting = (limit: number): number => 2 * limit + 1_000
