import { describe, expect, it } from 'vitest'
import { caching, eachStore, entry, now, together } from './fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

const page = { team: 'a', key: 'page' }

/** Captures and memoized outputs. */
export function cacheContract(name: string, subject: Subject): void {
  describe(`cache on ${name}`, () => {
    const stores = eachStore(subject)
    const newest = async (memo = 'markdown'): Promise<unknown> => stores.first.cache.find(page, 0, now + 1_000, memo, now)

    it('finds an entry within the requested ages, inclusive', async () => {
      await stores.first.results.settle(caching(entry('e1')))
      const found = { entry: entry('e1'), memo: null }
      expect(await stores.first.cache.find(page, now, now, 'markdown', now)).toEqual(found)
      expect(await stores.second.cache.find(page, now - 5, now + 5, 'markdown', now)).toEqual(found)
      expect(await stores.first.cache.find(page, now + 1, now + 5, 'markdown', now)).toBeNull()
      expect(await stores.first.cache.find(page, 0, now - 1, 'markdown', now)).toBeNull()
    })

    it('separates the entries of teams', async () => {
      await stores.first.results.settle(caching(entry('e1')))
      expect(await stores.first.cache.find({ team: 'b', key: 'page' }, 0, now, 'markdown', now)).toBeNull()
      expect(await stores.first.cache.find({ team: 'a', key: 'other' }, 0, now, 'markdown', now)).toBeNull()
    })

    it('counts the sizes of teams that have the same page apart', async () => {
      const theirs = (id: string, fetchedAt: number): Promise<unknown> => stores.first.results.settle(caching(entry(id, { team: 'b', fetchedAt })))
      await stores.first.results.settle(caching(entry('e1')))
      await theirs('e2', now)
      await stores.first.cache.addMemo('a', 'e1', 'markdown', 'm', 10)
      await theirs('e3', now + 1)
      expect([await stores.second.cache.evict(210), await stores.second.cache.evict(209)]).toEqual([0, 1])
      // The older one of the two, and nothing of the other team.
      expect([await newest(), (await stores.first.cache.find({ ...page, team: 'b' }, 0, now + 1, 'markdown', now))?.entry.id]).toEqual([null, 'e3'])
    })

    it('replaces an older capture by a newer one, including its memos', async () => {
      await stores.first.results.settle(caching(entry('e1'), { name: 'markdown', blob: 'old', bytes: 1 }))
      await stores.first.results.settle(caching(entry('e2', { fetchedAt: now + 1 })))
      expect(await newest()).toEqual({ entry: entry('e2', { fetchedAt: now + 1 }), memo: null })
      expect([...(await stores.first.blobsInUse(['body-e1', 'old', 'body-e2']))]).toEqual(['body-e2'])
    })

    it('replaces a capture by another of the same moment', async () => {
      await stores.first.results.settle(caching(entry('e1')))
      await stores.first.results.settle(caching(entry('e2')))
      expect(await newest()).toEqual({ entry: entry('e2'), memo: null })
    })

    it('renews an entry that its site has confirmed, and keeps its memos', async () => {
      await stores.first.results.settle(caching(entry('e1', { fetchedAt: now - 5 }), { name: 'markdown', blob: 'm', bytes: 7 }))
      await stores.first.results.settle(caching(entry('e1', { head: '{"etag":2}' }), { name: 'links', blob: 'l', bytes: 5 }))
      await stores.second.results.settle(caching(entry('e1', { fetchedAt: now - 1, head: '{"etag":1}' })))
      const renewed = entry('e1', { head: '{"etag":2}' })
      expect([await newest('markdown'), await newest('links')]).toEqual([{ entry: renewed, memo: 'm' }, { entry: renewed, memo: 'l' }])
      expect(await stores.first.cache.evict(112)).toBe(0)
      await stores.first.results.settle(caching(entry('e1', { fetchedAt: now + 1 })))
      expect(await stores.first.cache.evict(112)).toBe(0)
      expect(await stores.first.cache.evict(111)).toBe(1)
    })

    it('keeps a screenshot as long as its capture', async () => {
      const shot = { name: 'shot', blob: 'picture', bytes: 50 }
      const { cache, ...rest } = caching(entry('e1'), { name: 'markdown', blob: 'm', bytes: 7 })
      await stores.first.results.settle({ ...rest, cache: cache && { ...cache, shot } })
      expect([...(await stores.second.blobsInUse(['picture', 'm']))].sort()).toEqual(['m', 'picture'])
      expect(await stores.first.cache.evict(157)).toBe(0)
      await stores.first.results.settle(caching(entry('e2', { fetchedAt: now + 1 })))
      expect((await stores.first.blobsInUse(['picture'])).size).toBe(0)
    })

    it('keeps the newer capture when an older one arrives late', async () => {
      await stores.first.results.settle(caching(entry('e1'), { name: 'markdown', blob: 'memo', bytes: 1 }))
      await stores.first.results.settle(caching(entry('e0', { fetchedAt: now - 1 }), { name: 'markdown', blob: 'late', bytes: 1 }))
      expect(await newest()).toEqual({ entry: entry('e1'), memo: 'memo' })
    })

    it('keeps one entry, the newest, when a page is stored many times at once', async () => {
      await together(stores, (store, i) => store.results.settle(caching(entry(`e${i}`, { fetchedAt: now + i }), { name: 'markdown', blob: `memo${i}`, bytes: 1 })))
      expect(await newest()).toEqual({ entry: entry('e19', { fetchedAt: now + 19 }), memo: 'memo19' })
      expect((await stores.first.blobsInUse(Array.from({ length: 20 }, (_, i) => `body-e${i}`))).size).toBe(1)
    })

    it('adds memos by name and returns the requested one', async () => {
      await stores.first.results.settle(caching(entry('e1')))
      await stores.first.cache.addMemo('a', 'e1', 'markdown', 'm1', 10)
      await stores.first.cache.addMemo('a', 'e1', 'links', 'l1', 10)
      await stores.first.cache.addMemo('a', 'e1', 'markdown', 'm2', 10)
      expect(await newest('markdown')).toEqual({ entry: entry('e1'), memo: 'm2' })
      expect(await newest('links')).toEqual({ entry: entry('e1'), memo: 'l1' })
      expect(await newest('html')).toEqual({ entry: entry('e1'), memo: null })
    })

    it('adds no memo to an entry that is gone, or belongs to another team', async () => {
      await stores.first.results.settle(caching(entry('e1')))
      await stores.first.results.settle(caching(entry('e2', { fetchedAt: now + 1 })))
      await stores.first.cache.addMemo('a', 'e1', 'markdown', 'm1', 10)
      await stores.first.cache.addMemo('b', 'e2', 'markdown', 'm1', 10)
      expect(await newest()).toEqual({ entry: entry('e2', { fetchedAt: now + 1 }), memo: null })
      expect((await stores.first.blobsInUse(['m1'])).size).toBe(0)
    })

    it('evicts the least recently used entries until the rest fits, including memos', async () => {
      for (const [i, key] of ['p0', 'p1', 'p2', 'p3'].entries()) await stores.first.results.settle(caching(entry(`e${i}`, { key, fetchedAt: now + i })))
      await stores.first.cache.addMemo('a', 'e3', 'markdown', 'm', 100)
      await stores.first.cache.find({ team: 'a', key: 'p0' }, 0, now + 9, 'markdown', now + 50)
      expect(await stores.first.cache.evict(500)).toBe(0)
      expect(await stores.first.cache.evict(499)).toBe(1)
      expect(await stores.first.cache.evict(300)).toBe(1)
      const left = await Promise.all(['p0', 'p1', 'p2', 'p3'].map(async (key) => (await stores.first.cache.find({ team: 'a', key }, 0, now + 9, 'markdown', now)) !== null))
      expect(left).toEqual([true, false, false, true])
      expect(await stores.first.cache.evict(0)).toBe(2)
      expect(await stores.first.cache.evict(0)).toBe(0)
      expect((await stores.first.blobsInUse(['m', 'body-e0', 'body-e3'])).size).toBe(0)
    })

    it('evicts more than one batch if necessary', async () => {
      const keys = Array.from({ length: 1_200 }, (_, i) => `p${i}`)
      // Not all at once: a call that waits five seconds for a connection fails because the server seems to be down.
      for (let at = 0; at < keys.length; at += 100) await Promise.all(keys.slice(at, at + 100).map((key) => stores.first.results.settle(caching(entry(`e-${key}`, { key, bytes: 1 })))))
      expect(await stores.first.cache.evict(100)).toBe(1_100)
    })
  })
}
