import { afterEach, beforeEach } from 'vitest'
import type { CacheEntry } from '../../domain/pages/page-cache.ts'
import type { NewTask } from '../../domain/queue.ts'
import type { Settlement, StoredResult } from '../../domain/pages/results.ts'
import type { Store } from '../../domain/store.ts'
import type { Subject } from './subject.contract.ts'

/** An arbitrary time; tests advance it manually. */
export const now = Date.UTC(2026, 10, 20, 12)

/** Opens an empty store before each test and closes it after; `second` is the view of another process. */
export function eachStore(subject: Subject): { readonly first: Store; readonly second: Store } {
  let open: { first: Store; second: Store } | undefined
  beforeEach(async () => {
    const first = await subject.open()
    open = { first, second: await subject.another() }
  })
  afterEach(async () => {
    await open?.second.close()
    await open?.first.close()
  })
  const current = (): { first: Store; second: Store } => {
    if (!open) throw new Error('The store is open within tests only.')
    return open
  }
  return {
    get first() {
      return current().first
    },
    get second() {
      return current().second
    },
  }
}

/** Makes twenty concurrent calls, alternating between the stores. */
export async function together<T>(stores: { readonly first: Store; readonly second: Store }, call: (store: Store, i: number) => Promise<T>): Promise<readonly T[]> {
  const all = <R>(one: (store: Store, i: number) => Promise<R>): Promise<readonly R[]> =>
    Promise.all(Array.from({ length: 20 }, (_, i) => one(i % 2 === 0 ? stores.first : stores.second, i)))
  // Connect first: otherwise calls would wait for connections and not be concurrent.
  await all((store) => store.ping())
  return all(call)
}

/** A sample result. */
export function result(id: string, more: Partial<StoredResult> = {}): StoredResult {
  return { id, team: 'a', kind: 'scrape', blob: `blob-${id}`, frame: `{"id":"${id}"}`, request: '{"url":"https://example.com/"}', createdAt: now, expiresAt: now + 1_000, ...more }
}

/** A sample cache entry. */
export function entry(id: string, more: Partial<CacheEntry> = {}): CacheEntry {
  return { team: 'a', key: 'page', id, fetchedAt: now, head: '{"status":200}', blob: `body-${id}`, bytes: 100, ...more }
}

/** A settlement that only stores a cache entry. */
export function caching(cached: CacheEntry, memo: NonNullable<Settlement['cache']>['memo'] = null): Settlement {
  return { team: cached.team, result: null, charge: null, cache: { ...cached, memo } }
}

/** A sample task. */
export function task(id: string, more: Partial<NewTask> = {}): NewTask {
  return { id, team: 'a', kind: 'scrape', priority: 0, runAt: now, payload: '{}', maxAttempts: 3, createdAt: now, ...more }
}
