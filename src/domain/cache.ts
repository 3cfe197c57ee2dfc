import type { ScrapeRequest } from '../spec/scrape.ts'
import { limits } from '../spec/limits.ts'
import type { ErrorCode } from '../spec/errors.ts'

/** What the cache may do for one request. */
export interface CacheRule {
  /** `no`: not consulted; `may`: consulted first; `only`: nothing else may answer. */
  readonly read: 'no' | 'may' | 'only'
  /** An entry answers when it was fetched in [oldest, newest], milliseconds since 1970. */
  readonly oldest: number
  readonly newest: number
  readonly write: boolean
  /** The code of a miss where `read` is `only`. */
  readonly missCode: Extract<ErrorCode, 'SCRAPE_NO_CACHED_DATA' | 'SCRAPE_LOCKDOWN_CACHE_MISS'>
}

/** The parts of a request that decide about the cache. */
export type CacheWishes = Pick<
  ScrapeRequest,
  'maxAge' | 'minAge' | 'lockdown' | 'storeInCache' | 'zeroDataRetention' | 'headers' | 'actions' | 'profile' | 'formats'
>

/** True when the answer depends on secrets or on what was done on the page: never cached, never served from the cache (R24). */
function isPrivate(request: CacheWishes): boolean {
  const acted = (request.actions?.length ?? 0) > 0 || request.profile !== undefined
  return acted || Object.keys(request.headers ?? {}).length > 0 || request.formats.some((format) => format.type === 'changeTracking')
}

/** True when a picture is wanted in a size or quality of its own; the cache keeps those that all requests for a picture have in common. */
const isCustomPicture = (format: CacheWishes['formats'][number]): boolean => format.type === 'screenshot' && (format.quality !== undefined || format.viewport !== undefined)

/** May a stored capture answer this request, and may its own capture be stored (specification, `maxAge` to `lockdown`; contract §15.16, §15.22)? */
export function cacheRule(request: CacheWishes, now: number): CacheRule {
  const only = request.lockdown || request.minAge !== undefined
  const maxAge = request.maxAge ?? (request.lockdown ? limits.maxAgeLockdown : limits.maxAgeDefault)
  const bounded = request.minAge === undefined || request.maxAge !== undefined
  // A private request has no key that could match: cache-only means a miss then, not somebody else's page.
  const skipped = isPrivate(request) || request.formats.some(isCustomPicture)
  const possible = !skipped && !(bounded && maxAge === 0)
  return {
    read: only ? 'only' : possible ? 'may' : 'no',
    oldest: !possible ? Number.MAX_SAFE_INTEGER : bounded ? now - maxAge + 1 : 0,
    newest: request.minAge !== undefined && request.minAge > 1 ? now - request.minAge : Number.MAX_SAFE_INTEGER,
    write: request.storeInCache && !only && !request.zeroDataRetention && !skipped,
    missCode: request.lockdown ? 'SCRAPE_LOCKDOWN_CACHE_MISS' : 'SCRAPE_NO_CACHED_DATA',
  }
}
