import { describe, expect, it } from 'vitest'
import { eachStore, now, together } from './fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

/** Profiles and their locks. */
export function profilesContract(name: string, subject: Subject): void {
  describe(`profiles on ${name}`, () => {
    const stores = eachStore(subject)
    const key = { team: 'a', name: 'hash of a name' }
    const state = { blob: 'blob-p', bytes: 7, savedAt: now }
    const quota = { profiles: 10, bytes: 1_000 }
    const lock = (token: string, at = now, profile = key): Promise<boolean> => stores.first.profiles.lock(profile, token, at + 100, at)

    it('are found once they are saved, by team and name', async () => {
      const { first, second } = stores
      expect([await first.profiles.find(key), await lock('x'), await first.profiles.find(key)]).toEqual([null, true, null])
      expect(await first.profiles.save(key, 'x', state, quota)).toBe('saved')
      expect(await second.profiles.find(key)).toEqual(state)
      expect([await second.profiles.find({ ...key, team: 'b' }), await second.profiles.find({ ...key, name: 'other' })]).toEqual([null, null])
      expect([...(await second.blobsInUse(['blob-p', 'other']))]).toEqual(['blob-p'])
    })

    it('have one writer, for concurrent requests', async () => {
      const answers = await together(stores, (store, i) => store.profiles.lock(key, `t${i}`, now + 100, now))
      expect(answers.filter(Boolean)).toHaveLength(1)
      expect([await lock('late'), await lock('other', now, { ...key, team: 'b' })]).toEqual([false, true])
    })

    it('are free again when they are released, or when the lock expires', async () => {
      const { profiles } = stores.first
      await lock('x')
      await profiles.release(key, 'not x')
      expect(await lock('y')).toBe(false)
      await profiles.release(key, 'x')
      expect([await profiles.find(key), await lock('y')]).toEqual([null, true])
      expect(await profiles.renew(key, 'y', now + 200)).toBe(true)
      expect([await lock('z', now + 199), await lock('z', now + 200)]).toEqual([false, true])
    })

    it('keep what the current writer saves, and nothing of a writer that lost the lock', async () => {
      const { profiles } = stores.first
      await lock('x')
      await lock('y', now + 100)
      expect([await profiles.renew(key, 'x', now + 900), await profiles.save(key, 'x', state, quota)]).toEqual([false, 'lost'])
      await profiles.release(key, 'x')
      expect([await profiles.save(key, 'y', { ...state, blob: 'blob-y' }, quota), await profiles.find(key)]).toEqual(['saved', { ...state, blob: 'blob-y' }])
      await profiles.release(key, 'y')
      expect([await profiles.save(key, 'y', state, quota), await profiles.find(key)]).toEqual(['lost', { ...state, blob: 'blob-y' }])
    })

    it('are limited by the quota of their team, even for concurrent saves', async () => {
      const keys = Array.from({ length: 6 }, (_, n) => ({ team: 'a', name: `n${n}` }))
      const strangers = { team: 'b', name: 'n0' }
      for (const [n, one] of [...keys, strangers].entries()) await stores.first.profiles.lock(one, `t${n}`, now + 100, now)
      expect(await stores.first.profiles.save(strangers, 't6', state, { profiles: 1, bytes: 7 })).toBe('saved')
      const saved = await together(stores, (store, n) => (n < 6 ? store.profiles.save(keys[n] ?? key, `t${n}`, state, { profiles: 4, bytes: 1_000 }) : Promise.resolve('none')))
      expect(saved.filter((one) => one === 'saved')).toHaveLength(4)
      const [kept = key] = keys.filter((_, n) => saved[n] === 'saved')
      expect(await stores.second.profiles.beside(kept)).toEqual({ profiles: 3, bytes: 21 })
      const token = `t${keys.indexOf(kept)}`
      const again = (bytes: number) => stores.first.profiles.save(kept, token, { ...state, bytes }, { profiles: 4, bytes: 100 })
      expect([await again(79), await again(80)]).toEqual(['saved', 'full'])
    })

    it('are saved, kept and removed for one team, whoever uses the same name and token', async () => {
      const { profiles } = stores.first
      const theirs = { ...key, team: 'b' }
      const other = { ...key, name: 'another' }
      await lock('x')
      expect([await profiles.remove(theirs, now), await profiles.remove(other, now)]).toEqual(['absent', 'absent'])
      for (const one of [theirs, other]) await lock('x', now, one)
      expect([await profiles.save(key, 'x', state, quota), await profiles.find(theirs), await profiles.find(other)]).toEqual(['saved', null, null])
      expect(await profiles.renew(key, 'x', now + 200)).toBe(true)
      expect([await lock('y', now + 100, theirs), await lock('y', now + 100, other), await lock('y', now + 100)]).toEqual([true, true, false])
      for (const one of [theirs, other]) await profiles.save(one, 'y', { ...state, blob: `blob of ${one.team} ${one.name}` }, quota)
      await profiles.release(key, 'x')
      expect([await lock('z', now + 199, theirs), await profiles.remove(key, now + 199)]).toEqual([false, state])
      expect([await profiles.find(key), (await profiles.find(theirs))?.blob, (await profiles.find(other))?.blob]).toEqual([null, 'blob of b hash of a name', 'blob of a another'])
    })

    it('are removed unless they are locked', async () => {
      const { profiles } = stores.first
      expect(await profiles.remove(key, now)).toBe('absent')
      await lock('x')
      await profiles.save(key, 'x', state, quota)
      expect([await profiles.remove(key, now), await profiles.find(key)]).toEqual(['locked', state])
      expect([await profiles.remove(key, now + 100), await profiles.find(key)]).toEqual([state, null])
      expect([await profiles.save(key, 'x', state, quota), await profiles.find(key)]).toEqual(['lost', null])
      expect([...(await stores.first.blobsInUse(['blob-p']))]).toEqual([])
    })

    it('lose expired locks without a profile to the sweep, and nothing else', async () => {
      const { first } = stores
      await lock('x')
      await first.profiles.lock({ ...key, name: 'kept' }, 'y', now + 100, now)
      await first.profiles.save({ ...key, name: 'kept' }, 'y', state, quota)
      await first.sweep(now + 99)
      expect(await first.profiles.renew(key, 'x', now + 100)).toBe(true)
      await first.sweep(now + 100_000_000_000)
      expect([await first.profiles.renew(key, 'x', now + 100), await first.profiles.find({ ...key, name: 'kept' })]).toEqual([false, state])
    })
  })
}
