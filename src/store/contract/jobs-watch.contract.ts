import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../domain/jobs/outbox.ts'
import { eachStore, now, task as queued } from './fixtures.contract.ts'
import { counts, delivered, failed, hook, newJob, newPage, pageEnd, skippedOf, start, take, takeOne } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

const all = { skip: 0, limit: 1_000, maxBytes: 1e9 }
const minute = 60_000

/** The check of jobs that stand still, and the deletion of expired ones. */
export function jobsWatchContract(name: string, subject: Subject): void {
  describe(`the watchdog on ${name}`, () => {
    const stores = eachStore(subject)

    it('leaves jobs with progress alone, and checks others once in a while', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b'] })
      const nothing = { seen: 0, repaired: [], unseeded: [], ended: [] }
      expect(await stores.first.jobs.watch(now - 1, now + minute)).toEqual(nothing)
      expect(await stores.first.jobs.watch(now, now + minute)).toEqual({ ...nothing, seen: 1 })
      expect(await stores.first.jobs.watch(now + minute - 1, now + minute)).toEqual(nothing)
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'scraping', total: 2 })
      const task = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(task, delivered(task), { now: now + 2 * minute }))
      expect(await stores.first.jobs.watch(now + minute, now + 3 * minute)).toEqual(nothing)
    })

    it('counts a page that answered from another address once', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b'] })
      const task = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(task, delivered(task, { finalKey: 'elsewhere' })))
      expect(await stores.first.jobs.watch(now, now + minute)).toMatchObject({ seen: 1, repaired: [] })
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'scraping', total: 2, completed: 1 })
    })

    it('frees the pages of dead workers, and ends jobs that are then done', async () => {
      await start(stores.first, 'j', { job: { kind: 'batch' }, pages: ['a'] })
      for (let i = 0; i < 3; i++) await take(stores.first, 1, { worker: `w${i}` }, now + i * 2_000)
      expect(await stores.first.jobs.watch(now, now + minute)).toEqual({ seen: 1, repaired: [], unseeded: [], ended: ['j'] })
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'completed', failed: 1 })
    })

    it('continues without the sitemaps if their task is gone, with a warning', async () => {
      await start(stores.first, 'gone', { job: { seeding: true }, pages: [] })
      await start(stores.first, 'there', { job: { seeding: true }, pages: [] })
      await start(stores.first, 'failed', { job: { seeding: true }, pages: ['a'] })
      await stores.first.queue.push([queued('there', { kind: 'crawl-seed' }), queued('failed', { kind: 'crawl-seed', maxAttempts: 1, priority: -1 })])
      await stores.first.queue.take('w', ['crawl-seed'], 1, 1, now)
      await stores.first.queue.take('w', ['other'], 1, 1, now + 5)
      const seen = await stores.first.jobs.watch(now, now + minute)
      expect({ ...seen, unseeded: [...seen.unseeded].sort() }).toEqual({ seen: 3, repaired: [], unseeded: ['failed', 'gone'], ended: ['gone'] })
      const warnings = ['The sitemaps of the site were not read to their end.']
      expect(await stores.first.jobs.find('gone')).toMatchObject({ state: 'completed', warnings })
      expect(await stores.first.jobs.find('failed')).toMatchObject({ state: 'scraping', seeding: false, warnings })
      expect(await stores.first.jobs.find('there')).toMatchObject({ state: 'scraping', seeding: true, warnings: [] })
    })

    it('continues without the pages that were tracked before if their task is gone, with a warning of that', async () => {
      await start(stores.first, 'j', { job: { recalls: true }, pages: ['a'] })
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first)))
      await stores.first.queue.done('recall j', (await stores.first.queue.take('w', ['crawl-recall'], 1, 1, now))[0]?.token ?? '', '', now)
      expect(await stores.first.jobs.watch(now, now + minute)).toEqual({ seen: 1, repaired: [], unseeded: ['j'], ended: ['j'] })
      expect(await stores.first.jobs.find('j')).toMatchObject({ state: 'completed', warnings: ['Pages that were tracked before were not all visited again.'] })
    })

    it('makes due what would wait for as long as the clock was set back', async () => {
      const hour = 60 * minute
      const later = now + hour
      await start(stores.first, 'j', { job: { delayMs: 1_000, webhook: hook, seeding: true, createdAt: later }, pages: ['a', 'b', 'c'] })
      await stores.first.queue.push([queued('j', { kind: 'crawl-seed', runAt: later + 10 * minute })])
      const [a] = await take(stores.first, 1, {}, later)
      if (!a) throw new Error('a page')
      await stores.first.jobs.settle(pageEnd(a, delivered(a), { now: later, start: 'https://site/' }))
      const due = async (): Promise<readonly number[]> => [
        (await take(stores.first, 9, {}, now)).length,
        (await stores.first.outbox.take({ worker: 'w', limit: 9, perReceiver: 9, leaseMs: 1, }, now)).length,
        (await stores.first.queue.take('w', ['crawl-seed'], 9, 1, now)).length,
      ]
      expect(await due()).toEqual([0, 0, 0])
      // As long as the clocks of a fleet may differ, nothing changes.
      expect(await stores.first.jobs.watch(now - hour, now)).toMatchObject({ seen: 0 })
      expect(await due()).toEqual([0, 0, 0])
      expect(await stores.first.jobs.watch(now - minute, now)).toMatchObject({ seen: 1 })
      // The pause between its pages has begun anew.
      expect(await due()).toEqual([0, 1, 1])
      expect((await take(stores.first, 9, {}, now + 1_000)).map(({ key }) => key)).toEqual(['b'])
    })

    it('makes due the pages of a job that has gone on since, but not those that a site has put off', async () => {
      await start(stores.first, 'j', { job: { createdAt: now }, pages: ['a', 'b'] })
      const [a, b] = await take(stores.first, 2)
      if (!a || !b) throw new Error('two pages')
      await stores.first.jobs.giveBack(a, { runAt: now + 11 * minute + 1, postponed: false }, now)
      await stores.first.jobs.giveBack(b, { runAt: now + 11 * minute, postponed: true }, now)
      expect(await stores.first.jobs.watch(now, now + minute)).toMatchObject({ seen: 1 })
      expect((await take(stores.first, 9, {}, now + minute)).map(({ key }) => key)).toEqual(['a'])
    })

    it('checks any number of jobs in batches', async () => {
      for (let i = 0; i < 45; i++) await start(stores.first, `j${i}`)
      const seen = []
      for (let i = 0; i < 4; i++) seen.push((await stores.first.jobs.watch(now, now + minute)).seen)
      expect(seen).toEqual([20, 20, 5, 0])
    })
  })

  describe(`the sweep of jobs on ${name}`, () => {
    const stores = eachStore(subject)

    it('deletes an expired job with everything that belongs to it, and nothing else', async () => {
      for (const id of ['old', 'new']) {
        await start(stores.first, id, { job: { webhook: hook, retentionMs: id === 'old' ? 1_000 : 1_001 }, pages: ['a', 'b'] })
        const [a, b] = await take(stores.first, 2)
        if (!a || !b) throw new Error('two pages')
        await stores.first.jobs.settle(pageEnd(a, delivered(a), { skipped: [{ url: 'x', reason: 'path' }] }))
        await stores.first.jobs.settle(pageEnd(b, failed(b)))
      }
      await start(stores.first, 'running')
      await stores.first.sweep(now + 999)
      expect(await stores.first.jobs.find('old')).toMatchObject({ expiresAt: now + 1_000 })
      await stores.first.sweep(now + 1_000)
      const left = async (id: string): Promise<readonly unknown[]> => {
        const { jobs, outbox, results } = stores.first
        const lists = [await jobs.results(id, all), await jobs.errors(id, all), await skippedOf(stores.first, id), await jobs.events(id, 0, 99), await outbox.list({ job: id, limit: 99 })]
        return [await jobs.find(id), await results.find(`${id}/a`), ...lists].map((found) => (Array.isArray(found) ? found.length : found !== null))
      }
      expect(await left('old')).toEqual([false, false, 0, 0, 0, 0, 0])
      expect(await left('new')).toEqual([true, true, 1, 1, 1, 4, 4])
      expect((await stores.first.blobsInUse(['blob-old/a', 'blob-new/a'])).size).toBe(1)
      expect((await stores.first.jobs.find('running'))?.state).toBe('scraping')
      // For 30 days, the id is known as that of a former job; then it is free again, and so are the keys of its
      // frontier.
      const former = async (): Promise<readonly unknown[]> => Promise.all(['old', 'new', 'unknown'].map((id) => stores.second.jobs.former(id)))
      expect(await former()).toEqual([{ team: 'a', kind: 'crawl' }, null, null])
      expect(await stores.first.jobs.create(newJob('old'), { pages: [], skipped: [], eventId: 'e', seed: null })).toBe(false)
      await stores.first.sweep(now + 1_000 + 30 * 24 * 60 * minute - 1)
      expect((await former())[0]).toEqual({ team: 'a', kind: 'crawl' })
      await stores.first.sweep(now + 1_000 + 30 * 24 * 60 * minute)
      expect(await former()).toEqual([null, { team: 'a', kind: 'crawl' }, null])
      await start(stores.first, 'old', { pages: ['a'] })
      expect(await counts(stores.first, 'old')).toMatchObject({ total: 1 })
    })

    it('returns the blobs of zero-retention results', async () => {
      for (const [id, retention] of [['zero', 'zero'], ['kept', 'normal']] as const) {
        await start(stores.first, id, { job: { retention }, pages: ['a', 'b'] })
        for (const task of await take(stores.first, 2)) await stores.first.jobs.settle(pageEnd(task))
      }
      expect([...(await stores.first.sweep(now + 1_000))].sort()).toEqual(['blob-zero/a', 'blob-zero/b'])
      expect(await stores.first.sweep(now + 1_000)).toEqual([])
    })

    it('leaves no delivery whose event is deleted, however large the job is', async () => {
      await start(stores.first, 'j', { job: { webhook: hook, limit: 1_000, maxConcurrency: 1_000 }, pages: Array.from({ length: 700 }, (_, i) => `${i}`) })
      for (let tasks = await take(stores.first, 700); tasks.length > 0; tasks = await take(stores.first, 700)) {
        for (const task of tasks) await stores.first.jobs.settle(pageEnd(task, failed(task)))
      }
      const due = (at: number, limit: number): Promise<readonly Delivery[]> => stores.second.outbox.take({ worker: 'w', limit, perReceiver: limit, leaseMs: 1 }, at)
      // Tried deliveries first: in index order, a sweep reaches them last.
      for (const { length } of [{ length: 1 }, { length: 300 }]) for (const delivery of await due(now, length)) await stores.second.outbox.attempted(delivery, { kind: 'again', reason: 'no', runAt: now }, now)
      const sweep = stores.first.sweep(now + 1_000)
      for (let i = 0; i < 40; i++) expect(await due(now + 1 + 2 * i, 700)).toBeDefined()
      await sweep
      expect(await stores.first.jobs.find('j')).toBeNull()
    })

    it('deletes jobs of any size', async () => {
      const pages = Array.from({ length: 1_700 }, (_, i) => newPage(`${i}`))
      await start(stores.first, 'j', { job: { limit: 1 }, pages: ['a'] })
      await start(stores.first, 'k', { job: { kind: 'batch', limit: 2_000 }, pages: ['a'] })
      await stores.first.jobs.append('k', pages, pages.map(({ url }) => ({ url, reason: 'path' })), now)
      await stores.first.jobs.cancel('j', 'e', now)
      await stores.first.jobs.cancel('k', 'e2', now)
      await stores.first.sweep(now + 1_000)
      expect([await stores.first.jobs.find('j'), await stores.first.jobs.find('k'), await skippedOf(stores.first, 'k')]).toEqual([null, null, []])
    })
  })
}
