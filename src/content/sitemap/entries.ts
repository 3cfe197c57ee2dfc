import { absolute, leadingNowhere } from '../address.ts'

/** One address that a sitemap names. */
export interface SitemapEntry {
  /** Absolute, http or https, unless it leads nowhere. */
  readonly url: string
  /** True: the address of a further sitemap. */
  readonly sitemap: boolean
  /** Named as a page, but of another scheme or no address. */
  readonly nowhere?: true
  /** ISO 8601; absent when not given or not understood. */
  readonly lastModified?: string
  /** From the news extension, or a feed. */
  readonly title?: string
  /** From a feed: plain text of one line, cut where it is long. */
  readonly description?: string
}

/** What a file turned out to be; `none` when nothing in it is a sitemap. */
export type SitemapKind = 'urlset' | 'index' | 'feed' | 'text' | 'none'

/** A way to read text as it arrives. */
export interface Format {
  write(text: string): void
  /** True for what turned out to be no sitemap. */
  over(): boolean
  /** `cut` says that the file goes on. Answers whether what the file began is complete. */
  end(cut: boolean): boolean
}

/** Characters of an address that are kept; longer ones are none. */
export const maxAddress = 8_192

/** Characters of a title that are kept. */
export const maxTitle = 500

/** Entries not handed out yet. */
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
    // An index names no pages, and feeds have names for their entries that were never meant to lead anywhere.
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
