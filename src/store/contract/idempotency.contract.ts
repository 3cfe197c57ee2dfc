import { describe, expect, it } from 'vitest'
import { eachStore, now, together } from './fixtures.contract.ts'
import type { Subject } from './store.contract.ts'

/** Idempotency keys. */
export function idempotencyContract(name: string, subject: Subject): void {
  describe(`idempotency on ${name}`, () => {
    const stores = eachStore(subject)
    const claim = (body: string, at = now, scope = 's'): Promise<unknown> => stores.first.idempotency.claim(scope, body, 'a', at + 100, at)

    it('gives the first caller the claim and tells later ones what has become of it', async () => {
      expect(await claim('b')).toEqual({ kind: 'fresh' })
      expect(await claim('b')).toEqual({ kind: 'running' })
      expect(await claim('other')).toEqual({ kind: 'other-body' })
      expect(await claim('b', now, 'another scope')).toEqual({ kind: 'fresh' })
      await stores.first.idempotency.finish('s', 'b', 200, 'reply', now + 1_000)
      expect(await claim('b')).toEqual({ kind: 'done', status: 200, blob: 'reply' })
      expect(await claim('other')).toEqual({ kind: 'other-body' })
      expect([...(await stores.first.blobsInUse(['reply']))]).toEqual(['reply'])
    })

    it('gives the claim to exactly one of many', async () => {
      const claims = await together(stores, (store) => store.idempotency.claim('s', 'b', 'a', now + 100, now))
      expect(claims.filter((c) => c.kind === 'fresh')).toHaveLength(1)
      expect(claims.filter((c) => c.kind === 'running')).toHaveLength(19)
    })

    it('gives a lapsed claim to exactly one of many', async () => {
      await claim('b')
      const claims = await together(stores, (store, i) => store.idempotency.claim('s', `b${i}`, 'a', now + 300, now + 100))
      expect(claims.filter((c) => c.kind === 'fresh')).toHaveLength(1)
    })

    it('gives a claim away that was not finished in time, to any body', async () => {
      await claim('b')
      expect(await claim('b', now + 99)).toEqual({ kind: 'running' })
      expect(await claim('other', now + 100)).toEqual({ kind: 'fresh' })
      expect(await claim('b', now + 100)).toEqual({ kind: 'other-body' })
    })

    it('forgets a reply when it expires', async () => {
      await claim('b')
      await stores.first.idempotency.finish('s', 'b', 200, 'reply', now + 500)
      expect(await claim('b', now + 499)).toEqual({ kind: 'done', status: 200, blob: 'reply' })
      expect(await claim('other', now + 500)).toEqual({ kind: 'fresh' })
      expect((await stores.first.blobsInUse(['reply'])).size).toBe(0)
    })

    it('frees an abandoned claim, but neither another body nor a finished one', async () => {
      await claim('b')
      await stores.first.idempotency.abandon('s', 'other', now + 100)
      expect(await claim('b')).toEqual({ kind: 'running' })
      await stores.first.idempotency.abandon('s', 'b', now + 100)
      expect(await claim('b')).toEqual({ kind: 'fresh' })
      await stores.first.idempotency.finish('s', 'b', 200, 'reply', now + 500)
      await stores.first.idempotency.abandon('s', 'b', now + 100)
      expect(await claim('b')).toEqual({ kind: 'done', status: 200, blob: 'reply' })
    })

    it('keeps the claim of another request of the same body, made when the first had lapsed', async () => {
      await claim('b')
      await claim('b', now + 100)
      await stores.first.idempotency.abandon('s', 'b', now + 100)
      expect(await claim('b', now + 100)).toEqual({ kind: 'running' })
    })

    it('lets the first reply count, and none of another body', async () => {
      await claim('b')
      await stores.first.idempotency.finish('s', 'other', 500, 'wrong', now + 500)
      await stores.first.idempotency.finish('s', 'b', 200, 'first', now + 500)
      await stores.first.idempotency.finish('s', 'b', 200, 'second', now + 500)
      expect(await claim('b')).toEqual({ kind: 'done', status: 200, blob: 'first' })
    })

    it('survives claiming and abandoning by many at once', async () => {
      const rounds = await together(stores, async (store, i) => {
        const answer = await store.idempotency.claim('s', 'b', 'a', now + 100, now)
        if (answer.kind === 'fresh') await store.idempotency.abandon('s', 'b', now + 100)
        return i >= 0 && (answer.kind === 'fresh' || answer.kind === 'running')
      })
      expect(rounds).toEqual(rounds.map(() => true))
    })
  })
}
