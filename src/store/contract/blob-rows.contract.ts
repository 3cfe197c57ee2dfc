import { describe, expect, it } from 'vitest'
import type { EnclosedBlob } from '../../domain/blobs.ts'
import type { Settlement } from '../../domain/pages/results.ts'
import { caching, eachStore, entry, now } from './fixtures.contract.ts'
import { delivered, pageEnd, start, take } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

const blob = (key: string, at = now, packed = new Uint8Array([0, 255, 10, 13, 39, 92])): EnclosedBlob => ({ key, packed, at })
const bringing = (...enclosed: readonly EnclosedBlob[]): Settlement => ({ team: 'a', result: null, charge: null, cache: null, enclosed })

/** Small blobs in rows. */
export function blobRowsContract(name: string, subject: Subject): void {
  describe(`blobs in rows on ${name}`, () => {
    const stores = eachStore(subject)
    const there = async (...keys: readonly string[]): Promise<readonly string[]> => {
      const found = await Promise.all(keys.map(async (key) => ((await stores.second.blobRows.find(key)) === null ? [] : [key])))
      return found.flat()
    }

    it('are stored with a settlement, unchanged', async () => {
      const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256)
      // A view is stored with its own bytes only.
      const view = bytes.subarray(7, 65_007)
      await stores.first.results.settle(bringing(blob('one'), blob('empty', now, new Uint8Array()), blob('view', now, view)))
      expect(Buffer.from((await stores.second.blobRows.find('one')) ?? []).toString('hex')).toBe('00ff0a0d275c')
      expect((await stores.second.blobRows.find('empty'))?.length).toBe(0)
      expect(Buffer.from((await stores.second.blobRows.find('view')) ?? []).equals(view)).toBe(true)
      expect([await stores.second.blobRows.find('none'), await stores.second.blobRows.keptAt('none')]).toEqual([null, null])
    })

    it('are replaced by a settlement that contains them again', async () => {
      await stores.first.results.settle(bringing(blob('one')))
      await stores.first.results.settle(bringing(blob('one', now + 5, new Uint8Array([1])), blob('one', now + 6, new Uint8Array([2]))))
      expect([...((await stores.second.blobRows.find('one')) ?? [])]).toEqual([2])
      expect(await stores.second.blobRows.keptAt('one')).toBe(now + 6)
    })

    it('are not stored if the settlement fails', async () => {
      await expect(stores.first.results.settle({ ...bringing(blob('one')), charge: { ref: 'r', kind: 'scrape', credits: 1, at: now } })).rejects.toThrow()
      expect(await there('one')).toEqual([])
    })

    it('are stored with the page of a job, and with the cached page of another job', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b', 'c'] })
      const [a, b, c] = await take(stores.first, 3)
      if (!a || !b || !c) throw new Error('three pages')
      const end = (task: typeof a, key: string, cache: Settlement['cache'] = null) => pageEnd(task, delivered(task, { finalKey: 'a', settlement: { enclosed: [blob(key)], cache } }))
      expect(await stores.first.jobs.settle(end({ ...a, token: 'old' }, 'of a lost one'))).toBe('lost')
      expect(await stores.first.jobs.settle(end(a, 'of a'))).toBe('settled')
      expect(await stores.first.jobs.settle(end(b, 'of b'))).toBe('duplicate')
      expect(await stores.first.jobs.settle(end(c, 'of c', caching(entry('e')).cache))).toBe('duplicate')
      expect(await there('of a lost one', 'of a', 'of b', 'of c')).toEqual(['of a', 'of c'])
    })

    it('are kept from a given time on, unless they do not exist', async () => {
      await stores.first.results.settle(bringing(blob('one')))
      expect([await stores.first.blobRows.keep('one', now + 9), await stores.first.blobRows.keep('none', now)]).toEqual([true, false])
      expect(await stores.second.blobRows.keptAt('one')).toBe(now + 9)
    })

    it('are listed by age, page by page, and removed if they are old', async () => {
      await stores.first.results.settle(bringing(blob('c', now), blob('a', now), blob('b', now - 1), blob('d', now + 1), blob('e', now + 2)))
      const pages = []
      for (let last: { at: number; key: string } | null = null; ; ) {
        const page: readonly { at: number; key: string }[] = await stores.second.blobRows.old(now + 2, last, 3)
        last = page.at(-1) ?? null
        if (last === null) break
        pages.push(page.map(({ key }) => key))
      }
      expect(pages).toEqual([['b', 'a', 'c'], ['d']])
      expect(await stores.first.blobRows.remove(['a', 'd', 'none'], now + 1)).toBe(1)
      expect(await there('a', 'b', 'c', 'd', 'e')).toEqual(['b', 'c', 'd', 'e'])
    })
  })
}
