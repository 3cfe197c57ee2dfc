import { describe, expect, it } from 'vitest'
import { eachStore, now, together } from './fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

/** The concurrency slots of a team. */
export function slotsContract(name: string, subject: Subject): void {
  describe(`slots on ${name}`, () => {
    const stores = eachStore(subject)
    const acquire = (holder: string, limit: number, at = now): Promise<boolean> => stores.first.slots.acquire('a', holder, limit, at + 100, at)

    it('are limited for each team', async () => {
      expect(await acquire('x', 1)).toBe(true)
      expect(await acquire('y', 1)).toBe(false)
      expect(await acquire('y', 2)).toBe(true)
      expect(await acquire('z', 0)).toBe(false)
      expect(await stores.first.slots.acquire('b', 'z', 1, now + 100, now)).toBe(true)
      expect(await stores.second.slots.inUse('a', now)).toBe(2)
      expect(await stores.second.slots.inUse('b', now)).toBe(1)
    })

    it('are limited for concurrent requests', async () => {
      const answers = await together(stores, (store, i) => store.slots.acquire('a', `h${i}`, 7, now + 100, now))
      expect(answers.filter(Boolean)).toHaveLength(7)
      expect(await stores.first.slots.inUse('a', now)).toBe(7)
    })

    it('count a holder once, who may acquire again', async () => {
      expect(await acquire('x', 1)).toBe(true)
      expect(await acquire('x', 1)).toBe(true)
      expect(await stores.first.slots.inUse('a', now)).toBe(1)
    })

    it('do not count an expired holder, unless it was renewed', async () => {
      await acquire('x', 2)
      await acquire('y', 2)
      await stores.first.slots.renew('x', now + 500)
      await stores.first.slots.renew('unknown', now + 500)
      expect(await stores.first.slots.inUse('a', now + 99)).toBe(2)
      expect(await stores.first.slots.inUse('a', now + 100)).toBe(1)
      expect(await acquire('z', 2, now + 100)).toBe(true)
      expect(await acquire('late', 2, now + 100)).toBe(false)
    })

    it('are not taken by those that wait for one', async () => {
      expect(await acquire('x', 1)).toBe(true)
      expect([await acquire('y', 1), await acquire('z', 1)]).toEqual([false, false])
      await stores.first.slots.renew('z', now + 9_000)
      await stores.first.slots.release('x')
      expect(await stores.second.slots.inUse('a', now)).toBe(0)
      expect([await acquire('y', 1), await acquire('z', 1), await stores.second.slots.inUse('a', now)]).toEqual([true, false, 1])
    })

    it('are free after they are released', async () => {
      await acquire('x', 1)
      await stores.first.slots.release('unknown')
      await stores.first.slots.release('x')
      expect(await acquire('y', 1)).toBe(true)
    })
  })
}
