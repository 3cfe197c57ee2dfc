import { describe, expect, it } from 'vitest'
import { eachStore, now, together } from './fixtures.contract.ts'
import { pageEnd, takeOne } from './jobs-fixtures.contract.ts'
import { again, ok, outboxHands, types } from './outbox-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

/** What receivers get at once, and those that want no more, or a pause. */
export function outboxReceiversContract(name: string, subject: Subject): void {
  describe(`receivers of the outbox on ${name}`, () => {
    const stores = eachStore(subject)
    const { due, hooked, endAll, acknowledge } = outboxHands(stores)

    it('limits the deliveries in flight per receiver over the fleet', async () => {
      for (const id of ['dead', 'same', 'other']) await hooked(id, ['a', 'b', 'c', 'd', 'e'], { events: ['page'], url: `https://${id === 'other' ? 'other' : 'hooks'}.example/?of=${id}` })
      await endAll()
      const taken = await due(10, now, 3)
      expect(taken.map((d) => d.job.id === 'other')).toEqual([false, false, false, true, true, true])
      expect(await stores.second.outbox.take({ worker: 'v', limit: 9, perReceiver: 3, leaseMs: 100 }, now)).toEqual([])
      await acknowledge(taken.slice(3))
      expect((await due(10, now, 3)).map((d) => d.job.id)).toEqual(['other', 'other'])
      const [one] = taken
      if (!one) throw new Error('a delivery')
      await stores.first.outbox.attempted(one, again(now + 9_000), now)
      expect((await due(10, now, 3)).map((d) => d.job.id)).not.toContain('other')
    })

    it('distinguishes receivers by their address without its query, and by team', async () => {
      const urls = ['https://r.example/a?x=1', 'https://r.example/a?x=2', 'https://r.example/b', 'https://r.example:444/a', 'http://r.example/a', 'https://s.example/a']
      for (const [i, url] of urls.entries()) await hooked(`j${i}`, ['a'], { url })
      expect(await due(10, now, 1)).toHaveLength(5)
      await hooked('theirs', ['a'], { url: 'https://r.example/a' }, 'b')
      expect((await due(10, now, 1)).map(({ job }) => job.id)).toEqual(['theirs'])
    })

    it('prefers receivers with the fewest deliveries in flight', async () => {
      for (const id of ['x', 'y', 'z']) await hooked(id, ['a', 'b', 'c'], { events: ['page'], url: `https://${id}.example/` })
      await endAll()
      expect((await due(2, now, 2)).map((d) => d.job.id)).toEqual(['x', 'x'])
      expect((await due(2, now, 2)).map((d) => d.job.id)).toEqual(['y', 'y'])
      expect((await due(1, now, 3)).map((d) => d.job.id)).toEqual(['z'])
      expect((await due(9, now, 3)).map((d) => d.job.id)).toEqual(['z', 'z', 'x', 'y'])
    })

    it('prefers teams with the fewest deliveries in flight, and then hosts, however many receivers there are', async () => {
      for (const id of ['dead1', 'dead2', 'dead3']) await hooked(id, ['a', 'b'], { events: ['page'], url: `https://dead.example/${id}` })
      await endAll()
      expect((await due(4, now, 2)).map((d) => d.job.id)).toEqual(['dead1', 'dead1', 'dead2', 'dead2'])
      await hooked('own', ['a'], { events: ['page'], url: 'https://live.example/' })
      await hooked('theirs', ['a', 'b'], { events: ['page'], url: 'https://dead.example/dead3' }, 'b')
      await endAll()
      expect((await due(1, now, 2)).map((d) => d.job.id)).toEqual(['theirs'])
      expect((await due(2, now, 2)).map((d) => d.job.id)).toEqual(['theirs', 'own'])
      expect((await due(9, now, 2)).map((d) => d.job.id)).toEqual(['dead3', 'dead3'])
    })

    it('holds all deliveries for a receiver that wants a pause, and no others', async () => {
      for (const id of ['j', 'k', 'else']) await hooked(id, ['a', 'b'], { events: ['page'], url: `https://${id === 'else' ? 'else' : 'busy'}.example/?of=${id}` })
      await endAll()
      const [refused] = await due(1, now, 1)
      if (!refused) throw new Error('one')
      expect(await stores.first.outbox.attempted(refused, { ...again(now + 900), pauseUntil: now + 500 }, now)).toBe(true)
      expect((await due(9, now)).map(({ job }) => job.id)).toEqual(['else', 'else'])
      expect(await due(9, now + 499)).toMatchObject([{ job: { id: 'else' } }, { job: { id: 'else' } }])
      expect((await due(9, now + 500)).map(({ job, attempt }) => [job.id, attempt])).toEqual([['j', 1], ['k', 1], ['k', 1]])
      expect((await due(9, now + 900)).map(({ id }) => id)).toContain(refused.id)
    })

    it('stops all deliveries of a job whose receiver wants no more', async () => {
      await hooked('j', ['a', 'b'])
      await hooked('k', ['a', 'b'])
      await endAll()
      const started = await due()
      await acknowledge(started)
      const pages = await due()
      const [one, other] = pages.filter((d) => d.job.id === 'j')
      if (!one || !other) throw new Error('two pages')
      expect(await stores.first.outbox.attempted(one, { kind: 'stopped', reason: 'HTTP 410' }, now)).toBe(true)
      expect(await stores.first.outbox.attempted(other, ok, now)).toBe(false)
      expect((await stores.first.outbox.list({ job: 'j', limit: 9 })).map((r) => r.state)).toEqual(['stopped', 'stopped', 'stopped', 'delivered'])
      expect((await stores.first.outbox.list({ job: 'k', limit: 9 })).map((r) => r.state)).toEqual(['waiting', 'waiting', 'waiting', 'delivered'])
    })

    it('stops later deliveries of a job whose receiver wants no more, but keeps them for redelivery', async () => {
      await hooked('j', ['a', 'b'], { events: ['started', 'page', 'completed'] })
      const [started] = await due()
      if (!started) throw new Error('one')
      expect(await stores.first.outbox.attempted(started, { kind: 'stopped', reason: 'HTTP 410' }, now)).toBe(true)
      await endAll()
      const later = 'The receiver wants no more of this job.'
      expect((await stores.second.outbox.list({ job: 'j', limit: 9 })).map((r) => [r.type, r.state, r.reason])).toEqual([
        ['completed', 'stopped', later], ['page', 'stopped', later], ['page', 'stopped', later], ['started', 'stopped', 'HTTP 410'],
      ])
      expect((await stores.second.jobs.events('j', 0, 9)).map(({ type }) => type)).toEqual(['started', 'page', 'page', 'completed'])
      expect([await due(), await stores.first.outbox.next()]).toEqual([[], null])
      expect(await stores.second.outbox.redeliver({ job: 'j' }, now)).toBe(4)
      const again = await due()
      expect(types(again)).toEqual(['started', 'page', 'page'])
      await acknowledge(again)
      expect(types(await due())).toEqual(['completed'])
    })

    it('resumes later deliveries of a job when all are redelivered', async () => {
      await hooked('j', ['a', 'b'])
      const [started] = await due()
      if (!started) throw new Error('one')
      await stores.first.outbox.attempted(started, { kind: 'stopped', reason: 'HTTP 410' }, now)
      await stores.first.jobs.settle(pageEnd(await takeOne(stores.first)))
      expect(await stores.second.outbox.redeliver({ id: started.id }, now)).toBe(1)
      const [alone] = await due()
      if (!alone) throw new Error('one')
      await stores.first.outbox.attempted(alone, { kind: 'stopped', reason: 'HTTP 410' }, now)
      expect(await stores.second.outbox.redeliver({ job: 'j' }, now)).toBe(2)
      await endAll()
      const first = await due()
      expect(types(first)).toEqual(['started', 'page', 'page'])
      await acknowledge(first)
      expect(types(await due())).toEqual(['completed'])
    })

    it('gives each delivery to one process, and limits each receiver, for concurrent takes', async () => {
      for (let i = 0; i < 8; i++) await hooked(`j${i}`, ['a', 'b'], { events: ['page'], url: `https://r${i % 2}.example/` })
      await endAll()
      const taken = (await together(stores, (store, i) => store.outbox.take({ worker: `w${i}`, limit: 3, perReceiver: 4, leaseMs: 100 }, now))).flat()
      expect(new Set(taken.map((d) => d.id)).size).toBe(taken.length)
      expect(['https://r0.example/', 'https://r1.example/'].map((url) => taken.filter((d) => d.job.webhook?.url === url).length)).toEqual([4, 4])
    })
  })
}
