import { describe, expect, it } from 'vitest'
import { repeatMs } from '../../domain/teams/repeats.ts'
import { caching, eachStore, entry, now, result, task } from './fixtures.contract.ts'
import { hook, start, take } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

const hour = 3_600_000

/** Sweeping, used blobs, health and closing. */
export function upkeepContract(name: string, subject: Subject): void {
  describe(`upkeep on ${name}`, () => {
    const stores = eachStore(subject)

    it('tells the time of its database, in whole milliseconds', async () => {
      const before = Date.now()
      const time = await stores.second.time()
      expect(Number.isInteger(time)).toBe(true)
      // Another clock rounds in its own way.
      expect(Math.abs(time - (before + Date.now()) / 2)).toBeLessThanOrEqual((Date.now() - before) / 2 + 2)
    })

    it('sweeps what has expired and nothing else', async () => {
      const { first } = stores
      await first.accounts.ensureTeam('a', 10, now)
      await first.results.settle({ team: 'a', result: result('old', { expiresAt: now }), charge: null, cache: null })
      await first.results.settle({ team: 'a', result: result('new', { expiresAt: now + 1 }), charge: null, cache: null })
      await first.idempotency.claim('old claim', 'b', 'a', now, now - repeatMs)
      await first.idempotency.claim('lapsed claim', 'b', 'a', now, now + 1 - repeatMs)
      await first.idempotency.claim('new claim', 'b', 'a', now + 1, now - 1)
      for (const [scope, expiresAt] of [['old reply', now], ['new reply', now + 1]] as const) {
        await first.idempotency.claim(scope, 'b', 'a', now + 1, now - 1)
        await first.idempotency.finish(scope, 'b', 200, scope, expiresAt)
      }
      await first.ledger.hold({ team: 'a' }, 'old', 1, now, now - 1)
      await first.ledger.hold({ team: 'a' }, 'new', 2, now + 1, now - 1)
      await first.slots.acquire('a', 'old', 9, now, now - 1)
      await first.slots.acquire('a', 'new', 9, now + 1, now - 1)

      await first.sweep(now)

      expect(await first.results.find('old')).toBeNull()
      expect(await first.results.find('new')).toEqual(result('new', { expiresAt: now + 1 }))
      expect([...(await first.blobsInUse(['blob-old', 'blob-new', 'old reply', 'new reply']))].sort()).toEqual(['blob-new', 'new reply'])
      // Reads as of an earlier time, at which everything was valid: what is missing was deleted, not only hidden.
      expect((await first.ledger.balance('a', now - 1)).held).toBe(2)
      expect(await first.slots.inUse('a', now - 1)).toBe(1)
      expect(await first.idempotency.claim('old claim', 'other', 'a', now, now - 1)).toMatchObject({ kind: 'fresh', again: false })
      expect(await first.idempotency.claim('lapsed claim', 'b', 'a', now, now)).toMatchObject({ kind: 'fresh', again: true })
      expect(await first.idempotency.claim('new claim', 'other', 'a', now, now - 1)).toEqual({ kind: 'other-body' })
    })

    it('sweeps finished tasks that nobody waits for, an hour after their end', async () => {
      const { queue } = stores.first
      await queue.push([task('done'), task('waiting'), task('lapsed', { maxAttempts: 1 })])
      const taken = await queue.take('w', ['scrape'], 1, 100, now)
      await queue.done('done', taken[0]?.token ?? '', 'reply', now)
      await queue.push([task('first', { priority: -1, maxAttempts: 1 })])
      await queue.take('w', ['scrape'], 1, 100, now)
      await stores.first.sweep(now + hour - 1)
      expect(await queue.outcome('done')).toEqual({ kind: 'done', reply: 'reply' })
      expect(await queue.outcome('first')).toEqual({ kind: 'failed', reason: 'The worker stopped before the task was done.' })
      await stores.first.sweep(now + hour)
      expect(await queue.outcome('done')).toBeNull()
      expect(await queue.outcome('waiting')).toEqual({ kind: 'waiting' })
    })

    it('shortens the leases of a process that died before the clock was set back, and no others', async () => {
      const { first, second } = stores
      const [past, latest] = [now + 2 * hour, now + 60_000]
      const profile = { team: 'a', name: 'shop' }
      /** A process takes one of everything at that time, and is not heard of again. */
      const begin = async (at: number, worker: string): Promise<void> => {
        await first.jobs.beat(worker, at + 15_000, at)
        await first.sessions.beat({ id: worker, url: null, open: true, until: at + 15_000 }, at)
        await first.slots.acquire('a', worker, 9, at + 20_000, at)
      }
      await begin(past, 'dead')
      await begin(now, 'alive')
      await first.profiles.lock(profile, 'dead', past + 15_000, past)
      await first.queue.push([task('t')])
      await first.queue.take('dead', ['scrape'], 1, 15_000, past)
      await start(first, 'j', { job: { webhook: hook, createdAt: now }, pages: ['page'] })
      const orphans = async (at: number): Promise<unknown> => [
        (await second.sessions.owner('dead'))?.until, (await second.sessions.owner('alive'))?.until, await second.slots.inUse('a', at),
        (await second.queue.take('w', ['scrape'], 1, 15_000, at)).length, (await take(second, 1, {}, at)).length,
        (await second.outbox.take({ worker: 'w', limit: 1, perReceiver: 1, leaseMs: 35_000 }, at)).length, await second.profiles.lock(profile, 'w', at + 15_000, at),
      ]
      expect((await take(first, 1, { worker: 'dead' }, past)).length).toBe(1)
      expect((await first.outbox.take({ worker: 'dead', limit: 1, perReceiver: 1, leaseMs: 2 * hour }, now)).length).toBe(1)
      expect(await orphans(now + 30_000)).toEqual([past + 15_000, now + 15_000, 1, 0, 0, 0, false])
      await second.shortenLeases(latest)
      expect(await orphans(latest)).toEqual([latest, now + 15_000, 0, 1, 1, 1, true])
    })

    it('keeps the marker of the blob location, which only its holder can replace', async () => {
      const { first, second } = stores
      expect(await first.blobMarker.find()).toBeNull()
      expect([await first.blobMarker.replace(null, 'one'), await second.blobMarker.replace(null, 'two'), await second.blobMarker.replace('two', 'three')]).toEqual(['one', 'one', 'one'])
      expect(await second.blobMarker.replace('one', 'two')).toBe('two')
      expect(await first.blobMarker.find()).toBe('two')
      expect([...(await first.blobsInUse(['one', 'two']))]).toEqual(['two'])
    })

    it('sweeps any number of rows', async () => {
      await Promise.all(Array.from({ length: 1_300 }, (_, i) => stores.first.results.settle({ team: 'a', result: result(`r${i}`), charge: null, cache: null })))
      await stores.first.sweep(now + 1_000)
      expect((await stores.first.blobsInUse(Array.from({ length: 1_300 }, (_, i) => `blob-r${i}`))).size).toBe(0)
    })

    it('lists the used blobs', async () => {
      await stores.first.results.settle({ team: 'a', result: result('r'), charge: null, cache: null })
      await stores.first.results.settle(caching(entry('e'), { name: 'markdown', blob: 'memo', bytes: 1 }))
      const asked = ['blob-r', 'body-e', 'memo', ...Array.from({ length: 450 }, (_, i) => `unused ${i}`)]
      expect([...(await stores.second.blobsInUse(asked))].sort()).toEqual(['blob-r', 'body-e', 'memo'])
      expect((await stores.first.blobsInUse([])).size).toBe(0)
    })

    it('answers a ping', async () => {
      await expect(stores.first.ping()).resolves.toBeUndefined()
    })

    it('rejects everything once it is closed, and may be closed twice', async () => {
      const store = stores.first
      await store.close()
      await store.close()
      await expect(store.accounts.team('a')).rejects.toThrow('The store is closed.')
      await expect(store.accounts.ensureTeam('a', null, now)).rejects.toThrow('The store is closed.')
      await expect(store.ping()).rejects.toThrow('The store is closed.')
    })
  })
}
