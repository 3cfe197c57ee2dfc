import type { Clock } from '../domain/clock.ts'
import type { Engine } from '../domain/pages/capture.ts'
import type { FetchAnswer, Fetcher, FetchRequest } from '../domain/fetching/fetcher.ts'
import { fileKind } from '../domain/pages/file-kind.ts'
import { confirms, type Validators } from '../domain/pages/validators.ts'

/** How much of a page is kept, and the clock for its date. */
export interface HttpEngineOptions {
  readonly maxBytes: number
  readonly clock: Clock
  /** Whether the fetcher has proxies for the enhanced tier. */
  readonly enhanced?: boolean
}

/** Whether an answer responds to a condition that nobody sent, or rejects the one that was sent. */
function isBroken({ status }: FetchAnswer, headers: Readonly<Record<string, string>>, unless: Validators | undefined): boolean {
  if (Object.keys(headers).some((name) => name.toLowerCase().startsWith('if-'))) return false
  return status === 304 || (status === 412 && unless !== undefined)
}

/** Archives, programs, audio and video are told apart by their first bytes, and no more of them is used. */
const wants: FetchRequest['wants'] = (start) => fileKind(start) !== 'binary'

/**
 * Fetches pages by a single HTTP request, without running their scripts; repeats it without conditions when the site
 * misunderstands them. Throws as the fetcher does.
 */
export function httpEngine(fetcher: Fetcher, { maxBytes, clock, enhanced = false }: HttpEngineOptions): Engine {
  return {
    name: 'http',
    can: new Set(enhanced ? ['enhanced-proxy'] : []),
    cost: 1,
    async fetch({ url, headers, languages, skipTlsVerification, tier = 'basic', country, unless, onRedirect }, call) {
      const order = { url, headers, languages, skipTlsVerification, maxBytes, tier, country, onRedirect, wants }
      const origin = { requestedUrl: url, engine: 'http', proxy: tier } as const
      const first = await fetcher.fetch(unless === undefined ? order : { ...order, unless }, call)
      if (unless !== undefined && first.status === 304 && confirms(first, unless)) {
        return { kind: 'unmodified', capture: { ...origin, url: first.url, headers: first.headers, tlsVerified: first.tlsVerified, at: clock.now() } }
      }
      const answer = isBroken(first, headers, unless) ? await fetcher.fetch(order, call) : first
      return { kind: 'captured', capture: { ...answer, ...origin, at: clock.now() } }
    },
  }
}
