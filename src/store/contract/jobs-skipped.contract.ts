import { describe, expect, it } from 'vitest'
import type { SkippedRow } from '../../domain/jobs/pages.ts'
import { eachStore, now } from './fixtures.contract.ts'
import { counts, delivered, failed, newPage, pageEnd, skippedOf, start, take, takeOne } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

const duplicate = (name: string): object => ({ url: `https://site/${name}`, reason: 'duplicate' })
const cancelled = (name: string): object => ({ url: `https://site/${name}`, reason: 'cancelled' })

/** Every URL that was seen but not fetched has a reason. */
export function jobsSkippedContract(name: string, subject: Subject): void {
  describe(`skipped URLs on ${name}`, () => {
    const stores = eachStore(subject)
    /** A page under another spelling. */
    const alike = (key: string, spelling: string) => newPage(key, { url: `https://site/${spelling}` })

    it('include other spellings of known or newly found URLs, each once, but no plain repeats', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b'] })
      const [a, b] = await take(stores.first, 2)
      if (!a || !b) throw new Error('two pages')
      await stores.first.jobs.settle(pageEnd(a, delivered(a), { pages: [newPage('a'), alike('a', 'a/'), newPage('c'), alike('c', 'c/'), newPage('c')] }))
      expect(await skippedOf(stores.first, 'j')).toEqual([duplicate('a/'), duplicate('c/')])
      await stores.second.jobs.append('j', [alike('a', 'a/'), alike('b', 'b\0'), newPage('a'), newPage('c')], [], now)
      expect(await skippedOf(stores.second, 'j')).toEqual([duplicate('a/'), duplicate('c/'), duplicate('b\uFFFD')])
      expect(await counts(stores.first, 'j')).toMatchObject({ total: 3, skipped: 3 })
      expect((await take(stores.first, 9)).map(({ url }) => url)).toEqual(['https://site/c'])
    })

    it('do not include the target of a redirect, nor recalled URLs', async () => {
      await start(stores.first, 'j', { pages: ['a'] })
      const a = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(a, delivered(a, { finalKey: 'new' }), { pages: [newPage('new'), alike('a', 'A'), newPage('b')] }))
      await stores.first.jobs.append('j', [alike('b', 'B')].map((page) => ({ ...page, recalled: true as const })), [], now)
      expect(await skippedOf(stores.first, 'j')).toEqual([duplicate('A')])
    })

    it('include URLs that a batch already has, however they are spelled', async () => {
      await start(stores.first, 'j', { job: { kind: 'batch', limit: 2 }, pages: ['a', 'b'] })
      await stores.first.jobs.append('j', [newPage('a'), alike('b', 'b/'), newPage('c')], [], now)
      expect(await skippedOf(stores.first, 'j')).toEqual([duplicate('a'), duplicate('b/')])
      expect(await stores.first.jobs.find('j')).toMatchObject({ limit: 3, total: 3 })
    })

    it('do not include URLs that were accepted later, unless they were then skipped for a final reason; other spellings become duplicates', async () => {
      await start(stores.first, 'j', { job: { limit: 2 }, pages: ['a'] })
      const deep = ['b', 'c', 'd/', 'e'].map((path) => ({ url: `https://site/${path}`, reason: 'depth' as const, key: path.replace('/', '') }))
      const a = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(a, delivered(a), { skipped: deep, pages: ['b', 'c', 'd'].map((key) => newPage(key)) }))
      expect(await skippedOf(stores.first, 'j')).toEqual([duplicate('d/'), { url: 'https://site/e', reason: 'depth' }])
      expect((await stores.first.jobs.skipped('j', { after: 0, limit: 9, reason: 'duplicate' })).map(({ url }) => url)).toEqual(['https://site/d/'])
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first)))
      expect((await skippedOf(stores.first, 'j')).map(({ url, reason }) => `${url.slice(13)} ${reason}`).sort()).toEqual(['c limit', 'd limit', 'd/ duplicate', 'e depth'])
    })

    it('have the final reason if the URL was accepted later', async () => {
      await start(stores.first, 'j', { pages: ['a'] })
      const a = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(a, delivered(a), { skipped: [{ url: 'https://site/b', key: 'b', reason: 'depth' }], pages: [newPage('b')] }))
      const before = (await counts(stores.first, 'j'))['skipped']
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first), { kind: 'skipped', reason: 'robots' }))
      expect((await stores.first.jobs.skipped('j', { after: 0, limit: 9, reason: 'robots' })).map(({ url }) => url)).toEqual(['https://site/b'])
      expect([before, await counts(stores.first, 'j')]).toMatchObject([1, { skipped: 1 }])
      await start(stores.first, 'k', { pages: ['a'] })
      const link = { url: 'https://site/x', key: 'x' }
      for (const reason of ['external', 'depth', 'excluded', 'depth'] as const) await stores.first.jobs.append('k', [], [reason === 'excluded' ? { url: link.url, reason } : { ...link, reason }], now)
      const home = { url: 'https://else/', reason: 'external' as const }
      for (const more of [{ key: 'else' }, { code: 'EXTERNAL_LINK' }, { code: 'EXTERNAL_LINK' }]) await stores.first.jobs.append('k', [], [{ ...home, ...more }], now)
      expect(await skippedOf(stores.first, 'k')).toEqual([{ url: link.url, reason: 'excluded' }, { ...home, code: 'EXTERNAL_LINK' }])
      expect((await stores.first.jobs.errors('k', { skip: 0, limit: 9 })).map(({ code }) => code)).toEqual(['EXTERNAL_LINK'])
    })

    it('do not include URLs for which there was no room at first', async () => {
      await start(stores.first, 'j', { job: { limit: 1 }, pages: ['a'] })
      const a = await takeOne(stores.first)
      const many = Array.from({ length: 1_003 }, (_, i) => newPage(`l${i}`))
      await stores.first.jobs.settle(pageEnd(a, failed(a), { pages: many }))
      expect(await skippedOf(stores.first, 'j')).toEqual([{ url: 'https://site/l1002', reason: 'limit' }])
      const next = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(next, failed(next), { pages: [newPage('l1002')] }))
      expect(await skippedOf(stores.first, 'j')).toEqual([])
    })

    it('include variants rather than independent pages, which have room for as many more as the limit', async () => {
      await start(stores.first, 'j', { job: { limit: 2 }, pages: ['a'] })
      const a = await takeOne(stores.first)
      const variants = Array.from({ length: 1_003 }, (_, i) => newPage(`v${i}`, { rank: 1 }))
      await stores.first.jobs.settle(pageEnd(a, failed(a), { pages: [...variants, newPage('b'), newPage('c'), newPage('d')] }))
      expect((await skippedOf(stores.first, 'j')).map(({ url }) => url)).toEqual(['https://site/v1002', 'https://site/d'])
      expect((await take(stores.first, 2)).map(({ key }) => key)).toEqual(['b', 'c'])
    })

    it('do not include other spellings of those URLs either', async () => {
      await start(stores.first, 'j', { job: { limit: 1 }, pages: ['a'] })
      const a = await takeOne(stores.first)
      const many = Array.from({ length: 1_002 }, (_, i) => newPage(`l${i}`))
      await stores.first.jobs.settle(pageEnd(a, failed(a), { pages: [...many, newPage('b'), alike('b', 'b/')] }))
      expect((await skippedOf(stores.first, 'j')).map((row) => row.reason)).toEqual(['limit', 'limit'])
      const next = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(next, failed(next), { pages: [alike('b', 'b/')] }))
      expect(await skippedOf(stores.first, 'j')).toEqual([duplicate('b')])
    })

    it('include the pages of a cancelled job: waiting ones at once, running ones as they are released', async () => {
      await start(stores.first, 'j', { job: { kind: 'batch' }, pages: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] })
      const [a, b] = await take(stores.first, 2)
      const [c] = await take(stores.first, 1, { worker: 'leaves' })
      const [d] = await take(stores.first, 1, { worker: 'dies' })
      if (!a || !b || !c || !d) throw new Error('four pages')
      await stores.first.jobs.cancel('j', 'end', now)
      expect(await skippedOf(stores.second, 'j')).toEqual([cancelled('e'), cancelled('f'), cancelled('g')])
      await stores.first.jobs.settle(pageEnd(a))
      await stores.first.jobs.giveBack(b, { runAt: now, postponed: false }, now)
      await stores.first.jobs.leave('leaves', now)
      await take(stores.first, 9, {}, now + 60_000)
      expect(await skippedOf(stores.second, 'j')).toEqual(['e', 'f', 'g', 'a', 'b', 'c', 'd'].map((key) => cancelled(key)))
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'cancelled', total: 7, skipped: 7 })
    })

    it('include all pages of a large cancelled job, in the order of their discovery', async () => {
      const keys = Array.from({ length: 2_500 }, (_, i) => `p${i}`)
      await start(stores.first, 'j', { job: { kind: 'batch', limit: 2_500 }, pages: keys })
      await takeOne(stores.first)
      expect(await Promise.all([stores.first.jobs.cancel('j', 'end', now), stores.second.jobs.cancel('j', 'end too', now)])).toEqual(['cancelled', 'cancelled'])
      const listed = await stores.second.jobs.skipped('j', { after: 0, limit: 9_000 })
      expect(listed.map(({ url }) => url)).toEqual(keys.slice(1).map((key) => `https://site/${key}`))
      expect([await counts(stores.first, 'j'), await stores.first.jobs.load('a')]).toMatchObject([{ state: 'cancelled', total: 2_500, skipped: 2_499, lastEvent: 2 }, { waiting: 0, running: 1 }])
    })

    it('include all pages of a large cancelled job from the moment of its cancellation', async () => {
      const keys = Array.from({ length: 4_500 }, (_, i) => `p${i}`)
      await start(stores.first, 'j', { job: { kind: 'crawl', limit: 9_000 }, pages: keys.slice(0, 4_400) })
      // One was skipped until it was accepted later, and is waiting; one is a duplicate for good.
      await stores.first.jobs.append('j', [], [{ url: 'https://site/p4450', key: 'p4450', reason: 'depth' }, { url: 'https://site/x', reason: 'excluded' }], now)
      await stores.first.jobs.append('j', [...keys.slice(4_400).map((key, i) => newPage(key, { rank: i % 3 })), alike('p1', 'p1/')], [], now)
      const all = async (): Promise<readonly SkippedRow[]> => stores.second.jobs.skipped('j', { after: 0, limit: 9_000 })
      const lists: (readonly SkippedRow[])[] = []
      const cancelling = stores.first.jobs.cancel('j', 'end', now)
      for (let over = false; !over; ) {
        if ((await counts(stores.second, 'j'))['state'] === 'cancelled') lists.push(await all())
        over = await Promise.race([cancelling.then(() => true), new Promise<false>((resolve) => setImmediate(() => resolve(false)))])
      }
      const last = await all()
      expect(last.map(({ reason }) => reason).filter((reason) => reason === 'cancelled')).toHaveLength(4_500)
      expect(last).toHaveLength(4_502)
      // An embedded store on this thread allows no reads in between.
      for (const list of lists) expect(list).toEqual(last)
    })

    it('include the pages of a job that ended as failed', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b'] })
      await stores.first.jobs.fail('j', 'no luck', 'end', now)
      expect(await skippedOf(stores.first, 'j')).toEqual([cancelled('a'), cancelled('b')])
    })
  })
}
