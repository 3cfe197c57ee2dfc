import { describe, expect, it, vi } from 'vitest'
import { eachStore, now, task, together } from './fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

/** Durable tasks. */
export function queueContract(name: string, subject: Subject): void {
  describe(`queue on ${name}`, () => {
    const stores = eachStore(subject)
    const take = (limit: number, at = now): ReturnType<typeof stores.first.queue.take> => stores.first.queue.take('w', ['scrape'], limit, 100, at)
    const takeOne = async (at = now): Promise<Awaited<ReturnType<typeof take>>[number]> => {
      const [taken] = await take(1, at)
      if (!taken) throw new Error('There was no task to take.')
      return taken
    }

    it('leases a task with everything that was pushed', async () => {
      await stores.first.queue.push([task('t1', { payload: '{"a":"ü\u2028"}' })])
      const taken = await takeOne()
      expect(taken).toEqual({ ...task('t1', { payload: '{"a":"ü\u2028"}' }), attempt: 1, token: expect.stringMatching(/.{16}/), leaseUntil: now + 100 })
      expect(await take(5)).toEqual([])
    })

    it('hands out by priority, then by age, and only due tasks of the requested kinds', async () => {
      await stores.first.queue.push([task('late', { priority: 5 }), task('b'), task('a'), task('future', { runAt: now + 1 }), task('other', { kind: 'crawl' })])
      await stores.first.queue.push([task('urgent', { priority: -1 })])
      expect((await take(2)).map((t) => t.id)).toEqual(['urgent', 'b'])
      expect((await take(9)).map((t) => t.id)).toEqual(['a', 'late'])
      expect((await take(9, now + 1)).map((t) => t.id)).toEqual(['future'])
      expect(await stores.first.queue.take('w', [], 9, 100, now)).toEqual([])
      expect((await stores.first.queue.take('w', ['x', 'crawl'], 9, 100, now)).map((t) => t.id)).toEqual(['other'])
    })

    it('never gives one task to two workers', async () => {
      await stores.first.queue.push(Array.from({ length: 50 }, (_, i) => task(`t${i}`)))
      const taken = (await together(stores, (store, i) => store.queue.take(`w${i}`, ['scrape'], 4, 100, now))).flat()
      expect(new Set(taken.map((t) => t.id)).size).toBe(taken.length)
      const rest = await take(50)
      expect(new Set([...taken, ...rest].map((t) => t.id)).size).toBe(50)
      expect(taken.length + rest.length).toBe(50)
    })

    it('gives an expired task to one other worker and refuses the previous holder', async () => {
      await stores.first.queue.push([task('t1')])
      const former = await takeOne()
      expect(await take(1, now + 99)).toEqual([])
      const again = (await together(stores, (store, i) => store.queue.take(`w${i}`, ['scrape'], 1, 100, now + 100))).flat()
      expect(again).toEqual([{ ...former, attempt: 2, token: expect.any(String), leaseUntil: now + 200 }])
      expect(await stores.first.queue.renew('t1', former.token, now + 900)).toBe(false)
      expect(await stores.first.queue.done('t1', former.token, 'stale', now + 100)).toBe(false)
      expect(await stores.first.queue.retry('t1', former.token, 'stale', now, now + 100)).toBe(false)
      expect(await stores.first.queue.done('t1', again[0]?.token ?? '', 'good', now + 101)).toBe(true)
      expect(await stores.first.queue.outcome('t1')).toEqual({ kind: 'done', reply: 'good' })
    })

    it('lists the leases that are still held: none that expired, ended or were removed', async () => {
      await stores.first.queue.push(['a', 'b', 'c', 'd'].map((id) => task(id)))
      const taken = await take(4)
      const token = taken[0]?.token ?? ''
      expect([...(await stores.second.queue.held(taken))].sort()).toEqual(['a', 'b', 'c', 'd'])
      await stores.second.queue.remove('b')
      await stores.first.queue.done('c', token, 'r', now)
      await stores.first.queue.renew('d', token, now + 500)
      await stores.second.queue.take('other', ['scrape'], 9, 100, now + 100)
      expect(await stores.first.queue.held(taken)).toEqual(['d'])
      expect(await stores.first.queue.held([])).toEqual([])
    })

    it('lists the leases of a worker, and takes them back as if they had never been taken', async () => {
      await stores.first.queue.push([...['a', 'b'].map((id) => task(id, { maxAttempts: 1 })), task('c')])
      const [a, b] = await stores.first.queue.take('w', ['scrape'], 2, 100, now)
      const [c] = await stores.second.queue.take('v', ['scrape'], 2, 100, now)
      if (!a || !b || !c) throw new Error('three tasks')
      expect(await stores.second.queue.leasedTo('w')).toEqual([a, b].map(({ id, token }) => ({ id, token })))
      expect([await stores.second.queue.giveBack('a', a.token), await stores.first.queue.giveBack('a', a.token), await stores.first.queue.giveBack('c', a.token)]).toEqual([true, false, false])
      expect([await stores.first.queue.leasedTo('w'), await stores.first.queue.leasedTo('v'), await stores.first.queue.leasedTo('u')]).toEqual([[{ id: 'b', token: b.token }], [{ id: 'c', token: c.token }], []])
      expect(await stores.first.queue.take('u', ['scrape'], 9, 100, now)).toMatchObject([{ id: 'a', attempt: 1 }])
      expect(await stores.first.queue.giveBack('a', (await stores.first.queue.leasedTo('u'))[0]?.token ?? '')).toBe(true)
      expect(await stores.first.queue.remove('a')).toBe(false)
    })

    it('lists no task among the leases of a worker that it has ended, or that waits for another try', async () => {
      await stores.first.queue.push(['a', 'b', 'c'].map((id) => task(id)))
      const [a, b, c] = await take(3)
      if (!a || !b || !c) throw new Error('three tasks')
      await stores.first.queue.done('a', a.token, '', now)
      await stores.first.queue.retry('b', b.token, 'a fault', now + 50, now)
      expect(await stores.second.queue.leasedTo('w')).toEqual([{ id: 'c', token: c.token }])
    })

    it('reports whether a worker had begun a task that is removed', async () => {
      await stores.first.queue.push(['a', 'b', 'c'].map((id) => task(id)))
      const [begun, again] = await take(2)
      await stores.first.queue.retry(again?.id ?? '', again?.token ?? '', 'a fault', now, now)
      expect([await stores.second.queue.remove(begun?.id ?? ''), await stores.second.queue.remove(again?.id ?? ''), await stores.second.queue.remove('c'), await stores.second.queue.remove('c')]).toEqual([true, true, false, false])
    })

    it('extends a lease that is renewed', async () => {
      await stores.first.queue.push([task('t1')])
      const { token } = await takeOne()
      expect(await stores.second.queue.renew('t1', token, now + 500)).toBe(true)
      expect(await take(1, now + 499)).toEqual([])
      expect(await take(1, now + 500)).toHaveLength(1)
    })

    it('fails a task after its maximum number of lost workers', async () => {
      await stores.first.queue.push([task('t1', { maxAttempts: 2 })])
      await takeOne(now)
      await takeOne(now + 100)
      expect(await stores.first.queue.outcome('t1')).toEqual({ kind: 'waiting' })
      expect(await take(1, now + 200)).toEqual([])
      expect(await stores.first.queue.outcome('t1')).toEqual({ kind: 'failed', reason: 'The worker stopped before the task was done.' })
    })

    it('retries at the given time, until no attempt is left', async () => {
      await stores.first.queue.push([task('t1', { maxAttempts: 2 })])
      const first = await takeOne()
      expect(await stores.first.queue.retry('t1', first.token, 'slow site', now + 50, now + 1)).toBe(true)
      expect(await stores.first.queue.outcome('t1')).toEqual({ kind: 'waiting' })
      expect(await take(1, now + 49)).toEqual([])
      const second = await takeOne(now + 50)
      expect(second.attempt).toBe(2)
      expect(await stores.first.queue.retry('t1', second.token, 'still slow', now + 90, now + 60)).toBe(true)
      expect(await stores.first.queue.outcome('t1')).toEqual({ kind: 'failed', reason: 'still slow' })
      expect(await take(1, now + 1_000)).toEqual([])
    })

    it('ends a task once', async () => {
      await stores.first.queue.push([task('t1')])
      const { token } = await takeOne()
      const ends = await together(stores, (store, i) => store.queue.done('t1', token, `reply ${i}`, now))
      expect(ends.filter(Boolean)).toHaveLength(1)
      expect(await stores.first.queue.outcome('t1')).toEqual({ kind: 'done', reply: `reply ${ends.indexOf(true)}` })
      expect(await stores.first.queue.renew('t1', token, now + 900)).toBe(false)
    })

    it('removes a task in any state, whose holder has then lost it', async () => {
      await stores.first.queue.push([task('t1'), task('t2')])
      const { id, token } = await takeOne()
      await stores.first.queue.remove('t1')
      await stores.first.queue.remove('t2')
      await stores.first.queue.remove('unknown')
      expect(await stores.first.queue.done(id, token, '', now)).toBe(false)
      expect(await stores.first.queue.outcome('t1')).toBeNull()
      expect(await take(1)).toEqual([])
    })

    it('counts waiting and leased tasks, of one team or of all', async () => {
      await stores.first.queue.push([task('t1'), task('t2'), task('t3', { team: 'b' }), task('t4', { team: 'b', runAt: now + 999 })])
      const { id, token } = await takeOne()
      expect(await stores.first.queue.depth()).toEqual({ waiting: 3, leased: 1 })
      expect(await stores.second.queue.depth('a')).toEqual({ waiting: 1, leased: 1 })
      expect(await stores.first.queue.depth('b')).toEqual({ waiting: 2, leased: 0 })
      await stores.first.queue.done(id, token, '', now)
      expect(await stores.first.queue.depth('a')).toEqual({ waiting: 1, leased: 0 })
      expect(await stores.first.queue.depth('c')).toEqual({ waiting: 0, leased: 0 })
    })

    it('pushes all tasks or none', async () => {
      await stores.first.queue.push([task('t1')])
      await expect(stores.first.queue.push([task('t2'), task('t1')])).rejects.toThrow()
      await stores.first.queue.push([])
      expect(await stores.first.queue.depth()).toEqual({ waiting: 1, leased: 0 })
    })

    it('notifies listeners when a task is pushed or ended, in this process and in others', async () => {
      const here = vi.fn()
      const there = vi.fn()
      const stopHere = stores.first.queue.onChange(here)
      const stopThere = stores.second.queue.onChange(there)
      await stores.first.queue.push([task('t1')])
      await vi.waitFor(() => expect(here).toHaveBeenCalled(), 500)
      await vi.waitFor(() => expect(there).toHaveBeenCalled(), 1_500)
      const { token } = await takeOne()
      there.mockClear()
      await stores.first.queue.done('t1', token, '', now)
      await vi.waitFor(() => expect(there).toHaveBeenCalled(), 1_500)
      stopHere()
      stopThere()
    })

    it('notifies listeners when the time of a waiting task comes', async () => {
      const runAt = Date.now() + 200
      let told = 0
      await stores.first.queue.push([task('t1', { runAt })])
      const stop = stores.first.queue.onChange(() => (told = Date.now()))
      await expect.poll(() => told).toBeGreaterThanOrEqual(runAt)
      stop()
    })
  })
}
