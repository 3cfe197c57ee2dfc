import { afterEach, expect, it, vi } from 'vitest'
import type { Store } from '../domain/store.ts'
import { upkeep } from './upkeep.ts'

afterEach(() => void vi.useRealTimers())

/** The grace periods of the blob sweeps in the first hour. */
async function sweeps(alone: boolean, setMs = 0): Promise<readonly number[]> {
  vi.useFakeTimers({ now: 1_000_000 })
  const sweep = vi.fn(async () => 0)
  const nothing = async (): Promise<never[]> => []
  const store = { sweep: nothing, blobsInUse: async () => new Set(), cache: { evict: nothing }, accounts: { touchKeys: nothing }, shortenLeases: nothing, jobs: { watch: async () => ({ repaired: [], unseeded: [], ended: [] }) } } as unknown as Store // the parts that upkeep uses
  const blobs = { put: async () => '', enclose: async () => ({ key: '', enclosed: null }), keep: async () => false, get: async () => null, remove: async () => 0, removeLate: async () => undefined, sweep }
  const keeper = upkeep(store, blobs, { terms: { refresh: async () => undefined }, claims: { abandonLate: async () => undefined }, cacheMaxBytes: 1, leaseMs: 15_000, alone, now: Date.now, log: () => undefined })
  keeper.start()
  vi.setSystemTime(1_000_000 + setMs)
  await vi.advanceTimersByTimeAsync(3_600_000)
  await keeper.stop()
  return sweep.mock.calls.map((args: readonly unknown[]) => Number(args[1]))
}

it('a minute after the start, blobs of a previous process are removed, all of them if no other process writes', async () => {
  expect([await sweeps(true), await sweeps(false)]).toEqual([[60_000, 3_600_000], [3_600_000, 3_600_000]])
})

it('a clock that was set since the start lets no new blob look like one of a previous process', async () => {
  expect([await sweeps(true, -7_200_000), await sweeps(true, -5_000), await sweeps(true, 7_200_000)]).toEqual([[3_600_000, 3_600_000], [3_600_000, 3_600_000], [7_260_000, 3_600_000]])
})

/** Upkeep over a store that counts what it is asked for; `failing`: what rejects. */
function kept(failing: ReadonlySet<string> = new Set(), leaseMs = 15_000) {
  vi.useFakeTimers({ now: 1_000_000 })
  const asked: unknown[] = []
  const log: unknown[] = []
  const ask = async <T>(what: string, answer: T, ...details: readonly unknown[]): Promise<T> => {
    asked.push(details.length === 0 ? what : [what, ...details])
    if (failing.has(what)) throw new Error(`${what} fails`)
    return answer
  }
  const blobs = {
    put: async () => '', enclose: async () => ({ key: '', enclosed: null }), keep: async () => false, get: async () => null,
    remove: (keys: readonly string[], _inUse: unknown, graceMs: number) => ask('remove', 0, keys, graceMs), removeLate: () => ask('late removals', undefined), sweep: () => ask('blobs', 0),
  }
  const store = {
    sweep: (now: number) => ask('rows', ['a blob'], now), blobsInUse: async () => new Set(), cache: { evict: (most: number) => ask('cache', [], most) }, accounts: { touchKeys: (uses: unknown) => ask('keys', undefined, uses) },
    shortenLeases: (latest: number) => ask('leases', undefined, latest),
    jobs: { watch: (stillSince: number, now: number) => ask('jobs', { repaired: ['r'], unseeded: ['u'], ended: [] }, stillSince, now) },
  } as unknown as Store // the parts that upkeep uses
  const keeper = upkeep(store, blobs, { terms: { refresh: () => ask('terms', undefined) }, claims: { abandonLate: () => ask('claims', undefined) }, cacheMaxBytes: 77, leaseMs, alone: true, now: Date.now, log: (level, event, fields) => void log.push([level, event, ...Object.values(fields ?? {})]) })
  return { keeper, asked, log }
}

it('within a minute, all that is due is seen to: what expired, the cache, still jobs, late claims, terms', async () => {
  const { keeper, asked, log } = kept()
  keeper.start()
  await vi.advanceTimersByTimeAsync(60_000)
  const counts = ['claims', 'terms', 'late removals', 'blobs'].map((what) => asked.filter((one) => one === what).length)
  expect(counts).toEqual([60, 12, 1, 1])
  const seenTo = (what: string): unknown[] => asked.filter((one) => Array.isArray(one) && one[0] === what)
  expect(['jobs', 'rows', 'remove', 'cache'].map(seenTo)).toEqual([[['jobs', 970_000, 1_030_000], ['jobs', 1_000_000, 1_060_000]], [['rows', 1_060_000]], [['remove', ['a blob'], 60_000]], [['cache', 77]]])
  expect(log).toEqual([1, 2].flatMap(() => [['warn', 'job-watched', 'r', 'repaired'], ['warn', 'job-watched', 'u', 'unseeded']]))
  await keeper.stop()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(asked).toHaveLength(60 + 12 + 1 + 1 + 5 + 2)
})

it('leases that a process can only have by a clock that was set back since are shortened, and never one that a process may ask for', async () => {
  for (const [leaseMs, longest] of [[15_000, 300_000], [3_600_000, 3_600_000]] as const) {
    const { keeper, asked } = kept(new Set(), leaseMs)
    keeper.start()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked.filter((one) => Array.isArray(one) && one[0] === 'leases')).toEqual([['leases', 1_030_000 + longest], ['leases', 1_060_000 + longest]])
    await keeper.stop()
  }
})

it('the last use of each key is written every fifteen seconds, and at the end', async () => {
  const { keeper, asked } = kept()
  const written = (): unknown[] => asked.splice(0).filter((one) => Array.isArray(one) && one[0] === 'keys')
  keeper.start()
  keeper.keyUsed('a')
  await vi.advanceTimersByTimeAsync(1_000)
  for (const id of ['b', 'a']) keeper.keyUsed(id)
  await vi.advanceTimersByTimeAsync(13_999)
  expect(written()).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(written()).toEqual([['keys', [{ id: 'a', at: 1_001_000 }, { id: 'b', at: 1_001_000 }]]])
  await vi.advanceTimersByTimeAsync(15_000)
  expect(written()).toEqual([])
  keeper.keyUsed('c')
  await keeper.stop()
  expect(written()).toEqual([['keys', [{ id: 'c', at: 1_030_000 }]]])
})

it('what fails is said, tried again the next time, and stops nothing else', async () => {
  const { keeper, asked, log } = kept(new Set(['rows', 'claims', 'keys']))
  keeper.start()
  keeper.keyUsed('a')
  await vi.advanceTimersByTimeAsync(60_000)
  await keeper.stop()
  expect(log.filter((line) => Array.isArray(line) && line[0] === 'error').map((line) => (Array.isArray(line) ? line.slice(1).join(' ') : ''))).toEqual(expect.arrayContaining(['upkeep-failed keys Error: keys fails', 'upkeep-failed sweep Error: rows fails', 'upkeep-failed claims Error: claims fails']))
  expect([asked.filter((one) => one === 'claims').length, asked.filter((one) => one === 'blobs').length]).toEqual([60, 1])
})
