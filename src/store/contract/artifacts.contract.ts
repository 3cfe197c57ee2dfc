import { describe, expect, it } from 'vitest'
import { eachStore, now } from './fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

/** Files that answers link to. */
export function artifactsContract(name: string, subject: Subject): void {
  describe(`artifacts on ${name}`, () => {
    const stores = eachStore(subject)
    const artifact = { token: 't1', team: 'a', blob: 'blob-t1', media: 'image/png', expiresAt: now + 1_000 }
    const settle = (): Promise<unknown> => stores.first.results.settle({ team: 'a', result: null, charge: null, cache: null, artifacts: [artifact] })

    it('are stored with their settlement and found by their token', async () => {
      await settle()
      expect(await stores.second.results.artifact('t1')).toEqual(artifact)
      expect(await stores.second.results.artifact('t2')).toBeNull()
      expect([...(await stores.second.blobsInUse(['blob-t1', 'other']))]).toEqual(['blob-t1'])
    })

    it('are not stored if the settlement fails', async () => {
      const charge = { ref: 'r', kind: 'scrape', credits: 1, at: now }
      await expect(stores.first.results.settle({ team: 'nobody', result: null, charge, cache: null, artifacts: [artifact] })).rejects.toThrow()
      expect(await stores.second.results.artifact('t1')).toBeNull()
    })

    it('are swept when they have expired', async () => {
      await settle()
      await stores.first.sweep(now + 999)
      expect(await stores.first.results.artifact('t1')).toEqual(artifact)
      await stores.first.sweep(now + 1_000)
      expect(await stores.first.results.artifact('t1')).toBeNull()
    })
  })
}
