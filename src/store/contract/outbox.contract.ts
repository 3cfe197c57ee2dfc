import { describe, expect, it, vi } from 'vitest'
import { eventPatienceMs } from '../../domain/jobs/outbox.ts'
import { eachStore, now } from './fixtures.contract.ts'
import { failed, hook, pageEnd, start, take, takeOne } from './jobs-fixtures.contract.ts'
import { again, ok, outboxHands, types } from './outbox-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

/** Deliveries of events. */
export function outboxContract(name: string, subject: Subject): void {
  describe(`the outbox on ${name}`, () => {
    const stores = eachStore(subject)
    const { due, hooked, endAll, acknowledge } = outboxHands(stores)

    it('contains the subscribed events, with the job and the event, under the id of the event', async () => {
      await hooked('j', ['a', 'b'], { events: ['page', 'failed', 'completed'] })
      await start(stores.first, 'none', { pages: ['c'] })
      const [a, b] = await take(stores.first, 2)
      if (!a || !b) throw new Error('two pages')
      await stores.first.jobs.settle(pageEnd(a.job === 'j' ? a : b, undefined, { eventId: 'e1' }))
      const [taken, ...more] = await due()
      expect(more).toEqual([])
      expect(taken).toEqual({
        id: 'e1', team: 'a', attempt: 1, token: expect.stringMatching(/.{16}/), job: await stores.first.jobs.find('j'), event: (await stores.first.jobs.events('j', 1, 1))[0],
      })
      expect(taken?.event.page).toMatchObject({ scrapeId: 'j/a', url: 'https://site/a' })
      expect(await due()).toEqual([])
    })

    it('contains the failure of a page', async () => {
      await hooked('j', ['a', 'b'], { events: ['page'] })
      const task = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(task, failed(task)))
      expect((await due())[0]?.event).toMatchObject({ page: null, failure: { url: 'https://site/a', error: 'a failed' } })
    })

    it('sends `started` first and alone, and the end last, after each page was tried', async () => {
      await hooked('j', ['a', 'b', 'c'])
      await endAll()
      const first = await due()
      expect(types(first)).toEqual(['started'])
      expect(await due()).toEqual([])
      await acknowledge(first)
      const pages = await due()
      expect(types(pages)).toEqual(['page', 'page', 'page'])
      const [page, ...others] = pages
      if (!page) throw new Error('a page')
      await acknowledge(others)
      expect(await due()).toEqual([])
      await stores.first.outbox.attempted(page, again(now + 500), now)
      const last = await due()
      expect(types(last)).toEqual(['completed'])
      await acknowledge(last)
      expect(await due(10, now + 499)).toEqual([])
      expect((await due(10, now + 500)).map(({ event, attempt }) => [event.type, attempt])).toEqual([['page', 2]])
    })

    it('sends the end after pages that could not be read, for a quarter of an hour', async () => {
      // Another job, whose events are older.
      await start(stores.first, 'former', { pages: ['a'] })
      await stores.first.jobs.cancel('former', 'end', now - 2 * eventPatienceMs)
      await hooked('j', ['a'])
      await endAll()
      await acknowledge(await due())
      const unread = async (at: number): Promise<void> => {
        const [page] = await due(9, at)
        if (!page) throw new Error('a page')
        await stores.first.outbox.attempted(page, { ...again(at + 500), counted: false }, at)
      }
      const [before, after] = [now + eventPatienceMs - 1_000, now + eventPatienceMs + 1_000]
      await unread(before)
      expect(await due(9, before + 499)).toEqual([])
      await unread(after)
      expect(types(await due(9, after + 499))).toEqual(['completed'])
      expect((await due(9, after + 500)).map(({ event, attempt }) => [event.type, attempt])).toEqual([['page', 1]])
    })

    it('counts in the backlog what nobody has in hand, pages and deliveries', async () => {
      const backlog = (): Promise<object> => stores.second.backlog()
      expect(await backlog()).toEqual({ pages: 0, webhooks: 0 })
      await hooked('j', ['a', 'b', 'c'])
      expect(await backlog()).toEqual({ pages: 3, webhooks: 1 })
      await take(stores.first, 1)
      const [started] = await due()
      if (!started) throw new Error('a delivery')
      expect(await backlog()).toEqual({ pages: 2, webhooks: 0 })
      await stores.first.outbox.attempted(started, again(now + 500), now)
      await endAll()
      expect(await backlog()).toEqual({ pages: 0, webhooks: 3 })
      await stores.first.jobs.cancel('j', 'j-cancelled', now)
      expect(await backlog()).toEqual({ pages: 0, webhooks: 4 })
    })

    it('releases pages once `started` was tried, even if it failed', async () => {
      await hooked('j', ['a', 'b'])
      const [started] = await due()
      if (!started) throw new Error('started')
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first)))
      await stores.first.outbox.attempted(started, again(now + 500), now)
      expect(types(await due())).toEqual(['page'])
    })

    it('gives a delivery with an expired lease to another process, whose result counts', async () => {
      await hooked('j', ['a'])
      const [first] = await due()
      expect(await due(9, now + 99)).toEqual([])
      const [second] = await due(9, now + 100)
      if (!first || !second) throw new Error('two')
      expect(second).toMatchObject({ id: 'j-started', attempt: 1 })
      expect(await stores.first.outbox.attempted(first, ok, now)).toBe(false)
      expect(await stores.second.outbox.attempted(second, ok, now)).toBe(true)
      expect(await stores.second.outbox.attempted(second, ok, now)).toBe(false)
      expect(await stores.first.outbox.attempted({ id: 'unknown', token: 't' }, ok, now)).toBe(false)
    })

    it('does not count attempts whose process died or was stopped, and gives up a delivery after a dozen deaths', async () => {
      await hooked('j', ['a'], { events: ['started'] })
      const [broken] = await due()
      if (!broken) throw new Error('a delivery')
      await stores.first.outbox.attempted(broken, { ...again(now), counted: false }, now)
      const tries: unknown[] = []
      for (let died = 0; died < 3; died++) tries.push(...(await due(9, now + 100 * died)).map(({ attempt }) => attempt))
      const [failing] = await due(9, now + 300)
      if (!failing) throw new Error('a delivery')
      await stores.first.outbox.attempted(failing, again(now + 300), now)
      for (let died = 3; died < 12; died++) tries.push(...(await due(9, now + 100 * died)).map(({ attempt }) => attempt))
      expect([failing.attempt, tries]).toEqual([1, [1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2]])
      expect(await due(9, now + 1_200)).toMatchObject([{ id: 'j-started', job: { id: 'j' }, attempt: 2, givenUp: 'The service ended each time it tried.' }])
      expect(await due(9, now + 1_300)).toEqual([])
      expect(await stores.second.outbox.list({ limit: 9 })).toMatchObject([{ state: 'given-up', attempts: 2, reason: 'The service ended each time it tried.', runAt: now + 1_200 }])
      expect(await stores.first.outbox.redeliver({ job: 'j' }, now)).toBe(1)
      for (let died = 0; died < 12; died++) expect(await due(9, now + 100 * died)).toMatchObject([{ attempt: 1 }])
    })

    it('does not let the first event block a job forever if its process died', async () => {
      await hooked('j', ['a', 'b'])
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first)))
      for (const lapsed of [0, 100, 200, 300]) expect(types(await due(9, now + lapsed))).toEqual(['started'])
      expect(types(await due(9, now + 350))).toEqual(['page'])
    })

    it('keeps the outcome of each delivery', async () => {
      await hooked('j', ['a', 'b', 'c'])
      await endAll()
      await acknowledge(await due())
      const [a, b, c] = await due()
      if (!a || !b || !c) throw new Error('three')
      await stores.first.outbox.attempted(a, again(now + 7), now)
      await stores.first.outbox.attempted(b, { kind: 'given-up', reason: 'HTTP 404' }, now)
      await acknowledge([c])
      const row = { team: 'a', job: 'j', url: hook.url, attempts: 1, runAt: now, reason: null }
      expect(await stores.second.outbox.list({ limit: 9 })).toEqual([
        { ...row, id: expect.any(String), type: 'completed', state: 'waiting', attempts: 0 },
        { ...row, id: c.id, type: 'page', state: 'delivered' },
        { ...row, id: b.id, type: 'page', state: 'given-up', reason: 'HTTP 404' },
        { ...row, id: a.id, type: 'page', state: 'waiting', reason: 'HTTP 500', runAt: now + 7 },
        { ...row, id: 'j-started', type: 'started', state: 'delivered' },
      ])
      expect((await stores.second.outbox.list({ state: 'given-up', team: 'a', job: 'j', limit: 9 })).map((r) => r.id)).toEqual([b.id])
      expect(await stores.second.outbox.list({ team: 'b', limit: 9 })).toEqual([])
      expect(await stores.second.outbox.list({ limit: 2 })).toHaveLength(2)
    })

    it('redelivers on demand', async () => {
      await hooked('j', ['a', 'b'])
      await endAll()
      await acknowledge(await due())
      const [a, b] = await due()
      if (!a || !b) throw new Error('two')
      await stores.first.outbox.attempted(a, { kind: 'given-up', reason: 'x' }, now)
      await acknowledge([b])
      expect(await stores.second.outbox.redeliver({ job: 'j' }, now + 5)).toBe(2)
      expect((await due(9, now + 5)).map(({ event, attempt }) => [event.type, attempt])).toEqual([['page', 1], ['completed', 1]])
      expect(await stores.second.outbox.redeliver({ id: b.id }, now + 6)).toBe(1)
      expect((await due(9, now + 6)).map(({ id, attempt }) => [id, attempt])).toEqual([[b.id, 1]])
      expect(await stores.second.outbox.redeliver({ id: 'unknown' }, now)).toBe(0)
      expect(await stores.second.outbox.redeliver({}, now)).toBe(0)
    })

    it('returns when the next delivery is due', async () => {
      expect(await stores.first.outbox.next()).toBeNull()
      await hooked('j', ['a'])
      expect(await stores.second.outbox.next()).toBe(now)
      const [started] = await due()
      if (!started) throw new Error('started')
      expect(await stores.second.outbox.next()).toBe(now + 100)
      await stores.first.outbox.attempted(started, again(now + 60_000), now)
      expect(await stores.second.outbox.next()).toBe(now + 60_000)
      await acknowledge(await due(9, now + 60_000))
      expect(await stores.second.outbox.next()).toBeNull()
    })

    it('notifies listeners about new pages and deliveries', async () => {
      const woken = vi.fn()
      const stop = stores.first.queue.onChange(woken)
      const wakes = async (work: () => Promise<unknown>): Promise<void> => {
        woken.mockClear()
        await work()
        await vi.waitFor(() => expect(woken).toHaveBeenCalled(), { timeout: 900, interval: 5 })
      }
      await wakes(() => hooked('j', ['a', 'b']))
      const [a, b] = await take(stores.first, 2)
      if (!a || !b) throw new Error('two pages')
      await wakes(() => stores.first.jobs.settle(pageEnd(a)))
      await wakes(() => stores.first.jobs.giveBack(b, { runAt: now, postponed: false }, now))
      await wakes(() => stores.first.jobs.append('j', [], [], now))
      await wakes(() => stores.first.jobs.cancel('j', 'e', now))
      stop()
    })
  })
}
