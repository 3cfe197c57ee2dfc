import type { ScrapeRequest } from '../../spec/scrape.ts'
import { limits } from '../../spec/limits.ts'
import type { ErrorCode } from '../../spec/errors.ts'

/** How one request may use the cache. */
export interface CacheRule {
  /** `no`: skip it; `may`: try it first; `only`: never fetch. */
  readonly read: 'no' | 'may' | 'only'
  /** An entry matches when it was fetched in [oldest, newest], milliseconds since 1970. */
  readonly oldest: number
  readonly newest: number
  readonly write: boolean
  /** The error code of a miss when `read` is `only`. */
  readonly missCode: Extract<ErrorCode, 'SCRAPE_NO_CACHED_DATA' | 'SCRAPE_LOCKDOWN_CACHE_MISS'>
}

/** The request options that affect the cache. */
export type CacheWishes = Pick<
  ScrapeRequest,
  'maxAge' | 'minAge' | 'lockdown' | 'storeInCache' | 'zeroDataRetention' | 'headers' | 'actions' | 'profile' | 'formats'
>

/**
 * Whether the answer depends on secrets or on actions in the page: such a capture is neither stored nor served from the
 * cache (R24).
 */
function isPrivate(request: CacheWishes): boolean {
  const acted = (request.actions?.length ?? 0) > 0 || request.profile !== undefined
  return acted || Object.keys(request.headers ?? {}).length > 0 || request.formats.some((format) => format.type === 'changeTracking')
}

/** Whether a screenshot is requested with a quality or viewport of its own: such screenshots are not cached. */
const isCustomPicture = (format: CacheWishes['formats'][number]): boolean => format.type === 'screenshot' && (format.quality !== undefined || format.viewport !== undefined)

/**
 * Whether a stored capture may answer this request, and whether its own capture may be stored (specification, `maxAge` to
 * `lockdown`; contract §15.16, §15.22).
 */
export function cacheRule(request: CacheWishes, now: number): CacheRule {
  const only = request.lockdown || request.minAge !== undefined
  const maxAge = request.maxAge ?? (request.lockdown ? limits.maxAgeLockdown : limits.maxAgeDefault)
  const bounded = request.minAge === undefined || request.maxAge !== undefined
  // A private request matches no entry: with cache-only that is a miss, never somebody else's page.
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
