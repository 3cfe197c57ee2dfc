import { describe, expect, it } from 'vitest'
import { eachStore, now } from './fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

/** Templates that were learned from the answers of models. */
export function templatesContract(name: string, subject: Subject): void {
  describe(`templates on ${name}`, () => {
    const stores = eachStore(subject)
    const key = { team: 'a', host: 'site.example', shape: '/p/*', ask: 'q' }

    it('are written only by a writer that knows the latest version', async () => {
      const { first, second } = stores
      expect(await first.templates.recall(key)).toBeNull()
      expect(await Promise.all([first, second].map((store) => store.templates.note(key, { state: '{}', version: null, at: now })))).toContain(true)
      expect(await first.templates.recall(key)).toEqual({ state: '{}', version: 1 })
      expect(await first.templates.note(key, { state: '1', version: null, at: now })).toBe(false)
      expect((await Promise.all([first, second].map((store, at) => store.templates.note(key, { state: String(at), version: 1, at: now })))).sort()).toEqual([false, true])
      expect((await second.templates.recall(key))?.version).toBe(2)
      for (const other of [{ team: 'b' }, { host: 'x' }, { shape: '/' }, { ask: 'r' }]) expect(await second.templates.recall({ ...key, ...other })).toBeNull()
    })

    it('count their uses, each number once', async () => {
      const { first, second } = stores
      await first.templates.note(key, { state: '{}', version: null, at: now })
      const uses = await Promise.all(Array.from({ length: 10 }, (_, at) => (at % 2 ? first : second).templates.use(key, now)))
      expect(uses.sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, at) => at + 1))
      expect(await first.templates.use({ ...key, ask: 'unknown' }, now)).toBe(0)
    })

    it('are swept two months after their last use', async () => {
      const { first } = stores
      await first.templates.note(key, { state: '{}', version: null, at: now - 1 })
      await first.templates.use(key, now)
      await first.sweep(now + 60 * 86_400_000 - 1)
      expect(await first.templates.recall(key)).not.toBeNull()
      await first.sweep(now + 60 * 86_400_000)
      expect(await first.templates.recall(key)).toBeNull()
    })

    it('are stored beside the abilities of models', async () => {
      const { first, second } = stores
      expect(await first.abilities.recall('m', 0)).toBeNull()
      await first.abilities.note('m', 'object', now)
      await second.abilities.note('m', 'prompt', now)
      expect([await first.abilities.recall('m', now - 1), await first.abilities.recall('m', now)]).toEqual(['prompt', null])
    })
  })
}
