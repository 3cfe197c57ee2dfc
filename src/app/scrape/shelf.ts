import { createHash } from 'node:crypto'
import type { Call } from '../../domain/call.ts'
import type { Capture } from '../../domain/capture.ts'
import type { Derivation, DeriveOrder } from '../../domain/derivation.ts'
import type { Blobs, Cache, CacheEntry, Settlement } from '../../domain/ports.ts'
import { cacheUrl } from '../../domain/url.ts'
import { contentVersion } from '../../content/version.ts'
import type { Plan } from './plan.ts'

/** A cache entry read back. */
export interface Found {
  readonly entry: string
  readonly capture: Capture
  /** What was derived earlier by the same order; null when this order is new. */
  readonly derivation: Derivation | null
}

/** The page cache of all teams, as scrapes see it: captures and memoised derivations (contract §15.16). */
export interface CacheShelf {
  find(plan: Plan, call: Call): Promise<Found | null>
  /** Keeps a derivation of a cached capture for the next request of the same kind. */
  remember(entry: string, order: DeriveOrder, derivation: Derivation, team: string): Promise<void>
  /** Makes the rows of a new entry; blobs are durable when it answers. */
  entryFor(plan: Plan, capture: Capture, derivation: Derivation, call: Call): Promise<NonNullable<Settlement['cache']>>
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const encode = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))
const parse = <T>(bytes: Uint8Array): T => JSON.parse(Buffer.from(bytes).toString()) as T // written by `encode` above, verified by its hash

/** Everything of a request that changes what is fetched (contract §2, cache key). */
function captureKey(plan: Plan): string {
  const { request, order } = plan
  return sha256(JSON.stringify([cacheUrl(request.url), request.mobile, order.languages, request.location?.country ?? 'US', request.waitFor, request.blockAds, request.proxy === 'enhanced']))
}

/** Derivations change with the code that makes them, hence the version. */
const memoName = (order: DeriveOrder): string => sha256(JSON.stringify([contentVersion, order]))

/** How large a memo may be to be worth keeping beside its capture. */
const memoMaxBytes = 20 * 1024 * 1024

export interface ShelfPorts {
  readonly cache: Cache
  readonly blobs: Blobs
  readonly now: () => number
  readonly newId: () => string
}

export function cacheShelf({ cache, blobs, now, newId }: ShelfPorts): CacheShelf {
  async function restore(entry: CacheEntry, memo: string | null, plan: Plan): Promise<Found | null> {
    const head = JSON.parse(entry.head) as Omit<Capture, 'body'> // written by entryFor below
    if (!head.tlsVerified && !plan.request.skipTlsVerification) return null
    const derived = memo === null ? null : await blobs.get(memo)
    // With a memo nothing reads the body again.
    const body = derived === null ? await blobs.get(entry.blob) : new Uint8Array()
    if (body === null) return null
    return { entry: entry.id, capture: { ...head, body }, derivation: derived === null ? null : parse<Derivation>(derived) }
  }

  return {
    async find(plan, call) {
      const { oldest, newest } = plan.cache
      if (oldest > newest || oldest === Number.MAX_SAFE_INTEGER) return null
      const hit = await cache.find({ team: call.team, key: captureKey(plan) }, oldest, newest, memoName(plan.derive), now())
      return hit === null ? null : restore(hit.entry, hit.memo, plan)
    },
    async remember(entry, order, derivation, team) {
      const bytes = encode(derivation)
      if (bytes.length <= memoMaxBytes) await cache.addMemo(team, entry, memoName(order), await blobs.put(bytes), bytes.length)
    },
    async entryFor(plan, capture, derivation, call) {
      const { body, ...head } = capture
      const memo = encode(derivation)
      const [blob, memoBlob] = await Promise.all([blobs.put(body), memo.length <= memoMaxBytes ? blobs.put(memo) : null])
      return {
        id: newId(),
        team: call.team,
        key: captureKey(plan),
        fetchedAt: capture.at,
        head: JSON.stringify(head),
        blob,
        bytes: body.length,
        memo: memoBlob === null ? null : { name: memoName(plan.derive), blob: memoBlob, bytes: memo.length },
      }
    },
  }
}
