import type { Capture } from './capture.ts'
import type { Discovery } from './crawl/discovery.ts'

/** How a capture is to be read. */
export interface ReadOptions {
  /** Leave out headers, navigation, footers and other page furniture. */
  readonly onlyMainContent: boolean
  /** CSS selectors, matched on the original tree before main-content filtering. */
  readonly includeTags: readonly string[]
  readonly excludeTags: readonly string[]
  /** Replace the URL of data-URI images in markdown by a placeholder. */
  readonly removeBase64Images: boolean
  /** Remove advertisements and consent dialogs from the content. */
  readonly blockAds: boolean
  /** Take what boilerplate is left out of the markdown, by rules. */
  readonly onlyCleanContent?: boolean
}

/** How a page is read for who says nothing about it. */
export const readDefaults: ReadOptions = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true, blockAds: true }

/** What a cleaning step took out, so that a wrong page can say which step did it. */
export interface Removal {
  readonly step: string
  readonly count: number
}

/** What kind of page this is, as far as it can be told from the page alone. */
export type PageVerdict = 'ok' | 'challenge' | 'login' | 'soft-404' | 'empty' | 'consent'

/** Metadata found on the page, by the wire names of contract §3.8; strings but for `ogLocaleAlternate`. */
export type PageMetadata = Readonly<Record<string, string | readonly string[]>>

/** One query of the `attributes` format. */
export interface AttributeQuery {
  readonly selector: string
  readonly attribute: string
}

/** Lazy, memoised, pure views of one capture. Nothing is computed unless asked, nothing twice. */
export interface Reading {
  readonly capture: Capture
  /** The body as text, decoded by the WHATWG order. */
  text(): string
  /** Cleaned HTML of the wanted part, absolute URLs. */
  html(): string
  markdown(): string
  /** Absolute, each once, in document order. */
  links(): readonly string[]
  /** As `links`, with what leads to no page: a crawl tells why it did not go there. */
  references(): readonly string[]
  /** What the page leads to, with titles; `links` in other words, and more. */
  discovery(): Discovery
  images(): readonly string[]
  attributes(queries: readonly AttributeQuery[]): readonly { selector: string; attribute: string; values: string[] }[]
  metadata(): PageMetadata
  removals(): readonly Removal[]
  verdict(): PageVerdict
  /** Why the page is not all there without running its scripts; null when it is. */
  scriptDemand(): string | null
  /** The PDF that a page shows in itself which has nothing else; null for any other page. */
  embedded(): string | null
  /** Where the page is there to send browsers (`meta` refresh); null when it is not. */
  leadsOn(): string | null
  /** How sure the main-content filter is, 0 to 1. */
  confidence(): number
  /** Sentences for the caller: what was cut, capped or could not be done. */
  warnings(): readonly string[]
}
