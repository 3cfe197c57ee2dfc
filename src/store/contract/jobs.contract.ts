import { describe, expect, it } from 'vitest'
import type { PageTask } from '../../domain/jobs/pages.ts'
import { eachStore, now, task, together } from './fixtures.contract.ts'
import { counts, delivered, failed, hook, newJob, newPage, pageEnd, skippedOf, start, take, takeOne } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

/** Batches and crawls: how they begin, grow and end. */
export function jobsContract(name: string, subject: Subject): void {
  describe(`jobs on ${name}`, () => {
    const stores = eachStore(subject)

    it('are stored as they were requested', async () => {
      const job = newJob('j', { webhook: hook, warnings: ['w'], delayMs: 5, seeding: true, retention: 'zero', kind: 'batch', url: null })
      expect(await stores.first.jobs.find('j')).toBeNull()
      expect(await stores.first.jobs.create(job, { pages: [newPage('a'), newPage('b'), newPage('a')], skipped: [{ url: 'ftp://x', reason: 'scheme' }], eventId: 'e1', seed: null })).toBe(true)
      expect(await stores.second.jobs.find('j')).toEqual({
        ...job, state: 'scraping', total: 2, completed: 0, failed: 0, skipped: 1, creditsUsed: 0, modelCallsSaved: 0, lastEvent: 1, endedAt: null, expiresAt: null, error: null, start: null,
      })
      expect(await stores.second.jobs.events('j', 0, 10)).toEqual([{ job: 'j', seq: 1, id: 'e1', type: 'started', at: now, page: null, failure: null }])
    })

    it('are created once', async () => {
      await start(stores.first, 'j', { pages: ['a'] })
      expect(await stores.second.jobs.create(newJob('j', { limit: 3 }), { pages: [newPage('b')], skipped: [], eventId: 'e2', seed: null })).toBe(false)
      expect(await counts(stores.first, 'j')).toEqual({ state: 'scraping', total: 1, completed: 0, failed: 0, skipped: 0, creditsUsed: 0, lastEvent: 1 })
    })

    it('are created once by concurrent calls', async () => {
      const created = await together(stores, (store, i) => store.jobs.create(newJob('j'), { pages: [newPage(`${i}`)], skipped: [], eventId: `e${i}`, seed: null }))
      expect(created.filter(Boolean)).toHaveLength(1)
      expect((await counts(stores.first, 'j'))['total']).toBe(1)
    })

    it('begin together with the task that looks for their pages', async () => {
      const seed = task('j', { kind: 'crawl-seed' })
      const first = { pages: [], skipped: [], eventId: 'e', seed }
      expect(await stores.first.jobs.create(newJob('j', { seeding: true }), first)).toBe(true)
      expect(await stores.second.queue.outcome('j')).toEqual({ kind: 'waiting' })
      await expect(stores.first.jobs.create(newJob('k', { seeding: true }), first)).rejects.toThrow()
      expect(await stores.second.jobs.find('k')).toBeNull()
      expect((await counts(stores.second, 'j'))['state']).toBe('scraping')
    })

    it('end at once when there is nothing to do and nothing to come', async () => {
      await start(stores.first, 'j', { pages: [] })
      expect(await stores.first.jobs.find('j')).toMatchObject({ state: 'completed', total: 0, endedAt: now, expiresAt: now + 1_000, error: null })
      expect((await stores.first.jobs.events('j', 0, 9)).map((e) => e.type)).toEqual(['started', 'completed'])
    })

    it('accept a batch of 50,000 URLs', async () => {
      const pages = Array.from({ length: 50_000 }, (_, i) => newPage(`${i}`, { host: `h${i % 50}` }))
      await stores.first.jobs.create(newJob('j', { kind: 'batch', limit: 50_000 }), { pages, skipped: [], eventId: 'e', seed: null })
      expect((await counts(stores.first, 'j'))['total']).toBe(50_000)
      expect((await take(stores.first, 3)).map((t) => t.key)).toEqual(['0', '1', '2'])
    })

    it('accept any text, whatever the databases can store', async () => {
      const odd = `https://site/\0\ud800'"\\ \u{1F4A9}${'x'.repeat(9_000)}`
      const long = Array.from({ length: 5_000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('')
      await stores.first.accounts.ensureTeam('a', null, now)
      await stores.first.jobs.create(newJob('j'), { pages: [newPage(odd), newPage(long, { host: long, url: long })], skipped: [{ url: long, reason: 'invalid' }, { url: odd, reason: 'invalid' }], eventId: 'e', seed: null })
      const clean = odd.replace('\0', '\uFFFD').replace('\ud800', '\uFFFD')
      const [first, second] = await take(stores.first, 5)
      expect([first?.key, second?.url]).toEqual([clean, long])
      expect(await skippedOf(stores.first, 'j')).toEqual([{ url: long, reason: 'invalid' }, { url: clean, reason: 'invalid' }])
      if (!first || !second) throw new Error('two pages')
      await stores.first.jobs.settle(pageEnd(first, delivered(first, { finalKey: `${long}!` }), { pages: [newPage(odd), newPage(`${odd}?`)] }))
      await stores.first.jobs.settle(pageEnd(second, { kind: 'failed', scrapeId: 's', code: 'X', message: odd, charge: null }))
      expect((await stores.first.jobs.errors('j', { skip: 0, limit: 5 })).map((e) => e.error)).toEqual([clean])
      expect((await counts(stores.first, 'j'))['total']).toBe(3)
    })

    it('grow by new pages, and a batch by its limit as well', async () => {
      await start(stores.first, 'crawl', { job: { limit: 2 }, pages: ['a'] })
      await start(stores.first, 'batch', { job: { kind: 'batch', limit: 1 }, pages: ['a'] })
      for (const id of ['crawl', 'batch']) {
        expect(await stores.first.jobs.append(id, ['a', 'b', 'c', 'c'].map((key) => newPage(key)), [{ url: 'u', reason: 'path' }], now)).toBe(true)
      }
      expect(await stores.first.jobs.find('crawl')).toMatchObject({ limit: 2, total: 2, skipped: 1 })
      // A repeated URL of a batch is listed as skipped.
      expect(await stores.first.jobs.find('batch')).toMatchObject({ limit: 3, total: 3, skipped: 2 })
      expect(await stores.first.jobs.append('unknown', [], [], now)).toBe(false)
      await stores.first.jobs.cancel('crawl', 'e', now)
      expect(await stores.first.jobs.append('crawl', [newPage('d')], [], now)).toBe(false)
    })

    it('with recalled pages end once these are done, and request them once', async () => {
      await start(stores.first, 'j', { job: { kind: 'crawl', recalls: true }, pages: ['a'] })
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first)))
      expect(await stores.first.jobs.find('j')).toMatchObject({ state: 'scraping', seeding: true })
      const [asked] = await stores.second.queue.take('w', ['crawl-recall'], 5, 99, now + 9)
      expect(asked).toMatchObject({ kind: 'crawl-recall', team: 'a', payload: 'j' })
      await stores.first.jobs.append('j', [newPage('b', { recalled: true })], [], now)
      await stores.first.jobs.recalled('j', 'end', now)
      const back = await takeOne(stores.first)
      expect(back).toMatchObject({ key: newPage('b').key, recalled: true })
      await stores.first.jobs.settle(pageEnd(back))
      expect(await stores.first.jobs.find('j')).toMatchObject({ state: 'completed', completed: 2 })
    })

    it.each([
      ['fails', (task: PageTask) => pageEnd(task, failed(task))],
      ['is withheld', (task: PageTask) => pageEnd(task, undefined, { withheld: true })],
    ])('with recalled pages end without these if their start %s: its other findings are inconclusive', async (_name, endOf) => {
      await start(stores.first, 'j', { job: { kind: 'crawl', recalls: true }, pages: ['a', 'b'] })
      await stores.first.jobs.settle(endOf(await takeOne(stores.first)))
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first)))
      expect(await stores.first.jobs.find('j')).toMatchObject({ state: 'completed', seeding: false })
    })

    it('with recalled pages end without these if no worker survives their start', async () => {
      await start(stores.first, 'j', { job: { kind: 'crawl', recalls: true }, pages: ['a'] })
      for (const n of [0, 1, 2]) await takeOne(stores.first, { worker: `w${n}` }, now + n * 2_000)
      expect(await take(stores.first, 1, { worker: 'v' }, now + 6_000)).toEqual([])
      expect(await stores.first.jobs.find('j')).toMatchObject({ state: 'failed', seeding: false })
    })

    it('with recalled pages wait for these even if another page is withheld', async () => {
      await start(stores.first, 'j', { job: { kind: 'crawl', recalls: true }, pages: ['a', 'b'] })
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first)))
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first), undefined, { withheld: true }))
      expect(await stores.first.jobs.find('j')).toMatchObject({ state: 'scraping', seeding: true })
    })

    it('with recalled pages wait for these even if their sitemaps are completed once more in the meantime', async () => {
      await start(stores.first, 'j', { job: { kind: 'crawl', seeding: true, recalls: true }, pages: ['a'] })
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first)))
      await stores.first.jobs.seeded('j', [], 'end', now)
      // By a worker whose first report on its task was lost.
      await stores.second.jobs.seeded('j', [], 'again', now)
      expect(await stores.first.jobs.append('j', [newPage('b', { recalled: true })], [], now)).toBe(true)
      await stores.first.jobs.recalled('j', 'end', now)
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first)))
      expect(await stores.first.jobs.find('j')).toMatchObject({ state: 'completed', completed: 2 })
    })

    it('do not end before they are seeded, and keep the warnings of that', async () => {
      await start(stores.first, 'j', { job: { seeding: true, warnings: ['x'] }, pages: ['a'] })
      const page = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(page))
      expect((await counts(stores.first, 'j'))['state']).toBe('scraping')
      await stores.first.jobs.seeded('j', ['y', 'x'], 'end', now + 5)
      expect(await stores.first.jobs.find('j')).toMatchObject({ state: 'completed', endedAt: now + 5, warnings: ['x', 'y'], seeding: false })
      await stores.first.jobs.seeded('j', ['late'], 'end2', now + 9)
      expect(await stores.first.jobs.find('j')).toMatchObject({ endedAt: now + 5, warnings: ['x', 'y'] })
      expect((await stores.first.jobs.events('j', 0, 9)).map((e) => [e.type, e.id === 'end'])).toEqual([['started', false], ['page', false], ['completed', true]])
    })

    it('end before they are seeded if their limit is reached', async () => {
      await start(stores.first, 'j', { job: { seeding: true, limit: 1 }, pages: ['a', 'b'] })
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first)))
      expect(await stores.first.jobs.find('j')).toMatchObject({ state: 'completed', completed: 1, seeding: false, warnings: [] })
      expect(await stores.first.jobs.append('j', [newPage('c')], [], now)).toBe(false)
      await stores.first.jobs.seeded('j', ['late'], 'end2', now + 9)
      expect(await stores.first.jobs.find('j')).toMatchObject({ endedAt: now, warnings: [] })
      expect((await stores.first.jobs.events('j', 0, 9)).map((e) => e.type)).toEqual(['started', 'page', 'completed'])
      expect(await skippedOf(stores.first, 'j')).toEqual([{ url: 'https://site/b', reason: 'limit' }])
    })

    it('of limited depth hold linked pages back until they are seeded, and use the shorter path to a waiting page', async () => {
      await start(stores.first, 'j', { job: { seeding: true }, pages: ['start'] })
      const deep = { depthLimited: true, depth: 2 } as const
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first), undefined, { pages: ['a', 'b', 'c'].map((name) => newPage(name, deep)) }))
      expect(await take(stores.first, 9)).toEqual([])
      await stores.first.jobs.append('j', [newPage('a', { ...deep, depth: 0 }), newPage('b', { ...deep, depth: 1 }), newPage('c', { ...deep, depth: 3 })], [], now)
      expect(await take(stores.first, 9)).toMatchObject([{ key: 'a', depth: 0 }])
      await stores.first.jobs.append('j', [newPage('b/', { ...deep, key: 'b', depth: 1 })], [], now)
      await stores.first.jobs.seeded('j', [], 'end', now)
      expect(await take(stores.second, 9, { worker: 'v' })).toMatchObject([{ key: 'b', depth: 1 }, { key: 'c', depth: 2 }])
      await stores.first.jobs.append('j', [newPage('d', deep)], [], now)
      expect(await take(stores.first, 9)).toMatchObject([{ key: 'd', depth: 2 }])
      expect(await skippedOf(stores.first, 'j')).toEqual([{ url: 'https://site/b/', reason: 'duplicate' }])
    })

    it('of limited depth hold nothing back for longer than a minute', async () => {
      await start(stores.first, 'j', { job: { seeding: true }, pages: [] })
      await stores.first.jobs.append('j', [newPage('a', { depthLimited: true, depth: 1 })], [], now)
      expect(await take(stores.first, 9, {}, now + 59_999)).toEqual([])
      expect(await take(stores.first, 9, {}, now + 60_000)).toHaveLength(1)
    })

    it('list running ones, newest first', async () => {
      await start(stores.first, 'old')
      await start(stores.first, 'new', { job: { createdAt: now + 1 } })
      await start(stores.first, 'batch', { job: { kind: 'batch' } })
      await start(stores.first, 'other', { job: { team: 'b' } })
      await start(stores.first, 'gone')
      await take(stores.first, 9)
      await stores.first.jobs.cancel('gone', 'e', now)
      expect((await stores.second.jobs.active('a', 'crawl')).map((job) => job.id)).toEqual(['new', 'old'])
      expect(await stores.second.jobs.load('b')).toEqual({ waiting: 0, running: 1 })
    })

    it('load their team with the pages that their limits allow, not with all that wait', async () => {
      await start(stores.first, 'j', { job: { limit: 3 }, pages: ['a', 'b', 'c', 'd', 'e', 'f'] })
      await start(stores.first, 'k', { pages: ['a', 'b'] })
      expect(await stores.first.jobs.load('a')).toEqual({ waiting: 5, running: 0 })
      const pages = await take(stores.first, 9)
      expect(await stores.first.jobs.load('a')).toEqual({ waiting: 0, running: 5 })
      const [done, bad] = pages.filter(({ job }) => job === 'j')
      if (!done || !bad) throw new Error('two pages')
      await stores.first.jobs.settle(pageEnd(done))
      await stores.first.jobs.settle(pageEnd(bad, failed(bad)))
      expect(await stores.first.jobs.load('a')).toEqual({ waiting: 1, running: 3 })
    })

    it('are cancelled once, and keep what they have', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b', 'c'] })
      const [a, b] = await take(stores.first, 2)
      if (!a || !b) throw new Error('two pages')
      await stores.first.jobs.settle(pageEnd(a))
      expect(await stores.second.jobs.cancel('j', 'end', now + 3)).toBe('cancelled')
      expect(await stores.first.jobs.cancel('j', 'again', now + 4)).toBe('cancelled')
      expect(await stores.first.jobs.cancel('unknown', 'e', now)).toBe('unknown')
      expect(await stores.first.jobs.find('j')).toMatchObject({ state: 'cancelled', total: 3, completed: 1, endedAt: now + 3, expiresAt: now + 1_003, lastEvent: 3 })
      // Running pages then have no effect, and free their slots at their end.
      expect(await stores.first.jobs.load('a')).toEqual({ waiting: 0, running: 1 })
      expect(await stores.first.jobs.settle(pageEnd(b, delivered(b), { pages: [newPage('d')] }))).toBe('lost')
      expect(await stores.first.jobs.load('a')).toEqual({ waiting: 0, running: 0 })
      expect(await stores.first.jobs.results('j', { skip: 0, limit: 9, maxBytes: 9_000 })).toHaveLength(1)
      expect(await take(stores.first, 9)).toEqual([])
      expect((await stores.first.ledger.balance('a', now)).used).toBe(1)
    })

    it('cannot be cancelled when they have ended', async () => {
      await start(stores.first, 'done', { pages: [] })
      await start(stores.first, 'failed', { pages: ['a'] })
      await stores.first.jobs.fail('failed', 'no luck', 'end', now + 1)
      expect(await stores.first.jobs.cancel('done', 'e', now)).toBe('finished')
      expect(await stores.first.jobs.cancel('failed', 'e', now)).toBe('finished')
      await stores.first.jobs.fail('failed', 'again', 'end2', now + 2)
      expect(await stores.first.jobs.find('failed')).toMatchObject({ state: 'failed', error: 'no luck', endedAt: now + 1, total: 1, lastEvent: 2 })
    })

    it('are deleted at their end under zero retention, and only then', async () => {
      await start(stores.first, 'j', { job: { retention: 'zero', retentionMs: 9e9, webhook: hook, warnings: ['prompt: not understood: secret words.'] }, pages: ['a', 'b', 'c'] })
      const [a, b, c] = await take(stores.first, 3)
      if (!a || !b || !c) throw new Error('three pages')
      await stores.first.jobs.settle(pageEnd(a, delivered(a), { skipped: [{ url: 'u', reason: 'path' }] }))
      await stores.first.jobs.settle(pageEnd(b, failed(b)))
      expect(await stores.first.jobs.erase('j')).toEqual([])
      await stores.first.jobs.cancel('j', 'end', now)
      expect(await stores.second.jobs.erase('j')).toEqual(['blob-j/a'])
      expect(await stores.first.jobs.erase('j')).toEqual([])
      expect(await stores.first.jobs.find('j')).toMatchObject({ state: 'cancelled', url: null, request: '{}', warnings: [], expiresAt: now + 3_600_000 })
      const all = { skip: 0, limit: 9, maxBytes: 9_000 }
      expect([await stores.first.jobs.results('j', all), await stores.first.jobs.errors('j', all), await skippedOf(stores.first, 'j')]).toEqual([[], [], []])
      expect((await stores.first.jobs.events('j', 0, 9)).map(({ type, page, failure }) => ({ type, page, failure }))).toEqual(
        ['started', 'page', 'page', 'cancelled'].map((type) => ({ type, page: null, failure: null })))
      expect((await stores.first.outbox.list({ job: 'j', limit: 9 })).map((row) => row.type)).toEqual(['cancelled', 'started'])
      expect((await stores.first.blobsInUse(['blob-j/a'])).size).toBe(0)
      expect(await stores.first.jobs.settle(pageEnd(c))).toBe('lost')
      expect(await stores.first.jobs.load('a')).toEqual({ waiting: 0, running: 0 })
      for (const [id, retention] of [['zero', 'zero'], ['kept', 'normal']] as const) {
        await start(stores.first, id, { job: { retention }, pages: ['a'] })
        await stores.first.jobs.settle(pageEnd(await takeOne(stores.first)))
      }
      expect([await stores.first.jobs.erase('zero'), await stores.first.jobs.erase('kept'), await stores.first.jobs.erase('unknown')]).toEqual([['blob-zero/a'], [], []])
      expect((await stores.first.jobs.find('zero'))?.state).toBe('completed')
      expect([(await stores.first.jobs.results('zero', all)).length, (await stores.first.jobs.results('kept', all)).length]).toEqual([0, 1])
    })

    it('fail if the start of a crawl is unreachable', async () => {
      const endOf = async (id: string, job: object, code: string): Promise<unknown> => {
        await start(stores.first, id, { job, pages: ['start'] })
        const page = await takeOne(stores.first)
        await stores.first.jobs.settle(pageEnd(page, failed(page, code)))
        const { state, error } = (await stores.first.jobs.find(id)) ?? {}
        return { state, error }
      }
      expect(await endOf('dns', {}, 'SCRAPE_DNS_RESOLUTION_ERROR')).toEqual({ state: 'failed', error: 'start failed' })
      expect(await endOf('miss', {}, 'SCRAPE_NO_CACHED_DATA')).toEqual({ state: 'completed', error: null })
      expect(await endOf('lockdown', {}, 'SCRAPE_LOCKDOWN_CACHE_MISS')).toEqual({ state: 'completed', error: null })
      expect(await endOf('batch', { kind: 'batch' }, 'SCRAPE_DNS_RESOLUTION_ERROR')).toEqual({ state: 'completed', error: null })
      expect((await stores.first.jobs.events('dns', 0, 9)).map((e) => e.type)).toEqual(['started', 'page', 'failed'])
    })

    it('do not fail for an unreachable start if another page was delivered', async () => {
      await start(stores.first, 'j', { pages: ['start', 'other'] })
      const [a, b] = await take(stores.first, 2)
      if (!a || !b) throw new Error('two pages')
      await stores.first.jobs.settle(pageEnd(b))
      await stores.first.jobs.settle(pageEnd(a, failed(a)))
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'completed', completed: 1, failed: 1 })
    })

    it('fail if robots.txt denies the start of a crawl, whether that is found late or at once', async () => {
      await start(stores.first, 'late', { pages: ['start'] })
      const page = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(page, { kind: 'skipped', reason: 'robots' }))
      await stores.first.jobs.create(newJob('once'), { pages: [], skipped: [{ url: 'https://site/', reason: 'robots' }], eventId: 'e', seed: null })
      for (const id of ['late', 'once']) {
        expect(await stores.first.jobs.find(id)).toMatchObject({ state: 'failed', error: 'robots.txt does not allow the start URL.' })
        const [error] = await stores.first.jobs.errors(id, { skip: 0, limit: 9 })
        expect(error).toMatchObject({ at: now, code: 'CRAWL_DENIAL', error: 'robots.txt does not allow the start URL.' })
      }
      expect(await skippedOf(stores.first, 'late')).toEqual([{ url: 'https://site/start', reason: 'robots' }])
    })
  })
}
