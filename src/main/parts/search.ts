import { providerHealth } from '../../app/search/health.ts'
import { search } from '../../app/search/search.ts'
import type { Admission } from '../../app/admission.ts'
import type { ScrapePorts } from '../../app/scrape/scrape.ts'
import type { SearchProvider } from '../../domain/search/search.ts'
import type { Store } from '../../domain/store.ts'
import type { HttpPorts } from '../../http/ports.ts'
import { newId } from '../../lib/new-id.ts'
import { steadyNow } from '../../lib/steady-now.ts'

/** The parts of searches. */
export interface SearchParts {
  readonly store: Store
  readonly scraping: ScrapePorts
  readonly admission: Admission
  readonly scrape: HttpPorts['scrape']
  readonly providers: readonly SearchProvider[]
}

/** Joins the parts of searches. */
export function searchWork({ store, scraping, admission, scrape, providers }: SearchParts): HttpPorts['search'] {
  const { blobs, results, ledger, gates, features, model = null, retentionMs, now } = scraping
  const ports = { providers, health: providerHealth(steadyNow), index: store.search, blobs, results, ledger, gates, features, model, retentionMs, admission, scrape, now, newId }
  return (job, call) => search(job, ports, call)
}
