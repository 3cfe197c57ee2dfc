import type { Call } from '../../domain/call.ts'
import type { Blobs } from '../../domain/blobs.ts'
import type { Ledger } from '../../domain/teams/ledger.ts'
import type { Results } from '../../domain/pages/results.ts'
import type { SearchProvider } from '../../domain/search/search.ts'
import type { SearchIndex } from '../../domain/search/search-index.ts'
import type { SearchRequest } from '../../spec/search.ts'
import type { Admission } from '../admission.ts'
import type { Abilities } from '../scrape/plan.ts'
import type { ScrapeJob } from '../scrape/settlement.ts'
import type { ProviderHealth } from './health.ts'

/** One search to run. */
export interface SearchJob {
  readonly id: string
  /** The same request ran before under this id, and its answer was lost. */
  readonly again: boolean
  readonly request: SearchRequest
  readonly warnings: readonly string[]
  /** Base of the URLs in the answer. */
  readonly baseUrl: string
}

/** What searches need. */
export interface SearchPorts extends Abilities {
  /** In order of preference; none: our own index alone. */
  readonly providers: readonly SearchProvider[]
  readonly health: ProviderHealth
  readonly index: SearchIndex
  readonly blobs: Blobs
  readonly results: Pick<Results, 'settle' | 'find'>
  readonly ledger: Pick<Ledger, 'allowance' | 'hold' | 'release' | 'charge'>
  readonly retentionMs: number
  readonly admission: Pick<Admission, 'enter'>
  /** A scrape like any other; returns the bytes of its response body. */
  readonly scrape: (job: ScrapeJob, call: Call) => Promise<Uint8Array>
  readonly now: () => number
  readonly newId: () => string
}
