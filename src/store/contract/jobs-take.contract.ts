import { describe, expect, it } from 'vitest'
import type { NewJob } from '../../domain/jobs/job.ts'
import type { PageTask } from '../../domain/jobs/pages.ts'
import { eachStore, now } from './fixtures.contract.ts'
import { delivered, failed, newJob, newPage, pageEnd, start, take, takeOne } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

const pages = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `p${String(i).padStart(4, '0')}`)
const keys = (tasks: readonly PageTask[]): readonly string[] => tasks.map((task) => task.key)
const jobsOf = (tasks: readonly PageTask[]): readonly string[] => tasks.map((task) => task.job).sort()

/** Which pages a worker gets. */
export function jobsTakeContract(name: string, subject: Subject): void {
  describe(`taking pages on ${name}`, () => {
    const stores = eachStore(subject)
    const begin = (id: string, count: number, job: Partial<NewJob> = {}): Promise<void> => start(stores.first, id, { pages: pages(count), job: { limit: 1_000, maxConcurrency: 1_000, ...job } })

    it('follows the order of discovery', async () => {
      await begin('j', 5)
      expect(keys(await take(stores.first, 2))).toEqual(['p0000', 'p0001'])
      expect(keys(await take(stores.second, 9, { worker: 'v' }))).toEqual(['p0002', 'p0003', 'p0004'])
      expect(await take(stores.first, 9)).toEqual([])
    })

    it('prefers the rank to that, even if a page of lower rank is found later', async () => {
      await begin('j', 1)
      const found = [newPage('x?sort=a', { rank: 4 }), newPage('x', {}), newPage('y?c=1', { rank: 1, variantOf: 'y' }), newPage('x?c=1', { rank: 1, variantOf: 'x' }), newPage('z', {})]
      const first = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(first, delivered(first), { pages: found }))
      expect(keys(await take(stores.first, 3))).toEqual(['x', 'z', 'y?c=1'])
      await stores.first.jobs.append('j', [newPage('late')], [], now)
      expect(keys(await take(stores.second, 9))).toEqual(['late', 'x?c=1', 'x?sort=a'])
    })

    it('holds views of pages back while likelier pages are under way, once the limit is near', async () => {
      await start(stores.first, 'j', { pages: ['start'], job: { limit: 12, maxConcurrency: 9 } })
      const first = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(first, delivered(first), { pages: [newPage('a'), newPage('a?sort', { rank: 4 }), newPage('a?do', { rank: 5 }), newPage('b?id=1', { rank: 1 })] }))
      const [a, b] = await take(stores.first, 9)
      if (a === undefined || b === undefined) throw new Error('two pages')
      expect([a.key, b.key]).toEqual(['a', 'b?id=1'])
      expect(await take(stores.second, 9, { worker: 'v' })).toEqual([])
      await stores.first.jobs.settle(pageEnd(a, delivered(a), { pages: [newPage('c')] }))
      expect(keys(await take(stores.second, 9, { worker: 'v' }))).toEqual(['c'])
      await stores.first.jobs.settle(pageEnd(b, delivered(b), {}))
      expect(await take(stores.first, 9)).toEqual([])
    })

    it('lets views of pages go in the order of their ranks, and all at once when nothing likelier is left', async () => {
      await start(stores.first, 'j', { pages: ['start'], job: { limit: 9, maxConcurrency: 9 } })
      const first = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(first, delivered(first), { pages: [newPage('a?do', { rank: 5 }), newPage('a?sort', { rank: 4 }), newPage('b?sort', { rank: 4 })] }))
      const tasks = await take(stores.first, 9)
      expect(keys(tasks)).toEqual(['a?sort', 'b?sort'])
      for (const task of tasks) await stores.first.jobs.settle(pageEnd(task, delivered(task), {}))
      expect(keys(await take(stores.first, 9))).toEqual(['a?do'])
    })

    it('prefers pages that a sitemap names, but not pages whose link is repeated', async () => {
      await begin('j', 1)
      const links = ['a', 'b', 'c'].map((key) => newPage(`${key}?id=1`, { rank: 1, variantOf: 'p0000' }))
      await stores.first.jobs.append('j', links, [], now)
      await stores.first.jobs.append('j', links, [], now)
      await stores.first.jobs.append('j', [newPage('between', { rank: 2 }), newPage('c?id=1')], [], now)
      expect(keys(await take(stores.first, 9))).toEqual(['p0000', 'c?id=1', 'between', 'a?id=1', 'b?id=1'])
    })

    it('takes an address for a variant if the one without its query is added with it', async () => {
      await begin('j', 1, { limit: 100 })
      await stores.first.jobs.append('j', [newPage('y?id=1', { variantOf: 'y' }), newPage('z?id=1', { variantOf: 'z' }), newPage('y')], [], now)
      expect(keys(await take(stores.first, 9))).toEqual(['p0000', 'z?id=1', 'y', 'y?id=1'])
    })

    it('takes no page before its site wants to be asked again, however it is found and whatever it waited for', async () => {
      await start(stores.first, 'j', { job: { seeding: true }, pages: ['a'] })
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first), undefined, { pages: [newPage('b', { depth: 1, depthLimited: true })] }))
      const later = now + 100_000
      await stores.first.jobs.giveBack(await takeOne(stores.first, {}, later), { runAt: later + 9_000, postponed: true }, later)
      await stores.first.jobs.append('j', [newPage('b', { depthLimited: true })], [], later)
      await stores.first.jobs.seeded('j', [], 'end', later)
      expect(await take(stores.first, 9, {}, later)).toEqual([])
      expect(await takeOne(stores.first, {}, later + 9_000)).toMatchObject({ key: 'b', depth: 0 })
    })

    it('prefers the depth to the rank if the depth is limited', async () => {
      await begin('j', 1)
      const at = (key: string, depth: number, rank: number) => newPage(key, { depth, rank, depthLimited: true })
      await stores.first.jobs.append('j', [at('deep', 2, 0), at('near?a', 1, 15), at('near', 1, 0), at('brought', 3, 0)], [], now)
      await stores.first.jobs.append('j', [at('brought', 1, 0)], [], now)
      expect(keys(await take(stores.first, 9))).toEqual(['p0000', 'near', 'brought', 'near?a', 'deep'])
    })

    it('gives nothing to a worker without a heartbeat', async () => {
      await begin('j', 1)
      const terms = { worker: 'ghost', limit: 5, teamPlaces: 9, busyHosts: [], crowdedHosts: new Map(), running: {} }
      expect(await stores.first.jobs.take(terms, now)).toEqual([])
      await stores.first.jobs.beat('ghost', now, now)
      expect(await stores.first.jobs.take(terms, now)).toEqual([])
      await stores.first.jobs.beat('ghost', now + 1, now)
      expect(await stores.first.jobs.take(terms, now)).toHaveLength(1)
    })

    it('respects the concurrency of a job', async () => {
      await begin('j', 5, { maxConcurrency: 2 })
      const [first] = await take(stores.first, 9)
      expect(await take(stores.second, 9)).toEqual([])
      if (!first) throw new Error('a page')
      await stores.first.jobs.settle(pageEnd(first))
      expect(await take(stores.second, 9)).toHaveLength(1)
    })

    it('respects the limit of a job', async () => {
      await begin('j', 5, { limit: 3 })
      const taken = await take(stores.first, 9)
      expect(taken).toHaveLength(3)
      const [a, b] = taken
      if (!a || !b) throw new Error('pages')
      await stores.first.jobs.settle(pageEnd(a))
      expect(await take(stores.first, 9)).toEqual([])
      await stores.first.jobs.settle(pageEnd(b, failed(b)))
      expect(await take(stores.first, 9)).toHaveLength(1)
    })

    it("uses the crawl delay of a site for a job without a delay, and otherwise the job's own", async () => {
      await start(stores.first, 'j', { pages: ['a', 'b', 'c'] })
      await start(stores.first, 'k', { pages: ['a', 'b'], job: { delayMs: 50 } })
      for (const task of await take(stores.first, 9)) if (task.key === 'a') await stores.first.jobs.settle({ ...pageEnd(task), delayMs: 900 })
      expect((await Promise.all(['j', 'k'].map((id) => stores.second.jobs.find(id)))).map((job) => job?.delayMs)).toEqual([900, 50])
    })

    it('waits between the pages of a job with a delay, one at a time', async () => {
      await begin('j', 9, { delayMs: 100 })
      const a = await takeOne(stores.first)
      expect(await take(stores.first, 9, {}, now + 500)).toEqual([])
      await stores.first.jobs.settle(pageEnd(a, delivered(a), { now: now + 500 }))
      expect(await take(stores.first, 9, {}, now + 599)).toEqual([])
      const b = await takeOne(stores.first, {}, now + 600)
      // A page that was given back untouched made no request to the site; one that the site postponed did.
      await stores.first.jobs.giveBack(b, { runAt: now + 600, postponed: false }, now + 610)
      const again = await takeOne(stores.first, {}, now + 610)
      await stores.first.jobs.giveBack(again, { runAt: now + 620, postponed: true }, now + 620)
      expect(await take(stores.first, 9, {}, now + 719)).toEqual([])
      expect(await takeOne(stores.first, {}, now + 720)).toMatchObject({ key: b.key, attempt: 1, postponed: 1 })
    })

    it('wastes no turn on a job with a delay whose page is under way', async () => {
      await begin('a', 9, { delayMs: 100 })
      await begin('b', 9)
      const first = [await takeOne(stores.first), await takeOne(stores.first)]
      expect([jobsOf(first), jobsOf([await takeOne(stores.second, {}, now + 500)])]).toEqual([['a', 'b'], ['b']])
    })

    it('skips busy hosts, however many of their pages wait', async () => {
      await stores.first.accounts.ensureTeam('a', null, now)
      const crowd = Array.from({ length: 1_500 }, (_, i) => newPage(`b${i}`, { host: i % 2 === 0 ? 'busy' : 'busier' }))
      const quiet = ['x', 'y', 'z'].map((key) => newPage(key, { host: `quiet-${key}` }))
      await stores.first.jobs.create(newJob('j', { limit: 5_000 }), { pages: [newPage('first'), ...crowd, ...quiet, newPage('last')], skipped: [], eventId: 'e', seed: null })
      const busyHosts = ['busy', 'busier']
      expect(keys(await take(stores.first, 9, { busyHosts }))).toEqual(['first', 'x', 'y', 'z', 'last'])
      expect(await take(stores.first, 9, { busyHosts })).toEqual([])
      expect(keys(await take(stores.first, 1, { busyHosts: ['busy'] }))).toEqual(['b1'])
    })

    it('leases pages of a team that is named like a method of every object', async () => {
      await start(stores.first, 'j', { pages: ['a'], job: { team: 'constructor' } })
      expect(keys(await take(stores.first, 9))).toEqual(['a'])
    })

    it('skips a host for the team whose pages crowd it, and for no other', async () => {
      for (const team of ['a', 'b']) await stores.first.accounts.ensureTeam(team, null, now)
      const pages = ['busy', 'else'].map((host) => newPage(host, { host }))
      for (const team of ['a', 'b']) await stores.first.jobs.create(newJob(`job of ${team}`, { team }), { pages, skipped: [], eventId: team, seed: null })
      const tasks = await take(stores.first, 9, { crowdedHosts: new Map([['a', ['busy']]]) })
      expect(tasks.map(({ team, host }) => `${team} ${host}`).sort()).toEqual(['a else', 'b busy', 'b else'])
    })

    it('takes the page of the lowest rank even from beyond the pages of a host that are examined', async () => {
      await stores.first.accounts.ensureTeam('a', null, now)
      const crowd = Array.from({ length: 600 }, (_, i) => newPage(`b${i}`, { host: 'busy' }))
      const quiet = [newPage('q?sort', { host: 'quiet', rank: 4 }), newPage('q', { host: 'quiet', rank: 2 })]
      await stores.first.jobs.create(newJob('j', { limit: 5_000 }), { pages: [...quiet, ...crowd], skipped: [], eventId: 'e', seed: null })
      expect(keys(await take(stores.first, 9, { busyHosts: ['busy'] }))).toEqual(['q'])
    })

    it('skips pages that are not due', async () => {
      await begin('j', 2)
      const a = await takeOne(stores.first)
      expect(await stores.first.jobs.giveBack(a, { runAt: now + 50, postponed: true }, now)).toBe(true)
      expect(keys(await take(stores.first, 9, {}, now + 49))).toEqual(['p0001'])
      expect(keys(await take(stores.first, 9, {}, now + 50))).toEqual(['p0000'])
    })
  })
}
