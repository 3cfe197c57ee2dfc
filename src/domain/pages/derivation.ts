import type { Format, FormatType } from '../../spec/formats.ts'
import type { ScrapeData, ScrapeRequest } from '../../spec/scrape.ts'
import type { Call } from '../call.ts'
import type { Capture } from './capture.ts'
import type { Discovery } from '../crawl/discovery.ts'
import type { MediaSources } from './media.ts'
import type { PageMetadata, PageVerdict, ReadOptions, Removal } from './reading.ts'
import type { PageTerms, Picture } from '../search/search-index.ts'

/** What a format contributes to the response. */
export type Contribution = Omit<Partial<ScrapeData>, 'metadata' | 'explain'>

/** What to make of a capture. Orders with the same JSON give the same derivation. */
export interface DeriveOrder {
  readonly formats: readonly Format[]
  readonly read: ReadOptions
  /** Which files to convert, and how. */
  readonly parsers: ScrapeRequest['parsers']
  /** Names the text recognition that files may need; absent where there is none. */
  readonly ocr?: string
  /** Whether to return `removals`; finding the main content for them alone would cost as much as the markdown. */
  readonly explain: boolean
  /** Whether to return the page's links, for a crawl to follow. */
  readonly discover?: true
  /** The id of the language model that takes part; without it, none does. */
  readonly model?: string
  /** Whether that model removes boilerplate from the markdown. */
  readonly clean?: true
  /** Whether to return everything that the page links to, with titles. */
  readonly explore?: true
  /** Whether to make the page findable by search. */
  readonly index?: true
}

/** The page as the search index stores it. */
export interface PageIndex {
  readonly terms: PageTerms
  /** The first subtag of its language; empty when unknown. */
  readonly language: string
  readonly publishedAt: number | null
  readonly pictures: readonly Picture[]
}

/** What a search result shows of a page beyond its formats. */
export interface Shown {
  readonly pictures: readonly Picture[]
  /** Its text, when markdown is not among the formats. */
  readonly text?: string
}

/** The input of the language model for a page, and the results without one. */
export interface Material {
  /** The markdown without text that a person would not see. */
  readonly text: string
  /** Whether the text was cut. */
  readonly cut: boolean
  readonly title: string
  /** URLs that occur in the page. */
  readonly urls: readonly string[]
  /** The json format as far as the page's own data proves it; null if the format was not requested. */
  readonly draft: { readonly value: unknown; readonly sources: Readonly<Record<string, string>>; readonly missing: readonly string[] } | null
  /** What each format returns without a model. */
  readonly fallback: Readonly<Record<string, Contribution>>
}

/** Fields of a page by a schema: what its own data proves, and after the model has `done` its part, all of them. */
export interface TrackedFields {
  readonly value: unknown
  readonly sources: Readonly<Record<string, string>>
  readonly missing: readonly string[]
  readonly done?: true
  /** A model was asked and did not answer everything: null fields may be on the page. */
  readonly unanswered?: true
  /** JSON pointers of null fields that the model did not declare absent: they may be on the page, too. */
  readonly ungiven?: readonly string[]
}

/** Everything made of a capture; serialisable as JSON. */
export interface Derivation {
  readonly fields: Contribution
  readonly metadata: PageMetadata
  readonly verdict: PageVerdict
  /** Why the page is incomplete without running its scripts; null when it is complete. */
  readonly scriptDemand: string | null
  /** The page only redirects browsers, to this URL. */
  readonly leadsOn?: string
  /** The page shows nothing but this PDF. */
  readonly embedded?: string
  /** The site responds that it is overloaded, in place of the page. */
  readonly busy?: true
  /** The confidence of the main-content filter, 0 to 1; null when no format needed it. */
  readonly confidence: number | null
  readonly removals: readonly Removal[]
  readonly warnings: readonly string[]
  /** The links of the page, when the order asks for them. */
  readonly found?: readonly string[]
  /** Those of `found` that the page marks as not to be followed; absent if there are none. */
  readonly unfollowed?: readonly string[]
  /** The same with titles, feeds and further pages of a list, when the order asks for it. */
  readonly discovery?: Discovery
  /** Of a PDF: the number of pages read, and of all pages. */
  readonly document?: { readonly numPages: number; readonly totalPages: number }
  /** Set when the order asks for a findable page. */
  readonly shown?: Shown
  /** The same, for the index; not stored with the formats. */
  readonly index?: PageIndex
  /** Set when the order names a model that is yet to be asked. */
  readonly material?: Material
  /** The fields that change tracking compares, when the order asks for them. */
  readonly tracked?: TrackedFields
  /** Rules learned from a model's answers about other pages replaced the model. */
  readonly modelCallSaved?: true
  /** Where the requested media are, by kind. */
  readonly media?: readonly MediaSources[]
  /** Not to be cached: a model that should have taken part did not, time was lacking to read all of a file, or a program to read a picture. */
  readonly passing?: true
  /** There was not the time to read all of a file. */
  readonly late?: true
  /** Formats that gave nothing, as there is no model, it did not answer, or the file was not to be read: they are free. */
  readonly without?: readonly FormatType[]
}

/** A derivation without the formats themselves: what later decisions need. */
export interface PageFacts extends Omit<Derivation, 'fields' | 'index'> {
  /** A warning about the formats. */
  readonly formatWarning?: string
}

/** A derivation in its stored form, so that an answer from the cache need not parse and serialise the formats. */
export interface Packed {
  readonly facts: PageFacts
  /** The formats as a JSON object. */
  readonly json: Uint8Array
  /** Facts and formats, as stored; serialised on first use, since most pages of jobs are stored without facts. */
  bytes(): Uint8Array
  /** The index entry; absent on derivations from storage, which are indexed already. */
  readonly index?: PageIndex
  /** The formats, parsed if they come from storage. */
  fields(): Contribution
}

/**
 * Reads captures in threads that can be killed (R20), and serialises the results there: for a large page, that takes time,
 * too.
 */
export interface Compute {
  /** Throws `SCRAPE_TIMEOUT` when reading takes too long, and `SCRAPE_SITE_ERROR` when the page crashed its reader. */
  derive(capture: Capture, order: DeriveOrder, call: Call): Promise<Packed>
  close(): Promise<void>
}
