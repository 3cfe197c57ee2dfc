import type { pageVerdicts } from '../../spec/scrape.ts'
import type { Capture } from './capture.ts'
import type { Discovery, References } from '../crawl/discovery.ts'

/** How to read a capture. */
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
  /** Remove remaining boilerplate from the markdown, by rules. */
  readonly onlyCleanContent?: boolean
}

/** How a page is read by default. */
export const readDefaults: ReadOptions = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true, blockAds: true }

/** What a cleaning step removed, to find out which step spoiled a page. */
export interface Removal {
  readonly step: string
  readonly count: number
}

/** The kind of page, as far as the page alone shows it. */
export type PageVerdict = (typeof pageVerdicts)[number]

/** Metadata of the page, by the names of contract §3.8; strings except for `ogLocaleAlternate`. */
export type PageMetadata = Readonly<Record<string, string | readonly string[]>>

/** One query of the `attributes` format. */
export interface AttributeQuery {
  readonly selector: string
  readonly attribute: string
}

/** Lazy, memoised, pure views of one capture. Each is computed only on request, and only once. */
export interface Reading {
  readonly capture: Capture
  /** The body as text, with the encoding detected in the order of the WHATWG standard. */
  text(): string
  /** Cleaned HTML of the selected part, with absolute URLs. */
  html(): string
  markdown(): string
  /** Absolute URLs without duplicates, in document order. */
  links(): readonly string[]
  /** Like `links`, plus links that lead to no page: a crawl reports why it skips them. */
  references(): References
  /** What the page links to, with titles, feeds and further pages of a list. */
  discovery(): Discovery
  images(): readonly string[]
  attributes(queries: readonly AttributeQuery[]): readonly { selector: string; attribute: string; values: string[] }[]
  metadata(): PageMetadata
  removals(): readonly Removal[]
  verdict(): PageVerdict
  /** Why the page is incomplete without running its scripts; null when it is complete. */
  scriptDemand(): string | null
  /** The PDF that the page embeds, if it shows nothing else; otherwise null. */
  embedded(): string | null
  /** The target of a page that only redirects browsers (`meta` refresh); otherwise null. */
  leadsOn(): string | null
  /** The confidence of the main-content filter, 0 to 1. */
  confidence(): number
  /** Sentences for the caller: what was cut, limited or impossible. */
  warnings(): readonly string[]
}
