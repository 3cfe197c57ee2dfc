import { createHash } from 'node:crypto'
import type { Call } from '../../domain/call.ts'
import type { Capture, Verdict } from '../../domain/capture.ts'
import type { DeriveOrder } from '../../domain/derivation.ts'
import type { Blobs } from '../../domain/blobs.ts'
import type { Cache, CacheEntry } from '../../domain/page-cache.ts'
import type { Settlement } from '../../domain/results.ts'
import type { IndexedPage } from '../../domain/search-index.ts'
import { answeringUrl, cacheUrl, commonUrl } from '../../domain/url.ts'
import { freshened, type Validators, validatorsOf } from '../../domain/validators.ts'
import { contentVersion } from '../../content/version.ts'
import { type Packed, unpack } from './packed.ts'
import type { Plan } from './plan.ts'
import type { KeptShot } from './shots.ts'

/** A cache entry read back. */
export interface Found {
  readonly kind: 'found'
  readonly entry: CacheEntry
  readonly capture: Capture
  /** What was derived earlier by the same order, and where it is kept; null when this order is new. */
  readonly memo: { readonly blob: string; readonly page: Packed } | null
  /** The picture, where the request wants one and may be given its address; else its bytes are part of the capture. */
  readonly shot: KeptShot | null
}

/** A cache entry that is too old to answer, unless its site says that the page is still the same. */
export interface Stale {
  readonly kind: 'stale'
  readonly validators: Validators
  readonly kept: Kept
}

/** A cache entry as it is stored, with the blob of what was derived by the order at hand. */
interface Kept {
  readonly entry: CacheEntry
  readonly memo: string | null
}

/** What a site says of a page that is still the same. */
type News = Extract<Verdict, { kind: 'unmodified' }>['capture']

/** A page as it is to be kept. */
export interface Settled {
  readonly capture: Capture
  readonly confirmed: Found | null
  readonly shot: KeptShot | null
  /** Whether what was derived is not to be kept. */
  readonly passing?: boolean
  /** How it is found; null leaves what is known of it. */
  readonly search?: IndexedPage | null
}

/** A packed derivation that is kept: its blob and its size. */
export interface Memo {
  readonly blob: string
  readonly bytes: number
}

/** What was derived, on its way to be kept, and how the page itself is to be. */
export interface KeptBy extends Pick<Blobs, 'put'> {
  readonly memo: Promise<Memo>
}

/** The page cache of all teams, as scrapes see it: captures and memoised derivations (contract §15.16). */
export interface CacheShelf {
  find(plan: Plan, call: Call): Promise<Found | Stale | null>
  /** The stored page as if it had been fetched now; null where it is gone, or must be fetched to be sure. */
  confirm(stale: Stale, news: News, plan: Plan, call: Call): Promise<Found | null>
  /** Keeps a derivation of a cached capture for the next request of the same kind. */
  remember(entry: string, order: DeriveOrder, memo: Memo, team: string): Promise<void>
  /** Makes the rows of a new entry, or those that renew the confirmed one. */
  entryFor(plan: Plan, page: Settled, kept: KeptBy, call: Call): Promise<NonNullable<Settlement['cache']>>
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Everything of a request that changes what is fetched (contract §2, cache key). */
export function captureKey(plan: Plan): string {
  const { request, order } = plan
  return sha256(JSON.stringify([cacheUrl(request.url), request.mobile, order.languages, request.location?.country ?? 'US', request.waitFor, request.blockAds, request.proxy === 'enhanced', ...(order.screenshot === undefined ? [] : [order.screenshot.fullPage]), ...(order.look ? ['look'] : [])]))
}

/** Names how a capture is read. Derivations change with the code that makes them, hence the version. */
export const memoName = ({ index: _index, ...order }: DeriveOrder): string => sha256(JSON.stringify([contentVersion, order]))

/** How large a memo may be to be worth keeping beside its capture. */
const memoMaxBytes = 20 * 1024 * 1024

/** Bodies up to this size are nobody's concern. */
const smallBytes = 2 ** 20

/** A capture as the head of its entry has it. */
interface Head extends Omit<Capture, 'body' | 'shots'> {
  readonly shot?: KeptShot | null
}

/** A capture's addresses, without the fragment by which its first caller asked. */
const addressesOf = (capture: Pick<Capture, 'requestedUrl' | 'url' | 'engine'>): Pick<Capture, 'requestedUrl' | 'url'> => ({ requestedUrl: cacheUrl(capture.requestedUrl), url: commonUrl(capture) })

function headOf(entry: CacheEntry): Head {
  const head = JSON.parse(entry.head) as Head // written by entryFor below
  // Earlier versions kept the fragment of whoever asked first.
  return { ...head, ...addressesOf(head) }
}

export interface ShelfPorts {
  readonly cache: Cache
  readonly blobs: Blobs
  readonly now: () => number
  readonly newId: () => string
}

export function cacheShelf({ cache, blobs, now, newId }: ShelfPorts): CacheShelf {
  /** The picture as this request is to have it; null where it is gone. */
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
    // With a memo nothing reads the body again.
    const body = derived === null ? await blobs.get(entry.blob) : new Uint8Array()
    if (body === null) return null
    return { kind: 'found', entry, capture: { ...head, ...shots, body }, memo: memo === null || derived === null ? null : { blob: memo, page: unpack(derived) }, shot }
  }

  return {
    async find(plan, call) {
      const { read, oldest, newest } = plan.cache
      if (oldest > newest || oldest === Number.MAX_SAFE_INTEGER) return null
      const kept = await cache.find({ team: call.team, key: captureKey(plan) }, read === 'may' ? 0 : oldest, newest, memoName(plan.derive), now())
      const head = kept === null ? null : headOf(kept.entry)
      if (kept === null || head === null || (!head.tlsVerified && !plan.request.skipTlsVerification)) return null
      if (kept.entry.fetchedAt >= oldest) return restore(kept, { ...head, requestedUrl: plan.order.url, url: answeringUrl(head.url, plan.order.url) }, plan, call)
      // What a browser showed is more than what its address gives.
      const validators = head.engine === 'http' ? validatorsOf(head) : null
      return validators !== null && (await blobs.keep(kept.entry.blob)) ? { kind: 'stale', validators, kept } : null
    },
    async confirm({ kept }, news, plan, call) {
      const head = headOf(kept.entry)
      const headers = freshened(head.headers, news.headers)
      return headers === null ? null : restore(kept, { ...head, ...news, headers, tlsVerified: head.tlsVerified && news.tlsVerified }, plan, call)
    },
    async remember(entry, order, { blob, bytes }, team) {
      if (bytes <= memoMaxBytes) await cache.addMemo(team, entry, memoName(order), blob, bytes)
    },
    async entryFor(plan, { capture, confirmed, shot, passing = false, search = null }, kept, call) {
      const { body, shots: _, ...rest } = capture
      const head: Head = { ...rest, ...addressesOf(capture), shot }
      const [blob, memo] = await Promise.all([confirmed?.entry.blob ?? kept.put(body), kept.memo])
      return {
        id: confirmed?.entry.id ?? newId(),
        team: call.team,
        key: captureKey(plan),
        fetchedAt: capture.at,
        head: JSON.stringify(head),
        blob,
        bytes: confirmed?.entry.bytes ?? body.length,
        memo: passing || memo.bytes > memoMaxBytes ? null : { name: memoName(plan.derive), ...memo },
        search,
        shot: shot && { name: 'shot', blob: shot.blob, bytes: shot.bytes },
      }
    },
  }
}
