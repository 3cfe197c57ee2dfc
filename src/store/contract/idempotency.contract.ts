import { describe, expect, it } from 'vitest'
import { type Claim, repeatMs } from '../../domain/teams/repeats.ts'
import { eachStore, now, together } from './fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

/** Idempotency keys. */
export function idempotencyContract(name: string, subject: Subject): void {
  describe(`idempotency on ${name}`, () => {
    const stores = eachStore(subject)
    const claim = (body: string, at = now, scope = 's'): Promise<Claim> => stores.first.idempotency.claim(scope, body, 'a', at + 100, at)
    const fresh = (again = false): object => ({ kind: 'fresh', id: expect.any(String), again })
    const done = (blob: string): object => ({ kind: 'done', status: 200, blob, id: expect.any(String) })
    const idOf = async (claimed: Promise<Claim>): Promise<unknown> => {
      const it = await claimed
      return 'id' in it ? it.id : it.kind
    }

    it('gives the first caller the claim and tells later ones its state', async () => {
      expect(await claim('b')).toEqual(fresh())
      expect(await claim('b')).toEqual({ kind: 'running' })
      expect(await claim('other')).toEqual({ kind: 'other-body' })
      expect(await claim('b', now, 'another scope')).toEqual(fresh())
      await stores.first.idempotency.finish('s', 'b', 200, 'reply', now + 1_000)
      expect(await claim('b')).toEqual(done('reply'))
      expect(await claim('other')).toEqual({ kind: 'other-body' })
      expect([...(await stores.first.blobsInUse(['reply']))]).toEqual(['reply'])
    })

    it('gives the claim to exactly one of many', async () => {
      const claims = await together(stores, (store) => store.idempotency.claim('s', 'b', 'a', now + 100, now))
      expect(claims.filter((c) => c.kind === 'fresh')).toHaveLength(1)
      expect(claims.filter((c) => c.kind === 'running')).toHaveLength(19)
    })

    it('gives an expired claim to exactly one of many', async () => {
      await claim('b')
      const claims = await together(stores, (store, i) => store.idempotency.claim('s', `b${i}`, 'a', now + 300, now + 100))
      expect(claims.filter((c) => c.kind === 'fresh')).toHaveLength(1)
    })

    it('gives away a claim that was not finished in time, for any body', async () => {
      await claim('b')
      expect(await claim('b', now + 99)).toEqual({ kind: 'running' })
      expect(await claim('other', now + 100)).toEqual(fresh())
      expect(await claim('b', now + 100)).toEqual({ kind: 'other-body' })
    })

    it('forgets a reply when it expires', async () => {
      await claim('b')
      await stores.first.idempotency.finish('s', 'b', 200, 'reply', now + 500)
      expect(await claim('b', now + 499)).toEqual(done('reply'))
      expect(await claim('other', now + 500)).toEqual(fresh())
      expect((await stores.first.blobsInUse(['reply'])).size).toBe(0)
    })

    it('frees an abandoned claim, but only for the same body and if it is unfinished', async () => {
      await claim('b')
      await stores.first.idempotency.abandon('s', 'other', now + 100, 'forgotten')
      expect(await claim('b')).toEqual({ kind: 'running' })
      await stores.first.idempotency.abandon('s', 'b', now + 100, 'forgotten')
      expect(await claim('b')).toEqual(fresh())
      await stores.first.idempotency.finish('s', 'b', 200, 'reply', now + 500)
      await stores.first.idempotency.abandon('s', 'b', now + 100, 'forgotten')
      expect(await claim('b')).toEqual(done('reply'))
    })

    it('keeps the claim of another request with the same body that was made after the first expired', async () => {
      await claim('b')
      await claim('b', now + 100)
      await stores.first.idempotency.abandon('s', 'b', now + 100, 'forgotten')
      expect(await claim('b', now + 100)).toEqual({ kind: 'running' })
    })

    it('returns the same id for repeats of a request while its outcome is unknown and repeats are allowed', async () => {
      const first = await idOf(claim('b'))
      expect([await idOf(claim('b', now + 100)), await claim('b', now + 200)]).toEqual([first, { kind: 'fresh', id: first, again: true }])
      await stores.second.idempotency.abandon('s', 'b', now + 300, 'kept')
      expect(await claim('b', now + 201)).toEqual({ kind: 'fresh', id: first, again: true })
      // A sweep keeps it for as long.
      await stores.first.sweep(now + repeatMs - 1)
      expect(await claim('b', now + repeatMs - 1)).toEqual({ kind: 'fresh', id: first, again: true })
      await stores.first.sweep(now + 2 * repeatMs)
      const late = await claim('b', now + 2 * repeatMs)
      expect([late, 'id' in late && late.id !== first]).toEqual([fresh(), true])
    })

    it('returns a new id for another body, after a request that was finally given up, and when repeats are no longer allowed', async () => {
      const ids = [await idOf(claim('b')), await idOf(claim('other', now + 100))]
      await stores.first.idempotency.abandon('s', 'other', now + 200, 'forgotten')
      ids.push(await idOf(claim('other', now + 100)), await idOf(claim('other', now + 100 + repeatMs)))
      await stores.first.idempotency.finish('s', 'other', 200, 'reply', now + 2 * repeatMs)
      expect(await idOf(claim('other', now + 200 + repeatMs))).toBe(ids[3])
      ids.push(await idOf(claim('other', now + 2 * repeatMs)))
      expect(new Set(ids).size).toBe(5)
    })

    it('keeps the first reply, and none for another body', async () => {
      await claim('b')
      await stores.first.idempotency.finish('s', 'other', 500, 'wrong', now + 500)
      await stores.first.idempotency.finish('s', 'b', 200, 'first', now + 500)
      await stores.first.idempotency.finish('s', 'b', 200, 'second', now + 500)
      expect(await claim('b')).toEqual(done('first'))
    })

    it('survives many concurrent claims and abandonments', async () => {
      const rounds = await together(stores, async (store, i) => {
        const answer = await store.idempotency.claim('s', 'b', 'a', now + 100, now)
        if (answer.kind === 'fresh') await store.idempotency.abandon('s', 'b', now + 100, 'forgotten')
        return i >= 0 && (answer.kind === 'fresh' || answer.kind === 'running')
      })
      expect(rounds).toEqual(rounds.map(() => true))
    })
  })
}
