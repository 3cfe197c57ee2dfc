import { describe, expect, it } from 'vitest'
import type { PageTask } from '../../domain/jobs/pages.ts'
import { caching, eachStore, entry, now, result } from './fixtures.contract.ts'
import { counts, delivered, failed, hook, newPage, pageEnd, skippedOf, start, take, takeOne } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

const all = { skip: 0, limit: 1_000, maxBytes: 1e9 }

/** What the end of a page stores. */
export function jobsSettleContract(name: string, subject: Subject): void {
  describe(`page ends on ${name}`, () => {
    const stores = eachStore(subject)
    const two = async (limit = 10): Promise<readonly [PageTask, PageTask]> => {
      await start(stores.first, 'j', { pages: ['a', 'b'], job: { limit, webhook: hook } })
      const [a, b] = await take(stores.first, 2)
      if (!a || !b) throw new Error('two pages')
      return [a, b]
    }
    const urls = async (): Promise<readonly string[]> => (await stores.second.jobs.results('j', all)).map((row) => row.url)

    it('store result, charge, cache, artifacts, event, delivery, links and skipped URLs together', async () => {
      const [a] = await two()
      const artifact = { token: 't', team: 'a', blob: 'shot', media: 'image/png', expiresAt: now + 9 }
      const settlement = { cache: { ...entry('e'), memo: null }, artifacts: [artifact], charge: { ref: 'r', kind: 'crawl', credits: 5, at: now } }
      const end = pageEnd(a, delivered(a, { settlement, bytes: 77 }), { pages: [newPage('b'), newPage('c', { depth: 2, external: true, host: 'else' })], skipped: [{ url: 'x', reason: 'path' }], eventId: 'event' })
      expect(await stores.first.jobs.settle(end)).toBe('settled')
      const row = { seq: 1, scrapeId: 'j/a', url: 'https://site/a', blob: 'blob-j/a', frame: '{"id":"j/a"}', bytes: 77, at: now }
      expect(await stores.second.jobs.results('j', all)).toEqual([row])
      expect(await stores.second.jobs.events('j', 1, 9)).toEqual([{ job: 'j', seq: 2, id: 'event', type: 'page', at: now, page: row, failure: null }])
      expect((await stores.second.outbox.list({ limit: 9 })).map(({ id, type, state }) => [id, type, state])).toEqual([['event', 'page', 'waiting'], ['j-started', 'started', 'waiting']])
      expect(await counts(stores.second, 'j')).toEqual({ state: 'scraping', total: 3, completed: 1, failed: 0, skipped: 1, creditsUsed: 5, lastEvent: 2 })
      expect((await stores.second.ledger.balance('a', now)).used).toBe(5)
      expect(await stores.second.cache.find({ team: 'a', key: 'page' }, 0, now, 'm', now)).toEqual({ entry: entry('e'), memo: null })
      expect(await stores.second.results.artifact('t')).toEqual(artifact)
      expect(await take(stores.first, 9)).toEqual([{
        ...newPage('c', { depth: 2, external: true, host: 'else' }), job: 'j', team: 'a', seq: 3, token: expect.stringMatching(/.{16}/), attempt: 1, postponed: 0,
      }])
    })

    it('of a crawl without credits fail the pages that it may no longer have, and say so', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b', 'c', 'd', 'e'], job: { kind: 'crawl', limit: 3 } })
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first)))
      for (const task of await take(stores.first, 9)) await stores.first.jobs.settle(pageEnd(task, failed(task, 'INSUFFICIENT_CREDITS')))
      expect(await stores.second.jobs.find('j')).toMatchObject({ state: 'completed', total: 3, completed: 1, failed: 2, warnings: [expect.stringContaining('credits were used up')] })
      expect((await skippedOf(stores.first, 'j')).filter(({ reason }) => reason === 'limit').map(({ url }) => url)).toEqual(['https://site/d', 'https://site/e'])
    })

    it('count the saved calls to language models', async () => {
      const [a, b] = await two()
      await stores.first.jobs.settle(pageEnd(a, delivered(a, { modelCallSaved: true })))
      await stores.second.jobs.settle(pageEnd(b))
      expect((await stores.first.jobs.find('j'))?.modelCallsSaved).toBe(1)
    })

    it('store nothing at all if one part cannot be stored', async () => {
      const [a] = await two()
      await stores.first.results.settle({ team: 'a', result: result('j/a'), charge: null, cache: null })
      await expect(stores.first.jobs.settle(pageEnd(a, delivered(a), { pages: [newPage('c')] }))).rejects.toThrow(expect.objectContaining({ name: 'StoreRefusal' }))
      expect(await counts(stores.second, 'j')).toMatchObject({ total: 2, completed: 0, creditsUsed: 0, lastEvent: 1 })
      expect(await urls()).toEqual([])
      expect(await stores.first.jobs.settle(pageEnd(a, failed(a)))).toBe('settled')
    })

    it('are counted correctly when they are concurrent, including the last one of a job', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b', 'c', 'd'], job: { webhook: hook } })
      await start(stores.first, 'k', { pages: ['a'] })
      const tasks = await take(stores.first, 9)
      const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'a'].map((key, i) => tasks.find((task) => task.job === (i < 4 ? 'j' : 'k') && task.key === key))
      if (!a || !b || !c || !d || !e) throw new Error('five pages')
      const old = { ...c, token: 'old' }
      const ends = [pageEnd(a, delivered(a), { pages: [newPage('b')], skipped: [{ url: 'x', reason: 'path' }] }), pageEnd(e), pageEnd(b, delivered(b, { finalKey: 'a' })), pageEnd(old), pageEnd(c, failed(c)), pageEnd(d)]
      expect(await Promise.all(ends.map((end) => stores.first.jobs.settle(end)))).toEqual(['settled', 'settled', 'duplicate', 'lost', 'settled', 'settled'])
      expect(await counts(stores.second, 'j')).toEqual({ state: 'completed', total: 3, completed: 2, failed: 1, skipped: 2, creditsUsed: 2, lastEvent: 5 })
      expect(await counts(stores.second, 'k')).toMatchObject({ state: 'completed', completed: 1, creditsUsed: 1 })
      expect([...(await urls())].sort()).toEqual(['https://site/a', 'https://site/d'])
      expect((await stores.second.jobs.events('j', 0, 9)).map(({ seq, type }) => [seq, type])).toEqual([[1, 'started'], [2, 'page'], [3, 'page'], [4, 'page'], [5, 'completed']])
    })

    it('are stored without a concurrent one that cannot be stored', async () => {
      const [a, b] = await two()
      await stores.first.results.settle({ team: 'a', result: result('j/a'), charge: null, cache: null })
      const answers = await Promise.allSettled([pageEnd(a), pageEnd(b)].map((end) => stores.first.jobs.settle(end)))
      expect(answers).toEqual([{ status: 'rejected', reason: expect.objectContaining({ name: 'StoreRefusal' }) }, { status: 'fulfilled', value: 'settled' }])
      expect(await counts(stores.second, 'j')).toMatchObject({ state: 'scraping', completed: 1, creditsUsed: 1, lastEvent: 2 })
      expect(await urls()).toEqual(['https://site/b'])
    })

    it('are refused with an old token or a second time, and then store nothing', async () => {
      const [a, b] = await two()
      const old = { ...b, token: 'old' }
      expect(await stores.first.jobs.settle(pageEnd(old, delivered(old), { pages: [newPage('c')], skipped: [{ url: 'x', reason: 'path' }] }))).toBe('lost')
      expect(await stores.first.jobs.settle(pageEnd(a))).toBe('settled')
      expect(await stores.second.jobs.settle(pageEnd(a, failed(a)))).toBe('lost')
      const unknown = { ...a, job: 'unknown' }
      expect(await stores.first.jobs.settle(pageEnd(unknown))).toBe('lost')
      expect(await counts(stores.first, 'j')).toEqual({ state: 'scraping', total: 2, completed: 1, failed: 0, skipped: 0, creditsUsed: 1, lastEvent: 2 })
    })

    it('store a failure in the errors and in the log, with its charge', async () => {
      const [a] = await two()
      const outcome = { ...failed(a, 'SCRAPE_LOCKDOWN_CACHE_MISS'), charge: { ref: 'miss', kind: 'crawl', credits: 1, at: now } }
      expect(await stores.first.jobs.settle(pageEnd(a, outcome, { eventId: 'event', now: now + 4 }))).toBe('settled')
      const failure = { id: 'j/a', at: now + 4, url: 'https://site/a', code: 'SCRAPE_LOCKDOWN_CACHE_MISS', error: 'a failed' }
      expect(await stores.second.jobs.errors('j', all)).toEqual([failure])
      expect(await stores.second.jobs.events('j', 1, 9)).toEqual([{ job: 'j', seq: 2, id: 'event', type: 'page', at: now + 4, page: null, failure }])
      expect(await counts(stores.second, 'j')).toMatchObject({ total: 2, completed: 0, failed: 1, creditsUsed: 1 })
    })

    it('tell which hosts have delivered pages, by which scheme', async () => {
      const [a, b] = await two()
      await stores.first.jobs.settle(pageEnd(a))
      await stores.first.jobs.settle(pageEnd(b, failed(b)))
      expect(await stores.second.jobs.answered('j')).toEqual([`https://${a.host}`])
      expect(await stores.second.jobs.answered('other')).toEqual([])
    })

    it('store a page that must not be fetched as skipped, without an event', async () => {
      const [a] = await two()
      expect(await stores.first.jobs.settle(pageEnd(a, { kind: 'skipped', reason: 'robots' }))).toBe('settled')
      expect(await skippedOf(stores.first, 'j')).toEqual([{ url: 'https://site/a', reason: 'robots' }])
      expect(await stores.second.jobs.skipped('j', { after: 0, limit: 1, reason: 'robots' })).toEqual([{ seq: 1, url: 'https://site/a', reason: 'robots' }])
      expect(await counts(stores.first, 'j')).toMatchObject({ total: 1, skipped: 1, lastEvent: 1 })
    })

    it('store each skipped URL once, filtered by reason on request, and those with a code among the errors', async () => {
      const [a, b] = await two()
      const external = { url: 'https://else/', reason: 'external', code: 'EXTERNAL_LINK' } as const
      await stores.first.jobs.settle(pageEnd(a, delivered(a), { skipped: [{ url: 'p', reason: 'path' }, external, { url: 'p', reason: 'depth' }] }))
      await stores.first.jobs.settle(pageEnd(b, delivered(b), { skipped: [external, { url: 'q', reason: 'path' }] }))
      expect(await skippedOf(stores.first, 'j')).toEqual([{ url: 'p', reason: 'path' }, external, { url: 'q', reason: 'path' }])
      expect(await stores.first.jobs.skipped('j', { after: 1, limit: 1 })).toEqual([{ seq: 2, ...external }])
      expect(await stores.first.jobs.skipped('j', { after: 1, limit: 1, reason: 'path' })).toEqual([{ seq: 3, url: 'q', reason: 'path' }])
      expect(await stores.first.jobs.skipped('j', { after: 0, limit: 9, reason: 'robots' })).toEqual([])
      expect((await stores.first.jobs.errors('j', all)).map(({ url, code, error }) => ({ url, code, error }))).toEqual([
        { url: 'https://else/', code: 'EXTERNAL_LINK', error: 'The link leads to the start page of another site.' }])
      expect((await counts(stores.first, 'j'))['skipped']).toBe(3)
    })

    it('end the job with the last page, in the same transaction', async () => {
      const [a, b] = await two()
      await stores.first.jobs.settle(pageEnd(b, delivered(b)))
      expect((await counts(stores.first, 'j'))['state']).toBe('scraping')
      await stores.first.jobs.settle(pageEnd(a, delivered(a), { endEventId: 'end', now: now + 7 }))
      expect(await stores.second.jobs.find('j')).toMatchObject({ state: 'completed', total: 2, completed: 2, endedAt: now + 7, expiresAt: now + 1_007 })
      expect((await stores.second.jobs.events('j', 0, 9)).map((e) => e.type)).toEqual(['started', 'page', 'page', 'completed'])
      expect((await stores.second.outbox.list({ limit: 9 })).map(({ id, type }) => [id, type])[0]).toEqual(['end', 'completed'])
    })

    it('end the job when its limit is delivered, and store the remaining pages as skipped', async () => {
      const [a, b] = await two(2)
      await stores.first.jobs.settle(pageEnd(a, delivered(a), { pages: [newPage('c'), newPage('d')] }))
      expect(await take(stores.first, 9)).toEqual([])
      await stores.first.jobs.settle(pageEnd(b, delivered(b)))
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'completed', total: 2, completed: 2, skipped: 2 })
      expect(await skippedOf(stores.first, 'j')).toEqual([{ url: 'https://site/c', reason: 'limit' }, { url: 'https://site/d', reason: 'limit' }])
    })

    it('let twice the limit and a thousand pages wait, and skip the others', async () => {
      await start(stores.first, 'j', { job: { limit: 1 }, pages: ['a'] })
      const links = Array.from({ length: 1_050 }, (_, i) => newPage(`l${i}`))
      const a = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(a, failed(a), { pages: [newPage('a'), ...links, ...links] }))
      const skipped = await skippedOf(stores.first, 'j')
      expect([skipped.length, skipped[0]]).toEqual([48, { url: 'https://site/l1002', reason: 'limit' }])
      const next = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(next, failed(next), { pages: [newPage('l0'), newPage('m')] }))
      expect(await counts(stores.first, 'j')).toMatchObject({ total: 3, failed: 2, skipped: 48 })
    })

    it('give the slot of a failed page to another', async () => {
      await start(stores.first, 'j', { job: { limit: 1 }, pages: ['a', 'b'] })
      const a = await takeOne(stores.first)
      expect(await take(stores.first, 9)).toEqual([])
      await stores.first.jobs.settle(pageEnd(a, failed(a)))
      const b = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(b))
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'completed', total: 2, completed: 1, failed: 1 })
    })

    it('accept thousands of links', async () => {
      await start(stores.first, 'j', { job: { limit: 9_000 }, pages: ['a'] })
      const a = await takeOne(stores.first)
      const links = Array.from({ length: 7_000 }, (_, i) => newPage(`${i % 6_000}`))
      await stores.first.jobs.settle(pageEnd(a, delivered(a), { pages: links, skipped: links.map(({ url }) => ({ url: `${url}?`, reason: 'path' })) }))
      expect(await counts(stores.first, 'j')).toMatchObject({ total: 6_001, skipped: 6_000 })
    })

    it('number results and events without gaps, whoever settles, and lose none', async () => {
      const names = Array.from({ length: 40 }, (_, i) => `p${i}`)
      await start(stores.first, 'j', { job: { limit: 40, maxConcurrency: 40 }, pages: names })
      const tasks = [...(await take(stores.first, 20)), ...(await take(stores.second, 20, { worker: 'v' }))]
      const answers = await Promise.all(tasks.map((task, i) =>
        (i % 2 === 0 ? stores.first : stores.second).jobs.settle(pageEnd(task, delivered(task), { pages: [newPage(`p${i + 1}`)] }))))
      expect(answers).toEqual(tasks.map(() => 'settled'))
      const rows = await stores.first.jobs.results('j', all)
      expect(rows.map((row) => row.seq)).toEqual(names.map((_, i) => i + 1))
      expect(new Set(rows.map((row) => row.url)).size).toBe(40)
      const events = await stores.first.jobs.events('j', 0, 100)
      expect(events.map((e) => e.seq)).toEqual(Array.from({ length: 42 }, (_, i) => i + 1))
      expect(events.slice(1, -1).map((e) => e.page?.seq)).toEqual(rows.map((row) => row.seq))
      expect(events.at(-1)?.type).toBe('completed')
      expect(await counts(stores.second, 'j')).toEqual({ state: 'completed', total: 40, completed: 40, failed: 0, skipped: 1, creditsUsed: 40, lastEvent: 42 })
    })

    it('settle a page once if it ends twice at once', async () => {
      const [a] = await two()
      const answers = await Promise.all([stores.first, stores.second, stores.first, stores.second].map((store) => store.jobs.settle(pageEnd(a))))
      expect([...answers].sort()).toEqual(['lost', 'lost', 'lost', 'settled'])
      expect(await urls()).toEqual(['https://site/a'])
    })

    it('do not conflict between jobs of one team that cache the same captures', async () => {
      for (const id of ['j1', 'j2', 'j3', 'j4']) await start(stores.first, id, { pages: ['a', 'b', 'c', 'd', 'e'] })
      const tasks = await take(stores.first, 20)
      expect(tasks).toHaveLength(20)
      const answers = await Promise.all(tasks.map((task, i) => {
        const settlement = { cache: { ...entry(`${task.job}/${task.key}`, { key: task.key, fetchedAt: now + i }), memo: { name: 'm', blob: 'b', bytes: 1 } } }
        return (i % 2 === 0 ? stores.first : stores.second).jobs.settle(pageEnd(task, delivered(task, { settlement })))
      }))
      expect(answers).toEqual(tasks.map(() => 'settled'))
      expect((await stores.first.ledger.balance('a', now)).used).toBe(20)
    })

    it('return pages of results by position, rows and bytes, with at least one row', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b', 'c', 'd'] })
      for (const task of await take(stores.first, 4)) await stores.first.jobs.settle(pageEnd(task, delivered(task, { bytes: 100 })))
      const seqs = async (skip: number, limit: number, maxBytes: number): Promise<readonly number[]> => (await stores.first.jobs.results('j', { skip, limit, maxBytes })).map((row) => row.seq)
      expect(await seqs(0, 9, 300)).toEqual([1, 2, 3])
      expect(await seqs(0, 9, 299)).toEqual([1, 2])
      expect(await seqs(1, 9, 1)).toEqual([2])
      expect(await seqs(2, 1, 9_000)).toEqual([3])
      expect(await seqs(4, 9, 9_000)).toEqual([])
      expect(await stores.first.jobs.results('unknown', all)).toEqual([])
    })

    it('are found by their scrape id as long as the job exists, and never under zero retention', async () => {
      const [a, b] = await two()
      await stores.first.jobs.settle(pageEnd(a))
      await stores.first.results.settle(caching(entry('e')))
      expect(await stores.first.results.find('j/a')).toEqual({ ...result('j/a'), expiresAt: 8_640_000_000_000_000 })
      await stores.first.jobs.settle(pageEnd(b, delivered(b), { now: now + 50 }))
      expect((await stores.first.results.find('j/a'))?.expiresAt).toBe(now + 1_050)
      await start(stores.first, 'z', { job: { retention: 'zero' }, pages: ['a'] })
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first)))
      expect(await stores.first.results.find('z/a')).toBeNull()
      expect(await stores.first.jobs.results('z', all)).toHaveLength(1)
    })
  })
}
