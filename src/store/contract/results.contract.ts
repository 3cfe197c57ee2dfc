import { describe, expect, it } from 'vitest'
import { entry, eachStore, now, result, together } from './fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

/** What scrapes store. */
export function resultsContract(name: string, subject: Subject): void {
  describe(`results on ${name}`, () => {
    const stores = eachStore(subject)
    const cacheKey = { team: 'a', key: 'page' }

    it('store result, charge, capture and memo together', async () => {
      await stores.first.accounts.ensureTeam('a', 10, now)
      await stores.first.ledger.hold({ team: 'a' }, 'r1', 5, now + 100, now)
      const cached = entry('e1')
      await stores.first.results.settle({
        team: 'a',
        result: result('r1'),
        charge: { ref: 'r1', kind: 'scrape', credits: 1, at: now },
        cache: { ...cached, memo: { name: 'markdown', blob: 'memo', bytes: 20 } },
      })
      expect(await stores.second.results.find('r1')).toEqual(result('r1'))
      expect(await stores.second.ledger.balance('a', now)).toEqual({ granted: 10, used: 1, held: 0 })
      expect(await stores.second.cache.find(cacheKey, 0, now, 'markdown', now)).toEqual({ entry: cached, memo: 'memo' })
    })

    it('store nothing at all if one part cannot be stored', async () => {
      const broken = { team: 'nobody', result: result('r1'), charge: { ref: 'r1', kind: 'scrape', credits: 1, at: now }, cache: { ...entry('e1'), memo: null } }
      await expect(stores.first.results.settle(broken)).rejects.toThrow()
      expect(await stores.first.results.find('r1')).toBeNull()
      expect(await stores.first.cache.find(cacheKey, 0, now, 'markdown', now)).toBeNull()
      expect(await stores.first.ledger.balance('nobody', now)).toEqual({ granted: null, used: 0, held: 0 })
    })

    it('are not affected by another settlement that fails', async () => {
      await stores.first.accounts.ensureTeam('a', null, now)
      const outcomes = await together(stores, (store, i) =>
        store.results
          .settle({ team: i % 5 === 0 ? 'nobody' : 'a', result: result(`r${i}`), charge: { ref: `r${i}`, kind: 'scrape', credits: 1, at: now }, cache: null })
          .then(() => true, () => false),
      )
      expect(outcomes.filter(Boolean)).toHaveLength(16)
      expect((await stores.first.ledger.balance('a', now)).used).toBe(16)
      const found = await Promise.all(outcomes.map(async (_, i) => (await stores.second.results.find(`r${i}`)) !== null))
      expect(found).toEqual(outcomes)
    })

    it('may be settled empty', async () => {
      await stores.first.results.settle({ team: 'a', result: null, charge: null, cache: null })
      expect(await stores.first.results.find('r1')).toBeNull()
    })

    it('keep the first result when one is settled twice', async () => {
      await stores.first.results.settle({ team: 'a', result: result('r1'), charge: null, cache: null })
      await stores.first.results.settle({ team: 'a', result: result('r1', { blob: 'other' }), charge: null, cache: null })
      await stores.first.results.settle({ team: 'b', result: result('r1', { team: 'b' }), charge: null, cache: null })
      expect(await stores.first.results.find('r1')).toEqual(result('r1'))
    })

    it('keep a result whose blob is the whole body', async () => {
      await stores.first.results.settle({ team: 'a', result: result('r1', { frame: null }), charge: null, cache: null })
      expect(await stores.first.results.find('r1')).toEqual(result('r1', { frame: null }))
    })

    it('return an expired result until it is swept', async () => {
      await stores.first.results.settle({ team: 'a', result: result('r1', { expiresAt: now - 1 }), charge: null, cache: null })
      expect(await stores.first.results.find('r1')).toEqual(result('r1', { expiresAt: now - 1 }))
      await stores.first.sweep(now)
      expect(await stores.first.results.find('r1')).toBeNull()
    })
  })
}
