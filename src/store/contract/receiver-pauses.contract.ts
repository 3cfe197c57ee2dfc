import { describe, expect, it } from 'vitest'
import { type Delivery, longestPauseMs } from '../../domain/jobs/outbox.ts'
import { eachStore, now } from './fixtures.contract.ts'
import { hook, pageEnd, start, takeOne } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

/** Receivers that want a pause. */
export function receiverPausesContract(name: string, subject: Subject): void {
  describe(`pauses of receivers on ${name}`, () => {
    const stores = eachStore(subject)
    const due = (at: number, limit = 10): Promise<readonly Delivery[]> => stores.second.outbox.take({ worker: 'w', limit, perReceiver: 10, leaseMs: 100 }, at)
    const deliver = async (): Promise<void> => void (await stores.first.jobs.settle(pageEnd(await takeOne(stores.first))))
    /** Delivers a page of a batch, whose receiver then wants a pause of so long; the refused delivery itself is due in a month. */
    const refuse = async (pauseMs: number): Promise<string> => {
      await start(stores.first, 'j', { job: { kind: 'batch', webhook: { ...hook, events: ['page'] } }, pages: ['a', 'b', 'c'] })
      await deliver()
      const [refused] = await due(now, 1)
      if (refused === undefined) throw new Error('one delivery')
      await stores.first.outbox.attempted(refused, { kind: 'again', reason: 'HTTP 429', runAt: now + 30 * 86_400_000, pauseUntil: now + pauseMs }, now)
      return refused.id
    }

    it('hold what comes after them, too, and no longer than they last', async () => {
      await refuse(500)
      await deliver()
      expect([(await due(now)).length, (await due(now + 499)).length, (await due(now + 500)).length]).toEqual([0, 0, 1])
    })

    it('are not shortened by an answer that asks for less', async () => {
      await start(stores.first, 'j', { job: { kind: 'batch', webhook: { ...hook, events: ['page'] } }, pages: ['a', 'b', 'c'] })
      for (let i = 0; i < 3; i++) await deliver()
      const [one, other] = await due(now, 2)
      if (one === undefined || other === undefined) throw new Error('two deliveries')
      await stores.first.outbox.attempted(one, { kind: 'again', reason: 'HTTP 429', runAt: now + 900, pauseUntil: now + 500 }, now)
      await stores.second.outbox.attempted(other, { kind: 'again', reason: 'HTTP 429', runAt: now + 900, pauseUntil: now + 100 }, now)
      expect([(await due(now + 499)).length, (await due(now + 500)).length]).toEqual([0, 1])
    })

    it('end when an operator wants something sent again', async () => {
      const id = await refuse(500)
      await deliver()
      expect(await stores.first.outbox.redeliver({ id }, now)).toBe(1)
      expect(await due(now)).toHaveLength(2)
    })

    it('hold nothing if they end later than any may: the clock was set back', async () => {
      await refuse(longestPauseMs + 1)
      await deliver()
      expect(await due(now)).toHaveLength(1)
    })

    it('change none of the deliveries that wait, however many', async () => {
      await start(stores.first, 'k', { job: { kind: 'batch', limit: 99, webhook: { ...hook, events: ['page'] } }, pages: ['d', 'e'] })
      for (const _ of 'de') await deliver()
      const id = await refuse(500)
      const others = (await stores.first.outbox.list({ limit: 9 })).filter((row) => row.id !== id)
      expect([others.map(({ runAt }) => runAt), await due(now + 1)]).toEqual([[now, now], []])
    })
  })
}
