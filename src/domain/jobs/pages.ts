import type { skipReasons } from '../../spec/jobs.ts'
import type { Settlement, StoredResult } from '../pages/results.ts'
import type { Hold } from '../teams/ledger.ts'

/** Why a URL that was seen is not fetched (contract §15.20). */
export type SkipReason = (typeof skipReasons)[number]

/** A URL for the frontier of a job. */
export interface NewPage {
  readonly url: string
  /** Canonical form: the frontier contains each once (R8). */
  readonly key: string
  readonly host: string
  /** Number of links from the start; sitemap pages have 0. */
  readonly depth: number
  /** Outside of the site: it is fetched, but its links are not followed. */
  readonly external: boolean
  /** Known from an earlier crawl, and not found by this one: its links are not followed. */
  readonly recalled?: true
  /**
   * The crawl has a maximum depth: a shorter path found later replaces the depth of a waiting page, and pages found by
   * links wait a while for the sitemaps to name them.
   */
  readonly depthLimited?: true
  /** Lower ranks are leased first; 0 when absent, at most `maxRank` of `crawl/variants`. */
  readonly rank?: number
  /** Key of the same URL without its query: if that is a page of the job, this one is a variant of it. */
  readonly variantOf?: string
}

/** A URL that was seen and will not be fetched. */
export interface SkippedUrl {
  readonly url: string
  readonly reason: SkipReason
  /** Canonical form, when the URL may still enter the frontier by another path: then it is not listed as skipped. */
  readonly key?: string | undefined
  /** Set when the skip is also listed among the errors (`EXTERNAL_LINK`). */
  readonly code?: string | undefined
}

/** A URL in the list of skipped ones. */
export interface SkippedRow extends SkippedUrl {
  /** Position in the order of discovery; with gaps. */
  readonly seq: number
}

/** How often a page is begun before it fails: its end may be what the store cannot take, or it may be what ends its workers. */
export const mostAttempts = 12

/** A page leased to a worker. */
export interface PageTask extends NewPage {
  readonly job: string
  readonly team: string
  /** The page's number within its job, in order of discovery. */
  readonly seq: number
  /** Fencing token: writes with an older one are refused (R8). */
  readonly token: string
  /** The number of this attempt; leases given back uncounted, and those of workers that stopped, are not included. */
  readonly attempt: number
  /** How often the site asked us to come later. */
  readonly postponed: number
}

/** How a page ended. */
export type PageOutcome =
  | {
      readonly kind: 'delivered'
      /** Result (its id is the scrape id), charge, cache entry, artifacts. */
      readonly settlement: Settlement & { readonly result: StoredResult }
      /** Size of the document as served, in bytes, for paging. */
      readonly bytes: number
      /** Rules learned about its template replaced a language-model call. */
      readonly modelCallSaved?: true
      /**
       * Key of the final URL: if another page has delivered it, this one is a duplicate; if that is only waiting, running
       * or failed, this result is the one for both.
       */
      readonly finalKey: string
    }
  | { readonly kind: 'failed'; readonly scrapeId: string; readonly code: string; readonly message: string; readonly charge: Settlement['charge'] }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }

/** The end of a page, and the links found in it. */
export interface PageEnd {
  readonly task: Pick<PageTask, 'job' | 'seq' | 'token'>
  readonly outcome: PageOutcome
  /** What was set aside for it: released in the same transaction, unless its charge replaces it. */
  readonly held?: Hold | null
  /** New pages found in it; known keys are ignored. */
  readonly pages: readonly NewPage[]
  readonly skipped: readonly SkippedUrl[]
  /** For the first page of a crawl: its final URL; absent when there was no response. */
  readonly start?: string | undefined
  /**
   * The site gave the page only in part or not at all. If that happens to the first page of a crawl, the crawl does not
   * revisit tracked pages (`recalls`), as when the first page fails.
   */
  readonly withheld?: boolean
  /** Milliseconds that the site asks for between pages: from now on the delay of a job that has none (contract §5.1). */
  readonly delayMs?: number | undefined
  /** Ids for the event of this page and, should the job end with it, for the event of its end. */
  readonly eventId: string
  readonly endEventId: string
  readonly now: number
}

/**
 * The result of writing a page's end: `lost` with its lease (nothing is written), `duplicate` when another page had
 * delivered it, `outdated` when another version of it was written meanwhile (nothing is written).
 */
export type PageSettled = 'settled' | 'duplicate' | 'lost' | 'outdated'

/** A delivered page as listed. */
export interface PageRow {
  /** Position in the order of commits, from 1, without gaps. */
  readonly seq: number
  readonly scrapeId: string
  readonly url: string
  readonly blob: string
  readonly frame: string
  readonly bytes: number
  /** When its result was written. */
  readonly at: number
}

/** A page that failed, or a link that is listed as such. */
export interface ErrorRow {
  readonly id: string
  readonly at: number
  readonly url: string
  readonly code: string
  readonly error: string
}
