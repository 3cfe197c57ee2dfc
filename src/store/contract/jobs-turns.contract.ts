import { describe, expect, it } from 'vitest'
import type { NewJob } from '../../domain/jobs/job.ts'
import type { PageTask } from '../../domain/jobs/pages.ts'
import { eachStore, now, together } from './fixtures.contract.ts'
import { delivered, newJob, newPage, pageEnd, start, take, takeOne } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

const pages = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `p${String(i).padStart(4, '0')}`)
const jobsOf = (tasks: readonly PageTask[]): readonly string[] => tasks.map((task) => task.job).sort()

/** Which job is next, and the slots that teams share between pages and requests. */
export function jobsTurnsContract(name: string, subject: Subject): void {
  describe(`turns of jobs on ${name}`, () => {
    const stores = eachStore(subject)
    const begin = (id: string, count: number, job: Partial<NewJob> = {}): Promise<void> => start(stores.first, id, { pages: pages(count), job: { limit: 1_000, maxConcurrency: 1_000, ...job } })

    it('lets jobs take turns, the least recently served first', async () => {
      for (const id of ['a', 'b', 'c']) await begin(id, 10)
      const one = async (): Promise<string | undefined> => (await takeOne(stores.first)).job
      expect([await one(), await one(), await one(), await one()]).toEqual(['a', 'b', 'c', 'a'])
      expect(jobsOf(await take(stores.first, 2))).toEqual(['b', 'c'])
    })

    it('distributes many slots evenly', async () => {
      for (const id of ['a', 'b', 'c']) await begin(id, 10)
      expect(jobsOf(await take(stores.first, 7))).toEqual(['a', 'a', 'a', 'b', 'b', 'c', 'c'])
      await begin('d', 1)
      expect(jobsOf(await take(stores.first, 30))).toEqual([...'aaaaaaa', ...'bbbbbbbb', ...'cccccccc', 'd'])
    })

    it('lets teams take turns, however many jobs one of them has', async () => {
      for (let n = 0; n < 30; n++) await begin(`a${n}`, 2)
      await begin('b', 5, { team: 'b' })
      const taken: PageTask[] = []
      for (let n = 0; n < 8; n++) taken.push(await takeOne(stores.first))
      expect(taken.filter(({ team }) => team === 'b')).toHaveLength(4)
    })

    it('does not waste turns on a job whose pages are not due', async () => {
      await begin('a', 3)
      await stores.first.jobs.create(newJob('b'), { pages: [newPage('x', { host: 'else' })], skipped: [], eventId: 'e', seed: null })
      expect(jobsOf(await take(stores.first, 1, { busyHosts: ['site'] }))).toEqual(['b'])
    })

    it("leaves a tenth of the team's slots to requests of clients", async () => {
      await begin('j', 100)
      await begin('k', 100, { team: 'b' })
      expect(jobsOf(await take(stores.first, 100, { teamPlaces: 20 })).filter((id) => id === 'j')).toHaveLength(18)
      expect(await take(stores.first, 100, { teamPlaces: 20 })).toEqual([])
    })

    it("counts requests in this process and in the fleet against the team's slots", async () => {
      await begin('j', 100)
      for (let i = 0; i < 5; i++) expect(await stores.first.slots.acquire('a', `s${i}`, 10, now + 100, now)).toBe(true)
      expect(await take(stores.first, 100, { teamPlaces: 10, running: { a: 3, b: 9 } })).toHaveLength(2)
      expect(await take(stores.first, 100, { teamPlaces: 10, running: { a: 9 } })).toEqual([])
      expect(await take(stores.first, 100, { teamPlaces: 10 }, now + 100)).toHaveLength(7)
    })

    it('gives the only slot of a team to pages when no request waits', async () => {
      await begin('j', 3)
      expect(await take(stores.first, 9, { teamPlaces: 1 })).toHaveLength(1)
      expect(await take(stores.first, 9, { teamPlaces: 1 })).toEqual([])
    })

    it('leaves the next free slot to a request that found none', async () => {
      await begin('j', 30)
      const tasks = await take(stores.first, 9, { teamPlaces: 2 })
      expect(tasks).toHaveLength(1)
      expect(await stores.first.slots.acquire('a', 's1', 2, now + 9_000, now)).toBe(true)
      expect(await stores.first.slots.acquire('a', 's2', 2, now + 9_000, now)).toBe(false)
      expect(await stores.first.slots.inUse('a', now)).toBe(1)
      const [task] = tasks
      if (!task) throw new Error('a page')
      await stores.first.jobs.settle(pageEnd(task))
      expect(await take(stores.first, 9, { teamPlaces: 2 })).toEqual([])
      expect(await stores.second.slots.acquire('a', 's2', 2, now + 9_000, now)).toBe(true)
      await stores.first.slots.release('s2')
      expect(await take(stores.first, 9, { teamPlaces: 2 })).toHaveLength(1)
      // A request that has disconnected keeps the slot free only for a moment.
      expect(await stores.first.slots.acquire('a', 's3', 2, now + 9_000, now)).toBe(false)
      await stores.first.slots.release('s1')
      expect(await take(stores.first, 9, { teamPlaces: 2 })).toEqual([])
      expect(await take(stores.first, 9, { teamPlaces: 3 }, now + 1_000)).toHaveLength(1)
    })

    it('never exceeds the limits of job and team, however many take and acquire concurrently', async () => {
      await begin('j', 50, { maxConcurrency: 7 })
      await begin('k', 50, { limit: 5 })
      await begin('l', 50, { team: 'b' })
      for (const worker of ['w0', 'w1', 'w2']) await stores.first.jobs.beat(worker, now + 1_000, now)
      const taken = (await together(stores, (store, i) => store.jobs.take({ worker: `w${i % 3}`, limit: 6, teamPlaces: 12, busyHosts: [], crowdedHosts: new Map(), running: {} }, now))).flat()
      const of = (id: string): number => taken.filter((task) => task.job === id).length
      expect([of('k') <= 5, of('j') <= 7, of('j') + of('k'), of('l')]).toEqual([true, true, 10, 10])
      expect(new Set(taken.map((task) => `${task.job} ${task.key}`)).size).toBe(taken.length)
      const places = await together(stores, (store, i) => store.slots.acquire('a', `s${i}`, 12, now + 1_000, now))
      expect(places.filter(Boolean)).toHaveLength(2)
    })

    it('runs concurrently with page ends, requests and cancellations without a deadlock', async () => {
      for (const id of ['j', 'k', 'l', 'gone']) await begin(id, 60, { team: id === 'l' ? 'b' : 'a' })
      const workers = ['w0', 'w1', 'w2', 'w3']
      for (const worker of workers) await stores.first.jobs.beat(worker, now + 1_000, now)
      const work = async (worker: string, i: number): Promise<void> => {
        const store = i % 2 === 0 ? stores.first : stores.second
        for (;;) {
          const tasks = await store.jobs.take({ worker, limit: 5, teamPlaces: 30, busyHosts: [], crowdedHosts: new Map(), running: {} }, now)
          if (tasks.length === 0) return
          await Promise.all(tasks.map((task) => store.jobs.settle(pageEnd(task, delivered(task), { pages: [newPage('p0001'), newPage(`${task.key}-more`.slice(0, 10))] }))))
          await store.slots.acquire('a', worker, 30, now + 1, now)
        }
      }
      const cancel = async (): Promise<unknown> => (await stores.second.jobs.load('b')) && stores.second.jobs.cancel('gone', 'end', now)
      await Promise.all([...workers.map(work), cancel(), stores.first.jobs.watch(now, now), stores.first.jobs.leave('nobody', now)])
      const found = await Promise.all(['j', 'k', 'l', 'gone'].map((id) => stores.first.jobs.find(id)))
      expect(found.map((job) => [job?.state, job?.state === 'cancelled' ? 0 : job?.completed])).toEqual([['completed', 120], ['completed', 120], ['completed', 120], ['cancelled', 0]])
    })

    it('starves no job next to one that is always busy', async () => {
      await begin('busy', 200)
      await begin('late', 3)
      const order: string[] = []
      for (let i = 0; i < 6; i++) {
        const task = await takeOne(i % 2 === 0 ? stores.first : stores.second)
        order.push(task.job)
        await stores.first.jobs.settle(pageEnd(task))
      }
      expect(order).toEqual(['busy', 'late', 'busy', 'late', 'busy', 'late'])
    })
  })
}
