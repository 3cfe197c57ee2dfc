import { absolute, leadingNowhere } from '../../html/address.ts'

/** An address in a sitemap. */
export interface SitemapEntry {
  /** Absolute http or https address, unless `nowhere`. */
  readonly url: string
  /** True when it is the address of another sitemap. */
  readonly sitemap: boolean
  /** True for a page address of another scheme, or an invalid one. */
  readonly nowhere?: true
  /** ISO 8601; absent when missing or not understood. */
  readonly lastModified?: string
  /** From the news extension, or a feed. */
  readonly title?: string
  /** From a feed: plain text in one line, cut if long. */
  readonly description?: string
}

/** What a file turned out to be; `none` when nothing in it is a sitemap. */
export type SitemapKind = 'urlset' | 'index' | 'feed' | 'text' | 'none'

/** Reads a format as text arrives. */
export interface Format {
  write(text: string): void
  /** True once the text turns out to be no sitemap. */
  over(): boolean
  /** Ends reading; `cut` says that the file continues. Returns whether the file's structure is complete. */
  end(cut: boolean): boolean
}

/** Longest address; longer ones are dropped. */
export const maxAddress = 8_192

/** Longest title; longer ones are cut. */
export const maxTitle = 500

/** Entries that were not handed out yet. */
export class Found {
  kind: SitemapKind = 'none'
  full = false
  readonly #url: string
  readonly #most: number
  #count = 0
  #entries: SitemapEntry[] = []

  constructor(url: string, most: number) {
    this.#url = url
    this.#most = most
  }

  add(kind: SitemapKind, reference: string, more: Pick<SitemapEntry, 'title' | 'lastModified' | 'description'> = {}): void {
    const url = absolute(reference, this.#url)
    // An index names no pages, and feed entries may have ids that were never meant to be links.
    if (url === undefined && kind !== 'urlset' && kind !== 'text') return
    if (this.#count >= this.#most) {
      this.full = true
      return
    }
    this.#count++
    if (url === undefined) {
      if (reference.trim() !== '') this.#entries.push({ url: leadingNowhere(reference, this.#url), sitemap: false, nowhere: true })
      return
    }
    if (this.kind === 'none') this.kind = kind
    this.#entries.push({ url, sitemap: kind === 'index', ...more })
  }

  take(): readonly SitemapEntry[] {
    const entries = this.#entries
    this.#entries = []
    return entries
  }
}
