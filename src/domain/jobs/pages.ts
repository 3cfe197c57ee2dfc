import type { Settlement, StoredResult } from '../results.ts'

/** Why a URL that was seen is not fetched (contract §15.20). */
export type SkipReason =
  | 'depth'
  | 'path'
  | 'excluded'
  | 'not-included'
  | 'external'
  | 'subdomain'
  | 'robots'
  | 'duplicate'
  | 'limit'
  | 'scheme'
  | 'invalid'
  | 'cancelled'

/** A URL for the frontier of a job. */
export interface NewPage {
  readonly url: string
  /** Canonical form: the frontier holds each once (R8). */
  readonly key: string
  readonly host: string
  /** Links from the start; sitemap pages have 0. */
  readonly depth: number
  /** Outside of the site: fetched, its links not followed. */
  readonly external: boolean
  /** Known from before, and not found by this crawl: its links are not followed. */
  readonly recalled?: true
  /** The crawl has a greatest depth: of a page that waits a shorter way found later counts, and one that links lead to waits a while for what the sitemaps name. */
  readonly depthLimited?: true
  /** What has less is leased first; 0 where absent, and never more than `maxRank` of `crawl/variants`. */
  readonly rank?: number
  /** Key of the same address without a query, where its being a page of the job makes this one a variant of it. */
  readonly variantOf?: string
}

/** A URL that was seen and will not be fetched. */
export interface SkippedUrl {
  readonly url: string
  readonly reason: SkipReason
  /** Canonical form, where another way to the URL may still bring it into the frontier: it is not listed as skipped then. */
  readonly key?: string | undefined
  /** Set where the skip is listed among the errors as well (`EXTERNAL_LINK`). */
  readonly code?: string | undefined
}

/** A URL as it is listed as skipped. */
export interface SkippedRow extends SkippedUrl {
  /** Position in the order of discovery; with gaps. */
  readonly seq: number
}

/** A page leased to a worker. */
export interface PageTask extends NewPage {
  readonly job: string
  readonly team: string
  /** Number of the page within its job, by discovery. */
  readonly seq: number
  /** Fencing token: what is done under an older one is refused (R8). */
  readonly token: string
  /** How many workers have died or stopped with this page, this one counted. */
  readonly attempt: number
  /** How often the site asked us to come again later. */
  readonly postponed: number
}

/** How a page ended. */
export type PageOutcome =
  | {
      readonly kind: 'delivered'
      /** Result (its id is the scrape id), charge, cache entry, artifacts. */
      readonly settlement: Settlement & { readonly result: StoredResult }
      /** Bytes of the document as it is served, for paging. */
      readonly bytes: number
      /** What was learned about its template stood in for a language model. */
      readonly modelCallSaved?: true
      /** Key of the URL that answered: where the frontier has it already as fetched or under way, the page is a duplicate; where it waits there, it is done by this. */
      readonly finalKey: string
    }
  | { readonly kind: 'failed'; readonly scrapeId: string; readonly code: string; readonly message: string; readonly charge: Settlement['charge'] }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }

/** The end of a page, and what was found on it. */
export interface PageEnd {
  readonly task: Pick<PageTask, 'job' | 'seq' | 'token'>
  readonly outcome: PageOutcome
  /** Found on the page; those whose key is known already are passed over. */
  readonly pages: readonly NewPage[]
  readonly skipped: readonly SkippedUrl[]
  /** Of the first page of a crawl: where it answered from; absent where it did not. */
  readonly start?: string | undefined
  /** The site did not give the page, or not all of it. Of the first page of a crawl, and where that fails: nothing says what is not found any more (`recalls`). */
  readonly withheld?: boolean
  /** Milliseconds that the site asks to be left between pages: from then on the delay of a job that has none (contract §5.1). */
  readonly delayMs?: number | undefined
  /** Ids for the event of this page and, should the job end with it, of its end. */
  readonly eventId: string
  readonly endEventId: string
  readonly now: number
}

/** What became of a page's end: `lost` when the lease was (nothing is written), `duplicate` when another page had delivered it, `outdated` when another version of it came between (nothing is written either). */
export type PageSettled = 'settled' | 'duplicate' | 'lost' | 'outdated'

/** A delivered page as it is listed. */
export interface PageRow {
  /** Position in the order of commits, from 1, without gaps. */
  readonly seq: number
  readonly scrapeId: string
  readonly url: string
  readonly blob: string
  readonly frame: string
  readonly bytes: number
}

/** A page that failed, or a link listed as such. */
export interface ErrorRow {
  readonly id: string
  readonly at: number
  readonly url: string
  readonly code: string
  readonly error: string
}
