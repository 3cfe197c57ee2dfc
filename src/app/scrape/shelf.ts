import type { Call } from '../../domain/call.ts'
import type { Capture, Fetched } from '../../domain/pages/capture.ts'
import type { DeriveOrder, Packed } from '../../domain/pages/derivation.ts'
import type { Blobs } from '../../domain/blobs.ts'
import type { Cache, CacheEntry } from '../../domain/pages/page-cache.ts'
import type { Settlement } from '../../domain/pages/results.ts'
import type { IndexedPage } from '../../domain/search/search-index.ts'
import { answeringUrl, cacheUrl, commonUrl } from '../../domain/urls/url.ts'
import { freshened, type Validators, validatorsOf } from '../../domain/pages/validators.ts'
import { contentVersion } from '../../content/version.ts'
import { unpack } from '../../domain/pages/packed.ts'
import type { Plan } from './plan.ts'
import type { KeptShot } from './shots.ts'
import { sha256 } from '../../lib/sha256.ts'

/** A cache entry with its capture. */
export interface Found {
  readonly kind: 'found'
  readonly entry: CacheEntry
  readonly capture: Capture
  /** The earlier derivation by the same order, and its blob; null if this order is new. */
  readonly memo: { readonly blob: string; readonly page: Packed } | null
  /** The stored screenshot, if the request wants one and may be given its address; otherwise its bytes are part of the capture. */
  readonly shot: KeptShot | null
}

/** A cache entry too old to answer, unless its site confirms that the page is unchanged. */
export interface Stale {
  readonly kind: 'stale'
  readonly validators: Validators
  readonly kept: Kept
}

/** A cache entry as stored, with the blob of the derivation by this order. */
interface Kept {
  readonly entry: CacheEntry
  readonly memo: string | null
}

/** The headers of a site's answer that the page is unchanged. */
type News = Extract<Fetched, { kind: 'unmodified' }>['capture']

/** A page to be cached. */
export interface Settled {
  readonly capture: Capture
  readonly confirmed: Found | null
  readonly shot: KeptShot | null
  /** Whether the derivation may answer no later request. */
  readonly passing?: boolean
  /** Its search index entry; null keeps the present one. */
  readonly search?: IndexedPage | null
}

/** A stored, packed derivation: its blob and size. */
export interface Memo {
  readonly blob: string
  readonly bytes: number
}

/** A derivation being stored, and how to cache the page. */
export interface KeptBy extends Pick<Blobs, 'put'> {
  readonly memo: Promise<Memo>
}

/** The page cache of all teams: captures and memoised derivations (contract §15.16). */
export interface CacheShelf {
  find(plan: Plan, call: Call): Promise<Found | Stale | null>
  /** The cached page as if fetched now; null if it is gone, or must be fetched to be sure. */
  confirm(stale: Stale, news: News, plan: Plan, call: Call): Promise<Found | null>
  /** Stores a derivation of a cached capture for the next request of the same kind, and indexes what the first one did not read to the end. */
  remember(entry: string, order: DeriveOrder, reading: Memo & Pick<Settled, 'search'>, team: string): Promise<void>
  /** The rows of a new entry, or those that renew the confirmed one. */
  entryFor(plan: Plan, page: Settled, kept: KeptBy, call: Call): Promise<NonNullable<Settlement['cache']>>
}

/** Everything in a request that changes what is fetched (contract §2, cache key). */
export function captureKey(plan: Plan): string {
  const { request, order } = plan
  return sha256(JSON.stringify([cacheUrl(request.url), request.mobile, order.languages, request.location?.country ?? 'US', request.waitFor, request.blockAds, request.proxy === 'enhanced', ...(order.screenshot === undefined ? [] : [order.screenshot.fullPage]), ...(order.look ? ['look'] : [])]))
}

/** Names a way of reading captures. Derivations change with the code that makes them, hence the version. */
export const memoName = ({ index: _index, ...order }: DeriveOrder): string => sha256(JSON.stringify([contentVersion, order]))

/** The name of a memo that answers no later request, since a model did not complete it; the search index reads its text all the same. */
const passingName = 'passing'

/** Names under which the search index may have less of a page than a way of reading gives: what a model or the time did not complete, and what was read before there was text recognition. */
function lessNames(order: DeriveOrder): readonly string[] {
  const { ocr, ...unaided } = order
  return [passingName, ...(ocr === undefined ? [] : [memoName(unaided)])]
}

/** The largest memo worth storing beside its capture. */
const memoMaxBytes = 20 * 1024 * 1024

/** Bodies up to this size need not be counted as held. */
const smallBytes = 2 ** 20

/** The capture as the head of its entry stores it. */
interface Head extends Omit<Capture, 'body' | 'shots'> {
  readonly shot?: KeptShot | null
}

const headOf = ({ head }: CacheEntry): Head => JSON.parse(head) as Head // written by entryFor below

export interface ShelfPorts {
  readonly cache: Cache
  readonly blobs: Blobs
  readonly now: () => number
  readonly newId: () => string
}

export function cacheShelf({ cache, blobs, now, newId }: ShelfPorts): CacheShelf {
  /** The screenshot as this request wants it; null if it is gone. */
  async function pictured(shot: KeptShot | null, { retention }: Plan): Promise<Pick<Found, 'shot'> & Pick<Capture, 'shots'> | null> {
    if (shot === null) return { shot }
    if (retention !== 'zero') return (await blobs.keep(shot.blob)) ? { shot } : null
    const bytes = await blobs.get(shot.blob)
    return bytes && { shot: null, shots: [{ bytes, type: shot.type, clipped: shot.clipped }] }
  }

  async function restore({ entry, memo }: Kept, { shot: taken = null, ...head }: Head, plan: Plan, call: Call): Promise<Found | null> {
    const picture = await pictured(taken, plan)
    if (picture === null) return null
    const { shot, ...shots } = picture
    if (entry.bytes > smallBytes) await call.room?.take(entry.bytes, call.signal)
    const derived = memo === null ? null : await blobs.get(memo)
    // With a memo, the body is not read again.
    const body = derived === null ? await blobs.get(entry.blob) : new Uint8Array()
    if (body === null) return null
    return { kind: 'found', entry, capture: { ...head, ...shots, body }, memo: memo === null || derived === null ? null : { blob: memo, page: unpack(derived) }, shot }
  }

  return {
    async find(plan, call) {
      const { read, oldest, newest } = plan.cache
      if (oldest === Number.MAX_SAFE_INTEGER) return null
      const kept = await cache.find({ team: call.team, key: captureKey(plan) }, read === 'may' ? 0 : oldest, newest, memoName(plan.derive), now())
      const head = kept === null ? null : headOf(kept.entry)
      if (kept === null || head === null || (!head.tlsVerified && !plan.request.skipTlsVerification)) return null
      if (kept.entry.fetchedAt >= oldest) return restore(kept, { ...head, requestedUrl: plan.order.url, url: answeringUrl(head.url, plan.order.url) }, plan, call)
      // A rendered page holds more than its address gives.
      const validators = head.engine === 'http' ? validatorsOf(head) : null
      return validators !== null && (await blobs.keep(kept.entry.blob)) ? { kind: 'stale', validators, kept } : null
    },
    async confirm({ kept }, news, plan, call) {
      const head = headOf(kept.entry)
      const headers = freshened(head.headers, news.headers)
      return headers === null ? null : restore(kept, { ...head, ...news, headers, tlsVerified: head.tlsVerified && news.tlsVerified }, plan, call)
    },
    async remember(entry, order, { blob, bytes, search = null }, team) {
      if (bytes > memoMaxBytes) return
      const memo = memoName(order)
      // First: with the memo, nobody reads the page again.
      if (search !== null) for (const instead of lessNames(order)) await cache.reindex(team, entry, { page: search, memo, instead })
      await cache.addMemo(team, entry, memo, blob, bytes)
    },
    async entryFor(plan, { capture, confirmed, shot, passing = false, search = null }, kept, call) {
      const { body, shots: _, ...rest } = capture
      // Without the fragment of its first caller.
      const head: Head = { ...rest, requestedUrl: cacheUrl(capture.requestedUrl), url: commonUrl(capture), shot }
      const [blob, memo] = await Promise.all([confirmed?.entry.blob ?? kept.put(body), kept.memo])
      return {
        id: confirmed?.entry.id ?? newId(),
        team: call.team,
        key: captureKey(plan),
        fetchedAt: capture.at,
        head: JSON.stringify(head),
        blob,
        bytes: confirmed?.entry.bytes ?? body.length,
        memo: memo.bytes > memoMaxBytes ? null : { name: passing ? passingName : memoName(plan.derive), ...memo },
        search,
        shot: shot && { name: 'shot', blob: shot.blob, bytes: shot.bytes },
      }
    },
  }
}
