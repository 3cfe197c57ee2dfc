import type { EnclosedBlob } from '../blobs.ts'
import type { Charge } from '../teams/ledger.ts'
import type { CacheEntry, CacheMemo } from './page-cache.ts'
import type { IndexedPage } from '../search/search-index.ts'
import type { Version } from './versions.ts'

/** A finished synchronous job: what `GET /v2/scrape/{id}` returns, and what a replay needs. */
export interface StoredResult {
  readonly id: string
  readonly team: string
  readonly kind: string
  /** Blob of the derived page, or of the whole response body. Responses with the same formats share one. */
  readonly blob: string
  /** What this response says beyond the blob, as JSON; null when the blob is the whole body. */
  readonly frame: string | null
  /** The request as JSON, for a replay. */
  readonly request: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** A file that a response links to: anyone with the token may read it until it expires. */
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
  /** The blobs it refers to that are not stored yet. */
  readonly enclosed?: readonly EnclosedBlob[]
  /** Written only while its number is free; a version with the same id is not written twice. */
  readonly version?: Version | null
}

/** The result of a settlement: `outdated` when another version was written meanwhile; then nothing is written. */
export type SettlementOutcome = 'settled' | 'outdated'

/** Results and files of finished scrapes. */
export interface Results {
  /** All or nothing. Replaces an older cache entry with the same key. */
  settle(settlement: Settlement): Promise<SettlementOutcome>
  /** Null when unknown; an expired one is returned until it is swept. */
  find(id: string): Promise<StoredResult | null>
  /** Null when unknown; an expired one is returned until it is swept. */
  artifact(token: string): Promise<Artifact | null>
}
