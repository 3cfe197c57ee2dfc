import type { Format, FormatType } from '../spec/formats.ts'
import type { ScrapeData, ScrapeRequest } from '../spec/scrape.ts'
import type { Call } from './call.ts'
import type { Capture } from './capture.ts'
import type { Discovery } from './crawl/discovery.ts'
import type { MediaSources } from './media.ts'
import type { PageMetadata, PageVerdict, ReadOptions, Removal } from './reading.ts'
import type { PageTerms, Picture } from './search-index.ts'

/** What a format contributes to the answer. */
export type Contribution = Omit<Partial<ScrapeData>, 'metadata' | 'explain'>

/** What is to be made of a capture. Two orders with the same JSON give the same derivation. */
export interface DeriveOrder {
  readonly formats: readonly Format[]
  readonly read: ReadOptions
  /** Which files are converted, and how. */
  readonly parsers: ScrapeRequest['parsers']
  /** Whether `removals` are wanted; finding the main content for them alone would cost as much as the markdown. */
  readonly explain: boolean
  /** Whether the links of the page are wanted for a crawl to follow. */
  readonly discover?: true
  /** The language model that takes part in the derivation, by its id; none does without. */
  readonly model?: string
  /** Whether that model takes boilerplate out of the markdown. */
  readonly clean?: true
  /** Whether all that the page leads to is wanted, with what it is called. */
  readonly explore?: true
  /** Whether the page is to be found by search. */
  readonly index?: true
}

/** What makes a page findable. */
export interface PageIndex {
  readonly terms: PageTerms
  /** First part of a language tag; empty where it is not known. */
  readonly language: string
  readonly publishedAt: number | null
  readonly pictures: readonly Picture[]
}

/** What a search shows of a page that its formats do not have. */
export interface Shown {
  readonly pictures: readonly Picture[]
  /** Its text, where its markdown is not among the formats. */
  readonly text?: string
}

/** What a language model is given of a page, and what stands in for its answers. */
export interface Material {
  /** The markdown without what a person would not see. */
  readonly text: string
  /** Whether there is more of it than is given. */
  readonly cut: boolean
  readonly title: string
  /** Addresses that the page names. */
  readonly urls: readonly string[]
  /** The json format, as far as the page's own data proves it; null where it was not asked for. */
  readonly draft: { readonly value: unknown; readonly sources: Readonly<Record<string, string>>; readonly missing: readonly string[] } | null
  /** What each format gives without a model. */
  readonly fallback: Readonly<Record<string, Contribution>>
}

/** Fields of a page by a schema: what its own data proves, until a model has `done` its part. */
export interface TrackedFields {
  readonly value: unknown
  readonly sources: Readonly<Record<string, string>>
  readonly missing: readonly string[]
  readonly done?: true
  /** A model that was asked did not answer all: what is null may be on the page. */
  readonly unanswered?: true
  /** Pointers of what is empty without the model having said so: it may be on the page as well. */
  readonly ungiven?: readonly string[]
}

/** Everything that was made of a capture, storable as JSON. */
export interface Derivation {
  readonly fields: Contribution
  readonly metadata: PageMetadata
  readonly verdict: PageVerdict
  /** Why the page is not all there without running its scripts; null when it is. */
  readonly scriptDemand: string | null
  /** The page is there to send browsers to this one. */
  readonly leadsOn?: string
  /** The page is empty but for this PDF, which it shows in itself. */
  readonly embedded?: string
  /** The site says, in place of the page, that it has too much to do. */
  readonly busy?: true
  /** How sure the main-content filter is, 0 to 1; null where no format needed it. */
  readonly confidence: number | null
  readonly removals: readonly Removal[]
  readonly warnings: readonly string[]
  /** Where the page leads, when the order asked for it. */
  readonly found?: readonly string[]
  /** The same with titles, feeds and further pages of a list, when the order asked for that. */
  readonly discovery?: Discovery
  /** Of a PDF: how many pages were read, and how many there are. */
  readonly document?: { readonly numPages: number; readonly totalPages: number }
  /** When the order asked for the page to be found. */
  readonly shown?: Shown
  /** The same, for the index; not kept beside the formats. */
  readonly index?: PageIndex
  /** When the order names a model that has yet to be asked. */
  readonly material?: Material
  /** The fields that change tracking compares, when the order asks for them. */
  readonly tracked?: TrackedFields
  /** Rules learned from a model's answers about other pages stood in for it. */
  readonly modelCallSaved?: true
  /** Where the page has the media that the order asks for. */
  readonly media?: readonly MediaSources[]
  /** Not to be kept for the next request: a model that should have taken part did not. */
  readonly passing?: true
  /** Formats of which nothing came, as the model did not answer: they are not charged. */
  readonly without?: readonly FormatType[]
}

/** What the answer is decided by: everything of a derivation but the formats themselves. */
export interface PageFacts extends Omit<Derivation, 'fields' | 'index'> {
  /** What the formats warn of. */
  readonly formatWarning?: string
}

/** A derivation in the form in which it is kept, so that an answer from the cache never parses the formats and writes them again. */
export interface Packed {
  readonly facts: PageFacts
  /** The formats as a JSON object. */
  readonly json: Uint8Array
  /** Facts and formats, as stored; written when first asked for, as most pages of jobs are kept without their facts. */
  bytes(): Uint8Array
  /** What makes the page findable; of one from storage it is in the index already. */
  readonly index?: PageIndex
  /** The formats, parsed where they come from storage. */
  fields(): Contribution
}

/** Reads captures where reading can be killed (R20), and writes down what it made there: of a large page that is work, too. */
export interface Compute {
  /** Throws `SCRAPE_TIMEOUT` when the page cannot be read in time, `SCRAPE_SITE_ERROR` when reading it broke its reader. */
  derive(capture: Capture, order: DeriveOrder, call: Call): Promise<Packed>
  close(): Promise<void>
}
