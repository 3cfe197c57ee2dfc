import { describe, expect, it } from 'vitest'
import type { PageTask } from '../../domain/jobs/pages.ts'
import { eachStore, now, task as queued } from './fixtures.contract.ts'
import { counts, delivered, hook, pageEnd, start, take, takeOne } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

const all = { skip: 0, limit: 1_000, maxBytes: 1e9 }
const minute = 60_000

/** Leases of pages, and the recovery of lost pages. */
export function jobsLeasesContract(name: string, subject: Subject): void {
  describe(`page leases on ${name}`, () => {
    const stores = eachStore(subject)
    const takeBy = (worker: string, at: number, limit = 1): Promise<readonly PageTask[]> => take(stores.first, limit, { worker }, at)

    it('hold as long as the worker sends heartbeats', async () => {
      await start(stores.first, 'j')
      const [held] = await takeBy('w', now)
      await stores.first.jobs.beat('w', now + 5_000, now)
      expect(await takeBy('v', now + 4_999)).toEqual([])
      if (!held) throw new Error('a page')
      const [again] = await takeBy('v', now + 5_000)
      expect(again).toMatchObject({ seq: 1, attempt: 2, postponed: 0 })
      expect(await stores.first.jobs.settle(pageEnd(held))).toBe('lost')
      expect(await stores.second.jobs.settle(pageEnd(again ?? held))).toBe('settled')
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'completed', completed: 1, creditsUsed: 1 })
    })

    it('do not count against a page as long as other pages were in flight beside it', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b'] })
      for (let i = 0; i < 5; i++) expect((await takeBy(`w${i}`, now + i * 2_000, 9)).map(({ attempt }) => attempt)).toEqual([i + 1, i + 1])
      for (let i = 5; i < 8; i++) expect((await takeBy(`w${i}`, now + i * 2_000))[0]).toMatchObject({ key: 'a', attempt: i + 1 })
      expect((await takeBy('w8', now + 16_000, 9)).map(({ key }) => key)).toEqual(['b'])
      expect(await counts(stores.first, 'j')).toMatchObject({ failed: 1 })
    })

    it('end for pages that have had twelve workers, whatever was in flight beside them', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b'] })
      for (let i = 0; i < 12; i++) expect((await takeBy(`w${i}`, now + i * 2_000, 9)).map(({ attempt }) => attempt)).toEqual([i + 1, i + 1])
      expect(await takeBy('w12', now + 24_000, 9)).toEqual([])
      expect((await stores.first.jobs.errors('j', all)).map(({ code, error }) => [code, error])).toEqual([0, 1].map(() => ['SCRAPE_RETRY_LIMIT', 'The page ended the worker that fetched it 12 times.']))
    })

    it('of a dead worker count for the pause between pages: the site may have been asked', async () => {
      await start(stores.first, 'j', { job: { delayMs: 5_000 } })
      await takeBy('dead', now)
      expect(await takeBy('w', now + 2_000)).toEqual([])
      expect(await takeBy('w', now + 6_999)).toEqual([])
      expect((await takeBy('w', now + 7_000)).map(({ attempt }) => attempt)).toEqual([2])
    })

    it('end for a page that has had three workers: it fails, and the job goes on', async () => {
      await start(stores.first, 'j', { pages: ['poison', 'good'], job: { webhook: hook } })
      const attempts = []
      for (let i = 0; i < 3; i++) attempts.push((await takeBy(`w${i}`, now + i * 2_000))[0]?.attempt)
      expect(attempts).toEqual([1, 2, 3])
      expect((await takeBy('w3', now + 6_000, 9)).map((t) => t.key)).toEqual(['good'])
      const failure = { id: expect.any(String), at: now + 6_000, url: 'https://site/poison', code: 'SCRAPE_RETRY_LIMIT', error: 'The page ended the worker that fetched it 3 times.' }
      expect(await stores.first.jobs.errors('j', all)).toEqual([failure])
      expect(await stores.first.jobs.events('j', 1, 9)).toEqual([{ job: 'j', seq: 2, id: expect.any(String), type: 'page', at: now + 6_000, page: null, failure }])
      expect((await stores.first.outbox.list({ limit: 9 })).map((row) => row.type)).toEqual(['page', 'started'])
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'scraping', total: 2, failed: 1 })
    })

    it('end for a start that has had three workers, and its sitemaps are read at once', async () => {
      await start(stores.first, 'j', { job: { seeding: true, recalls: true }, pages: ['poison', 'good'] })
      await stores.first.queue.push([queued('j', { kind: 'crawl-seed', runAt: now + 10 * minute })])
      for (let i = 0; i < 3; i++) await takeBy(`w${i}`, now + i * 2_000)
      const [good] = await takeBy('w3', now + 6_000, 9)
      expect(await stores.first.queue.take('w', ['crawl-seed'], 9, 1, now + 6_000)).toMatchObject([{ id: 'j' }])
      expect(await stores.first.jobs.find('j')).toMatchObject({ failed: 1, start: 'https://site/poison' })
      // Like after any other failure of the start, nothing that was tracked before is missed.
      if (good) await stores.first.jobs.settle(pageEnd(good, delivered(good), { now: now + 6_000 }))
      await stores.first.jobs.seeded('j', [], 'end', now + 6_000)
      expect(await stores.first.jobs.find('j')).toMatchObject({ state: 'completed', completed: 1 })
    })

    it('end the job with its last page if that has had three workers', async () => {
      await start(stores.first, 'j', { job: { kind: 'batch' }, pages: ['poison'] })
      for (let i = 0; i < 4; i++) await takeBy(`w${i}`, now + i * 2_000)
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'completed', failed: 1, completed: 0, lastEvent: 3 })
    })

    it('can be listed by their holder', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b', 'c'] })
      await start(stores.first, 'k', { pages: ['a'] })
      const held = await takeBy('w', now, 3)
      const [other] = await takeBy('v', now)
      const shown = (tasks: readonly PageTask[]): unknown => tasks.map(({ job, seq, token }) => ({ job, seq, token }))
      const inOrder = [...held].sort((a, b) => a.job.localeCompare(b.job) || a.seq - b.seq)
      expect(await stores.second.jobs.leasedTo('w')).toEqual(shown(inOrder))
      for (const task of held) await stores.first.jobs.settle(pageEnd(task))
      expect(await stores.second.jobs.leasedTo('w')).toEqual([])
      expect(await stores.second.jobs.leasedTo('v')).toEqual(other && shown([other]))
    })

    it('are given back at once by a worker that leaves, as if they had never been taken', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b'] })
      await start(stores.first, 'k', { pages: ['a'] })
      const held = await takeBy('w', now, 9)
      await takeBy('v', now)
      await stores.second.jobs.leave('w', now)
      await stores.second.jobs.leave('unknown', now)
      expect((await takeBy('v', now, 9)).map(({ job, key, attempt }) => [job, key, attempt]).sort()).toEqual([['j', 'a', 1], ['j', 'b', 1], ['k', 'a', 1]])
      expect(await Promise.all(held.map((task) => stores.first.jobs.settle(pageEnd(task))))).toEqual(['lost', 'lost', 'lost'])
      // The worker has left: it takes nothing before its next heartbeat.
      expect(await stores.first.jobs.take({ worker: 'w', limit: 9, teamPlaces: 99, busyHosts: [], crowdedHosts: new Map(), running: {} }, now)).toEqual([])
    })

    it('can be given back page by page, without counting as an attempt, but not with an old token', async () => {
      await start(stores.first, 'j')
      const task = await takeOne(stores.first)
      expect(await stores.first.jobs.giveBack({ ...task, token: 'old' }, { runAt: now, postponed: true }, now)).toBe(false)
      expect(await stores.first.jobs.giveBack(task, { runAt: now + 9, postponed: true }, now)).toBe(true)
      expect(await stores.first.jobs.giveBack(task, { runAt: now, postponed: true }, now)).toBe(false)
      expect(await stores.first.jobs.load('a')).toEqual({ waiting: 1, running: 0 })
      const again = await takeOne(stores.first, {}, now + 9)
      expect(again).toMatchObject({ attempt: 1, postponed: 1 })
      await stores.first.jobs.giveBack(again, { runAt: now + 9, postponed: false }, now + 9)
      expect(await takeOne(stores.first, {}, now + 9)).toMatchObject({ attempt: 1, postponed: 1 })
    })

    it('of a cancelled job free their slots, however they end', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b', 'c'] })
      const [a] = await takeBy('w', now)
      await takeBy('v', now)
      await takeBy('u', now)
      await stores.first.jobs.cancel('j', 'end', now)
      if (!a) throw new Error('a page')
      expect(await stores.first.jobs.giveBack(a, { runAt: now, postponed: false }, now)).toBe(false)
      expect(await stores.first.jobs.load('a')).toEqual({ waiting: 0, running: 2 })
      await stores.first.jobs.leave('v', now)
      expect(await stores.first.jobs.load('a')).toEqual({ waiting: 0, running: 1 })
      expect(await takeBy('w', now + 2_000, 9)).toEqual([])
      expect(await stores.first.jobs.load('a')).toEqual({ waiting: 0, running: 0 })
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'cancelled', total: 3, failed: 0, lastEvent: 2 })
    })

    it('go to one taker each when many find that a worker is dead', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b', 'c', 'd'] })
      await takeBy('dead', now, 9)
      const later = now + 2_000
      const taken = (await Promise.all(Array.from({ length: 8 }, (_, i) => take(i % 2 === 0 ? stores.first : stores.second, 3, { worker: `w${i}` }, later)))).flat()
      expect(taken.map(({ key, attempt }) => [key, attempt]).sort()).toEqual([['a', 2], ['b', 2], ['c', 2], ['d', 2]])
      expect(await counts(stores.first, 'j')).toMatchObject({ total: 4 })
    })
  })
}
