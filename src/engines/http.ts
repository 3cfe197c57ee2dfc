import type { Clock } from '../domain/clock.ts'
import type { Engine } from '../domain/capture.ts'
import type { Fetcher } from '../domain/ports.ts'

/** How much of a page is kept, and the clock that dates it. */
export interface HttpEngineOptions {
  readonly maxBytes: number
  readonly clock: Clock
  /** Whether the fetcher has proxies for the enhanced tier. */
  readonly enhanced?: boolean
}

/** Brings pages home by one HTTP request, without running their scripts. Throws as the fetcher does. */
export function httpEngine(fetcher: Fetcher, { maxBytes, clock, enhanced = false }: HttpEngineOptions): Engine {
  return {
    name: 'http',
    can: new Set(enhanced ? ['enhanced-proxy'] : []),
    cost: 1,
    async fetch({ url, headers, languages, skipTlsVerification, tier = 'basic', country }, call) {
      const answer = await fetcher.fetch({ url, headers, languages, skipTlsVerification, maxBytes, tier, country }, call)
      return { kind: 'captured', capture: { ...answer, requestedUrl: url, engine: 'http', proxy: tier, at: clock.now() } }
    },
  }
}
