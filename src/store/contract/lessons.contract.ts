import { describe, expect, it } from 'vitest'
import { eachStore, now } from './fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

/** Lessons about fetching. */
export function lessonsContract(name: string, subject: Subject): void {
  describe(`lessons on ${name}`, () => {
    const stores = eachStore(subject)
    const key = { team: 'a', host: 'site.example', shape: '/p/*' }
    const lesson = { score: 4, uses: 1, at: now }

    it('are stored by team, host and shape; the last one counts', async () => {
      const { first, second } = stores
      expect(await first.lessons.recall(key)).toBeNull()
      await first.lessons.note(key, { score: -1, uses: 0, at: now - 1 })
      await first.lessons.note(key, lesson)
      expect(await second.lessons.recall(key)).toEqual(lesson)
      for (const other of [{ team: 'b' }, { host: 'x' }, { shape: '/' }]) expect(await second.lessons.recall({ ...key, ...other })).toBeNull()
    })

    it('are swept after two months', async () => {
      const { first } = stores
      await first.lessons.note(key, lesson)
      await first.sweep(now + 59 * 86_400_000)
      expect(await first.lessons.recall(key)).toEqual(lesson)
      await first.sweep(now + 60 * 86_400_000)
      expect(await first.lessons.recall(key)).toBeNull()
    })
  })
}
