import type { EnclosedBlob } from './blobs.ts'
import type { Charge } from './ledger.ts'
import type { CacheEntry, CacheMemo } from './page-cache.ts'
import type { IndexedPage } from './search-index.ts'
import type { Version } from './versions.ts'

/** A finished synchronous job: what `GET /v2/scrape/{id}` answers, and what a replay needs. */
export interface StoredResult {
  readonly id: string
  readonly team: string
  readonly kind: string
  /** Blob of the page as it was derived, or of the whole response body. Answers with the same formats share one. */
  readonly blob: string
  /** What this answer says beyond the blob, as JSON; null where the blob is the whole body. */
  readonly frame: string | null
  /** The request as JSON, for replay. */
  readonly request: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** A file that an answer points to: whoever has the token may read it until it expires. */
export interface Artifact {
  readonly token: string
  readonly team: string
  readonly blob: string
  /** Media type. */
  readonly media: string
  readonly expiresAt: number
}

/** Everything that one scrape leaves behind, written in one transaction. */
export interface Settlement {
  readonly team: string
  readonly result: StoredResult | null
  readonly charge: Charge | null
  readonly cache: (CacheEntry & { readonly memo: CacheMemo | null; readonly shot?: CacheMemo | null; readonly search?: IndexedPage | null }) | null
  readonly artifacts?: readonly Artifact[]
  /** Blobs that it names and that are not kept yet. */
  readonly enclosed?: readonly EnclosedBlob[]
  /** Written as long as its number is free; one of the same id is not written twice. */
  readonly version?: Version | null
}

/** What became of a settlement: `outdated` when another version came between; then nothing is written. */
export type SettlementOutcome = 'settled' | 'outdated'

/** Results and files of finished scrapes. */
export interface Results {
  /** All or nothing. Replaces an older cache entry of the same key. */
  settle(settlement: Settlement): Promise<SettlementOutcome>
  /** Null when unknown; an expired row is answered until it is swept. */
  find(id: string): Promise<StoredResult | null>
  /** Null when unknown; an expired one is answered until it is swept. */
  artifact(token: string): Promise<Artifact | null>
}
