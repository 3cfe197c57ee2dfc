import { describe, expect, it } from 'vitest'
import type { PageTask } from '../../domain/jobs/pages.ts'
import { eachStore, now } from './fixtures.contract.ts'
import { counts, delivered, failed, hook, newPage, pageEnd, skippedOf, start, take } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

const all = { skip: 0, limit: 1_000, maxBytes: 1e9 }

/** What happens to one of two jobs whose pages have the same numbers, addresses and keys. */
export function jobsApartContract(name: string, subject: Subject): void {
  describe(`two jobs on ${name}`, () => {
    const stores = eachStore(subject)
    const begin = async (terms: Parameters<typeof start>[2] = {}): Promise<void> => {
      for (const id of ['j', 'k']) await start(stores.first, id, { pages: ['a', 'b', 'c'], ...terms })
    }
    const keysOf = (tasks: readonly PageTask[], id: string): readonly string[] => tasks.filter(({ job }) => job === id).map(({ key }) => key)
    const pageOf = (tasks: readonly PageTask[], id: string, key: string): PageTask => {
      const found = tasks.find((task) => task.job === id && task.key === key)
      if (!found) throw new Error('a page')
      return found
    }

    it('have the same pages, of which a redirect or the end of one leaves those of the other as they are', async () => {
      await begin()
      const first = await take(stores.first, 2)
      const a = pageOf(first, 'j', 'a')
      expect(await stores.first.jobs.settle(pageEnd(a, delivered(a, { finalKey: 'b' })))).toBe('settled')
      const later = [...first, ...(await take(stores.first, 9))]
      expect([keysOf(later, 'j'), keysOf(later, 'k')]).toEqual([['a', 'c'], ['a', 'b', 'c']])
      const c = pageOf(later, 'j', 'c')
      await stores.first.jobs.settle(pageEnd(c, failed(c)))
      const [same, other] = [pageOf(later, 'k', 'a'), pageOf(later, 'k', 'c')]
      for (const task of [same, other]) expect(await stores.second.jobs.settle(pageEnd(task))).toBe('settled')
      expect([await counts(stores.first, 'j'), await counts(stores.first, 'k')]).toMatchObject([{ total: 2, completed: 1, failed: 1, state: 'completed' }, { total: 3, completed: 2, failed: 0, state: 'scraping' }])
    })

    it('lose a worker that had pages of both: each gets its own back', async () => {
      await begin()
      expect(await take(stores.first, 9, { worker: 'dead' })).toHaveLength(6)
      const again = await take(stores.second, 9, { worker: 'w' }, now + 2_000)
      expect([keysOf(again, 'j'), keysOf(again, 'k')]).toEqual([['a', 'b', 'c'], ['a', 'b', 'c']])
      expect(await stores.first.jobs.load('a')).toEqual({ waiting: 0, running: 6 })
      expect(await stores.first.jobs.watch(now + 2_000, now + 2_500)).toMatchObject({ seen: 2, repaired: [] })
    })

    it('are given back by a worker that leaves, each with its own pages', async () => {
      await begin()
      expect(await take(stores.first, 9)).toHaveLength(6)
      await stores.second.jobs.leave('w', now)
      expect(await stores.first.jobs.load('a')).toEqual({ waiting: 6, running: 0 })
      expect(await stores.first.jobs.watch(now, now + 60_000)).toMatchObject({ seen: 2, repaired: [] })
    })

    it('put off their own pages, and only those of one that stands still are made due when the clock was set back', async () => {
      await begin()
      const [later, put] = [now + 60_000, { runAt: now + 3_600_000, postponed: true }]
      for (const task of await take(stores.first, 9)) await stores.first.jobs.giveBack(task, put, task.job === 'j' ? now : later)
      expect(await stores.first.jobs.watch(now, later)).toMatchObject({ seen: 1 })
      const due = await take(stores.second, 9, {}, later)
      expect([keysOf(due, 'j'), keysOf(due, 'k')]).toEqual([['a', 'b', 'c'], []])
    })

    it('hold back linked pages of their own until their own sitemaps name them or are read', async () => {
      const deep = { depthLimited: true, depth: 2 } as const // of its type
      for (const id of ['j', 'k']) await start(stores.first, id, { job: { seeding: true }, pages: ['start'] })
      const first = await take(stores.first, 9)
      for (const task of first) await stores.first.jobs.settle(pageEnd(task, delivered(task), { pages: [newPage('near', deep), newPage('far', deep)] }))
      const due = async (): Promise<unknown> => (await take(stores.second, 9)).map(({ job, key, depth }) => [job, key, depth])
      expect([first.length, await due()]).toEqual([2, []])
      await stores.first.jobs.append('j', [newPage('near', { ...deep, depth: 0 })], [], now)
      expect(await due()).toEqual([['j', 'near', 0]])
      await stores.first.jobs.seeded('j', [], 'end', now)
      expect(await due()).toEqual([['j', 'far', 2]])
      await stores.first.jobs.seeded('k', [], 'end', now)
      expect(await due()).toEqual([['k', 'near', 2], ['k', 'far', 2]])
    })

    it('skip URLs for reasons of their own, whatever the other has found', async () => {
      await begin()
      const [late, deep] = [{ url: 'https://site/late', key: 'late', reason: 'depth' }, { url: 'https://site/deep', key: 'deep', reason: 'depth' }] as const // of their types
      await stores.first.jobs.append('j', [], [late, deep], now)
      await stores.first.jobs.append('k', [newPage('late/', { key: 'late' }), newPage('deep')], [late], now)
      const listed = async (id: string): Promise<unknown> => (await skippedOf(stores.second, id)).map(({ url, reason }) => [url, reason])
      expect([await listed('j'), await listed('k')]).toEqual([[[late.url, 'depth'], [deep.url, 'depth']], [[late.url, 'duplicate']]])
    })

    it('end apart: a cancelled one skips its own pages', async () => {
      await begin()
      await stores.first.jobs.append('k', [], [{ url: 'x', reason: 'path' }], now)
      await stores.first.jobs.cancel('j', 'end', now)
      expect([(await skippedOf(stores.first, 'j')).length, await skippedOf(stores.first, 'k')]).toEqual([3, [{ url: 'x', reason: 'path' }]])
      expect(keysOf(await take(stores.second, 9), 'k')).toEqual(['a', 'b', 'c'])
    })

    it('keep results, errors, skipped URLs and deliveries when the other is erased, and when it is swept', async () => {
      await begin({ job: { webhook: hook, retention: 'zero' } })
      for (const id of ['j', 'k']) await stores.first.jobs.append(id, [newPage('d')], [{ url: 'x', reason: 'path' }], now)
      const tasks = await take(stores.first, 9)
      for (const id of ['j', 'k']) {
        await stores.first.jobs.settle(pageEnd(pageOf(tasks, id, 'a')))
        const b = pageOf(tasks, id, 'b')
        await stores.first.jobs.settle(pageEnd(b, failed(b)))
      }
      const left = async (): Promise<readonly unknown[]> => [
        (await stores.second.jobs.results('k', all)).length, (await stores.second.jobs.errors('k', all)).length, await skippedOf(stores.second, 'k'),
        (await stores.second.outbox.list({ job: 'k', limit: 9 })).map(({ type }) => type), (await stores.second.jobs.events('k', 0, 9)).length, await counts(stores.second, 'k'), (await stores.second.jobs.find('k'))?.url,
      ]
      const before = await left()
      expect(before.slice(0, 5)).toEqual([1, 1, [{ url: 'x', reason: 'path' }], ['page', 'page', 'started'], 3])
      await stores.first.jobs.cancel('j', 'end', now)
      expect(await stores.first.jobs.erase('j')).toEqual(['blob-j/a'])
      expect(await left()).toEqual(before)
      await stores.first.sweep(now + 1_000)
      expect([await stores.first.jobs.find('j'), await left()]).toEqual([null, before])
      expect(await stores.first.jobs.settle(pageEnd(pageOf(tasks, 'k', 'c')))).toBe('settled')
    })
  })
}
