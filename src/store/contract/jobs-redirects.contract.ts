import { describe, expect, it } from 'vitest'
import type { PageTask } from '../../domain/jobs/pages.ts'
import { eachStore, entry, now } from './fixtures.contract.ts'
import { counts, delivered, failed, newPage, pageEnd, skippedOf, start, take, takeOne } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

const all = { skip: 0, limit: 1_000, maxBytes: 1e9 }

/** Which page delivers a URL that several lead to. */
export function jobsRedirectsContract(name: string, subject: Subject): void {
  describe(`pages that were redirected on ${name}`, () => {
    const stores = eachStore(subject)
    const urls = async (): Promise<readonly string[]> => (await stores.second.jobs.results('j', all)).map((row) => row.url)
    const two = async (): Promise<readonly [PageTask, PageTask]> => {
      await start(stores.first, 'j', { pages: ['a', 'b'] })
      const [a, b] = await take(stores.first, 2)
      if (!a || !b) throw new Error('two pages')
      return [a, b]
    }
    /** Has `a` deliver `b`, which another worker holds. */
    const overtaken = async (): Promise<PageTask> => {
      await start(stores.first, 'j', { pages: ['a', 'b'] })
      const a = await takeOne(stores.first)
      const b = await takeOne(stores.first, { worker: 'v' })
      expect(await stores.first.jobs.settle(pageEnd(a, delivered(a, { finalKey: 'b' }), { pages: [newPage('c')] }))).toBe('settled')
      return b
    }
    const left = async (at = now): Promise<readonly string[]> => (await take(stores.first, 9, {}, at)).map(({ key }) => key)

    it('of a URL that was delivered are duplicates: no result, no event, no charge', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b', 'c'] })
      const [a, b, c] = await take(stores.first, 3)
      if (!a || !b || !c) throw new Error('three pages')
      const cached = { settlement: { cache: { ...entry('e'), memo: null } } }
      expect(await stores.first.jobs.settle(pageEnd(a))).toBe('settled')
      expect(await stores.first.jobs.settle(pageEnd(b, delivered(b, { finalKey: 'a', ...cached })))).toBe('duplicate')
      expect(await stores.first.jobs.settle(pageEnd(c, delivered(c, { finalKey: 'a' }), { pages: [newPage('d')] }))).toBe('duplicate')
      expect(await urls()).toEqual(['https://site/a'])
      expect(await skippedOf(stores.first, 'j')).toEqual([{ url: 'https://site/b', reason: 'duplicate' }, { url: 'https://site/c', reason: 'duplicate' }])
      expect(await counts(stores.first, 'j')).toEqual({ state: 'scraping', total: 2, completed: 1, failed: 0, skipped: 2, creditsUsed: 1, lastEvent: 2 })
      expect((await stores.first.cache.find({ team: 'a', key: 'page' }, 0, now, 'm', now))?.entry.id).toBe('e')
      expect(await stores.first.results.find('j/b')).toBeNull()
    })

    it('of a URL in flight elsewhere deliver it: whatever becomes of the other fetch, the page is there once, and no error', async () => {
      await start(stores.first, 'j', { pages: ['moved', 'fails', 'from', 'answers', 'late'], job: { limit: 9 } })
      const [moved, fails, from, answers, late] = await take(stores.first, 5)
      if (!moved || !fails || !from || !answers || !late) throw new Error('five pages')
      expect(await stores.first.jobs.settle(pageEnd(moved, delivered(moved, { finalKey: 'fails' })))).toBe('settled')
      expect(await stores.second.jobs.settle(pageEnd(from, delivered(from, { finalKey: 'answers' })))).toBe('settled')
      expect(await stores.first.jobs.settle(pageEnd(late, delivered(late, { finalKey: 'fails' })))).toBe('duplicate')
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'scraping', total: 4, completed: 2 })
      expect(await stores.second.jobs.settle(pageEnd(fails, failed(fails), { pages: [newPage('d')] }))).toBe('duplicate')
      expect(await stores.first.jobs.settle(pageEnd(answers))).toBe('duplicate')
      expect(await urls()).toEqual(['https://site/moved', 'https://site/from'])
      expect(await stores.first.jobs.errors('j', all)).toEqual([])
      expect(await skippedOf(stores.first, 'j')).toEqual([{ url: 'https://site/late', reason: 'duplicate' }])
      const d = await takeOne(stores.first)
      expect(await stores.first.jobs.settle(pageEnd(d))).toBe('settled')
      expect(await counts(stores.first, 'j')).toEqual({ state: 'completed', total: 3, completed: 3, failed: 0, skipped: 1, creditsUsed: 3, lastEvent: 5 })
    })

    it('of a URL in flight that then leads elsewhere deliver both', async () => {
      const [a, b] = await two()
      expect(await stores.first.jobs.settle(pageEnd(a, delivered(a, { finalKey: 'b' })))).toBe('settled')
      expect(await stores.first.jobs.settle(pageEnd(b, delivered(b, { finalKey: 'c' }), { pages: [newPage('d')] }))).toBe('settled')
      expect(await urls()).toEqual(['https://site/a', 'https://site/b'])
      await stores.first.jobs.watch(now + 100_000, now + 100_000)
      expect(await counts(stores.first, 'j')).toMatchObject({ total: 3, completed: 2, failed: 0 })
    })

    it('of a URL whose own fetch led elsewhere deliver it, once', async () => {
      await start(stores.first, 'j', { pages: ['b', 'a', 'late', 'other'] })
      const [b, a, late, other] = await take(stores.first, 4)
      if (!b || !a || !late || !other) throw new Error('four pages')
      expect(await stores.first.jobs.settle(pageEnd(b, delivered(b, { finalKey: 'c' })))).toBe('settled')
      expect(await stores.second.jobs.settle(pageEnd(a, delivered(a, { finalKey: 'b' })))).toBe('settled')
      expect(await stores.first.jobs.settle(pageEnd(late, delivered(late, { finalKey: 'b' })))).toBe('duplicate')
      expect(await stores.second.jobs.settle(pageEnd(other, delivered(other, { finalKey: 'c' }), { pages: [newPage('d')] }))).toBe('duplicate')
      expect(await urls()).toEqual(['https://site/b', 'https://site/a'])
      expect(await skippedOf(stores.first, 'j')).toEqual([{ url: 'https://site/late', reason: 'duplicate' }, { url: 'https://site/other', reason: 'duplicate' }])
      expect((await stores.first.jobs.watch(now + 100_000, now + 100_000)).repaired).toEqual([])
      expect(await counts(stores.first, 'j')).toMatchObject({ total: 3, completed: 2, failed: 0, skipped: 2 })
    })

    it('of a URL in flight that then leads elsewhere are the last to deliver it', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b', 'late'] })
      const [a, b, late] = await take(stores.first, 3)
      if (!a || !b || !late) throw new Error('three pages')
      await stores.first.jobs.settle(pageEnd(a, delivered(a, { finalKey: 'b' })))
      await stores.first.jobs.settle(pageEnd(b, delivered(b, { finalKey: 'c' })))
      expect(await stores.first.jobs.settle(pageEnd(late, delivered(late, { finalKey: 'b' })))).toBe('duplicate')
      expect(await urls()).toEqual(['https://site/a', 'https://site/b'])
    })

    it('of a URL that is waiting deliver it, too', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b', 'c'] })
      const a = await takeOne(stores.first)
      expect(await stores.first.jobs.settle(pageEnd(a, delivered(a, { finalKey: 'b' })))).toBe('settled')
      const c = await takeOne(stores.first)
      expect(c.key).toBe('c')
      expect(await stores.first.jobs.settle(pageEnd(c, delivered(c, { finalKey: 'b' })))).toBe('duplicate')
      expect(await urls()).toEqual(['https://site/a'])
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'completed', total: 1, completed: 1, skipped: 1 })
    })

    it('of a new URL record it, so that it is not fetched', async () => {
      const [a, b] = await two()
      await stores.first.jobs.settle(pageEnd(a, delivered(a, { finalKey: 'new' }), { pages: [newPage('new'), newPage('c')] }))
      expect(await stores.first.jobs.settle(pageEnd(b, delivered(b, { finalKey: 'new' })))).toBe('duplicate')
      expect((await take(stores.first, 9)).map((t) => t.key)).toEqual(['c'])
      expect(await counts(stores.first, 'j')).toMatchObject({ total: 2, completed: 1 })
    })

    it('of a URL that failed before deliver it, once', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b', 'c'] })
      const [a, b, c] = await take(stores.first, 3)
      if (!a || !b || !c) throw new Error('three pages')
      await stores.first.jobs.settle(pageEnd(a, failed(a)))
      expect(await stores.first.jobs.settle(pageEnd(b, delivered(b, { finalKey: 'a' })))).toBe('settled')
      expect(await stores.first.jobs.settle(pageEnd(c, delivered(c, { finalKey: 'a' })))).toBe('duplicate')
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'completed', total: 2, completed: 1, failed: 1, skipped: 1 })
    })

    it('leave nothing to fetch of a page that is given back', async () => {
      const b = await overtaken()
      expect(await stores.first.jobs.giveBack(b, { runAt: now, postponed: true }, now)).toBe(false)
      expect(await left()).toEqual(['c'])
      expect(await counts(stores.first, 'j')).toMatchObject({ total: 2, completed: 1, failed: 0, skipped: 0 })
    })

    it('leave nothing to fetch of a page whose worker leaves', async () => {
      await overtaken()
      await stores.first.jobs.leave('v', now)
      expect(await left()).toEqual(['c'])
      expect(await counts(stores.first, 'j')).toMatchObject({ total: 2, completed: 1, failed: 0, skipped: 0 })
    })

    it('leave nothing to fetch of a page whose worker died, and no error', async () => {
      await overtaken()
      expect(await left(now + 2_000)).toEqual(['c'])
      expect(await counts(stores.first, 'j')).toMatchObject({ total: 2, completed: 1, failed: 0, skipped: 0 })
      expect(await stores.first.jobs.errors('j', all)).toEqual([])
    })

    it('are not listed as cancelled when the job ends while the overtaken page is under way', async () => {
      const b = await overtaken()
      await stores.first.jobs.cancel('j', 'end', now)
      expect(await stores.first.jobs.settle(pageEnd(b))).toBe('lost')
      expect(await skippedOf(stores.first, 'j')).toEqual([{ url: 'https://site/c', reason: 'cancelled' }])
    })
  })
}
