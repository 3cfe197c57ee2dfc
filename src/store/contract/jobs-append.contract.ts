import { describe, expect, it } from 'vitest'
import type { NewPage } from '../../domain/jobs/pages.ts'
import { eachStore, now } from './fixtures.contract.ts'
import { counts, newPage, start, take } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

/** Several times what the store adds in one transaction. */
const many: readonly NewPage[] = Array.from({ length: 7_000 }, (_, i) => newPage(`n${i}`))

/** Large additions to a job. */
export function jobsAppendContract(name: string, subject: Subject): void {
  describe(`large additions to a job on ${name}`, () => {
    const stores = eachStore(subject)

    /** Takes everything that is due; how many pages of `j` and of `k` it was. */
    const dueOfEach = async (): Promise<readonly number[]> => {
      const taken: string[] = []
      for (let more = 1; more > 0; ) {
        const tasks = await take(stores.second, 5_000, { teamPlaces: 10_000 })
        taken.push(...tasks.map(({ job }) => job))
        more = tasks.length
      }
      return ['j', 'k'].map((job) => taken.filter((one) => one === job).length)
    }

    it('add everything once, even when they are repeated', async () => {
      const skipped = many.map(({ url }) => ({ url: `${url}?`, reason: 'invalid' as const })) // `const`: narrows the type
      await start(stores.first, 'j', { job: { kind: 'batch', limit: 1, maxConcurrency: 10_000 } })
      expect(await stores.first.jobs.append('j', many.slice(0, 3), skipped, now)).toBe(true)
      expect(await counts(stores.first, 'j')).toMatchObject({ total: 4, skipped: 7_000 })
      expect(await stores.first.jobs.append('j', many, [], now)).toBe(true)
      expect(await counts(stores.first, 'j')).toMatchObject({ total: 7_001, skipped: 7_003 })
      expect(await stores.second.jobs.append('j', many, skipped, now)).toBe(true)
      expect(await counts(stores.first, 'j')).toMatchObject({ total: 7_001, skipped: 14_000 })
      // All of them are due.
      const taken = new Set<string>()
      for (let more = 1; more > 0; ) {
        const tasks = await take(stores.second, 8_000, { teamPlaces: 10_000 })
        for (const { url } of tasks) taken.add(url)
        more = tasks.length
      }
      expect(taken).toEqual(new Set(['https://site/', ...many.map(({ url }) => url)]))
      await stores.first.jobs.cancel('j', 'end', now)
      expect(await stores.first.jobs.append('j', many, skipped, now)).toBe(false)
    })

    it('hold back no page of another job', async () => {
      const own = many.slice(0, 2_001)
      await start(stores.first, 'k', { job: { kind: 'batch', limit: 9_000, maxConcurrency: 9_000, team: 'b' }, pages: own.map(({ key }) => key) })
      await start(stores.first, 'j', { job: { kind: 'batch', limit: 1, maxConcurrency: 9_000 } })
      expect(await stores.first.jobs.append('j', own, [], now)).toBe(true)
      expect(await dueOfEach()).toEqual([2_002, 2_001])
    })

    it('make no page of another job due that waits until the same moment', async () => {
      for (const id of ['j', 'k']) await start(stores.first, id, { job: { kind: 'batch', limit: 1, maxConcurrency: 9_000 } })
      // As long as an addition of several parts is held back.
      for (const task of await take(stores.first, 2)) await stores.first.jobs.giveBack(task, { runAt: now + (task.job === 'k' ? 60_000 : 0), postponed: true }, now)
      expect(await stores.first.jobs.append('j', many.slice(0, 2_001), [], now)).toBe(true)
      expect(await dueOfEach()).toEqual([2_002, 0])
    })
  })
}
