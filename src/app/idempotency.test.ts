import { expect, it } from 'vitest'
import { memoryBlobs } from '../../test/fakes.ts'
import { ServiceError, StoreAway } from '../domain/errors.ts'
import { type Claim, type Claimed, repeatMs } from '../domain/teams/repeats.ts'
import { type IdempotencyPorts, idOfKey, runOnce } from './idempotency.ts'

const request = { team: 't', route: 'POST /v2/scrape', key: 'k', body: Buffer.from('{}'), until: 1_000, keepable: true }
const fresh: Claim = { kind: 'fresh', id: 'i', again: false }

/** A store that answers every claim with this one, and what became of the claims. */
function ports(claim: Claim, finish = async (): Promise<void> => undefined) {
  const ends: string[] = []
  const store: IdempotencyPorts = {
    idempotency: { claim: async () => claim, finish: () => finish().then(() => void ends.push('finished')), abandon: async (_scope, _body, _until, id) => void ends.push(id) },
    blobs: memoryBlobs(),
    now: () => 0,
  }
  return { store, ends }
}

it.each([
  ['which the store may have lost the answer of', new StoreAway(new Error('broken off')), 'kept'],
  ['whose time was up, while a worker may have been at it', new ServiceError('SCRAPE_TIMEOUT'), 'kept'],
  ['that was charged for', new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR'), 'forgotten'],
])('the id of a failed request is kept unless its failure was charged: one %s', async (_which, error, id) => {
  const { store, ends } = ports(fresh)
  await expect(runOnce(request, store, () => Promise.reject(error))).rejects.toBe(error)
  expect(ends).toEqual([id])
})

it('the id of a completed request is kept if its answer could not be stored', async () => {
  const { store, ends } = ports(fresh, () => Promise.reject(new Error('away')))
  await expect(runOnce(request, store, async () => Buffer.from('done'))).rejects.toThrow('away')
  expect(ends).toEqual(['kept'])
  const zero = ports(fresh)
  await runOnce({ ...request, keepable: false }, zero.store, async () => Buffer.from('done'))
  expect(zero.ends).toEqual(['forgotten'])
})

it('a request runs under the id of its claim and knows whether it may be a repeat, also when a stored answer is missing', async () => {
  const given: Claimed[] = []
  const run = async ({ id, again }: Claimed): Promise<Uint8Array> => {
    given.push({ id, again })
    return Buffer.from('done')
  }
  for (const claim of [fresh, { ...fresh, again: true }, { kind: 'done', status: 200, blob: 'gone', id: 'i' } as const]) await runOnce(request, ports(claim).store, run) // `const`: narrows the type
  expect(given.map(({ id, again }) => `${id} ${again}`)).toEqual(['i false', 'i true', 'i true'])
})

it('a repeat gets the stored answer, and does not run', async () => {
  const { store, ends } = ports({ kind: 'done', status: 200, blob: '', id: 'i' })
  const blob = await store.blobs.put(Buffer.from('first'))
  const claims = { ...store, idempotency: { ...store.idempotency, claim: async (): Promise<Claim> => ({ kind: 'done', status: 200, blob, id: 'i' }) } }
  expect(await runOnce(request, claims, () => Promise.reject(new Error('must not run')))).toEqual({ status: 200, body: Buffer.from('first'), replayed: true })
  expect(ends).toEqual([])
})

it.each([
  ['its key was used with another body', 'other-body', undefined],
  ['the first request still runs', 'running', 1],
] as const)('a request does not run while %s', async (_why, kind, retryAfterSeconds) => {
  const { store, ends } = ports({ kind })
  await expect(runOnce(request, store, () => Promise.reject(new Error('must not run')))).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', retryAfterSeconds })
  expect(ends).toEqual([])
})

it('the answer of a request that ran is stored for as long as repeats may come', async () => {
  const { store } = ports(fresh)
  const finished: unknown[] = []
  const answer = await runOnce(request, { ...store, now: () => 7, idempotency: { ...store.idempotency, finish: async (_scope, _body, ...stored) => void finished.push(...stored) } }, async () => Buffer.from('done'))
  expect([answer, finished]).toEqual([{ status: 200, body: Buffer.from('done'), replayed: false }, [200, await store.blobs.put(Buffer.from('done')), 7 + repeatMs]])
})

it('the id of a key is a UUID, and another one wherever team, route and key meet otherwise', () => {
  expect(idOfKey({ team: 'a', route: 'b', key: 'c' })).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
  expect(idOfKey({ team: 'ab', route: 'c', key: 'd' })).not.toBe(idOfKey({ team: 'a', route: 'bc', key: 'd' }))
})

it('the claim of a request outlives its time by five seconds, in which what it wrote last is still its own', async () => {
  const { store } = ports(fresh)
  const untils: number[] = []
  const idempotency = { ...store.idempotency, claim: async (_scope: string, _body: string, _team: string, until: number) => (untils.push(until), fresh), abandon: async (_scope: string, _body: string, until: number) => void untils.push(until) }
  await expect(runOnce(request, { ...store, idempotency }, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(untils).toEqual([6_000, 6_000])
})
