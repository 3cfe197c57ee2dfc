import { afterEach, expect, it, vi } from 'vitest'
import type { Store } from '../domain/store.ts'
import { upkeep } from './upkeep.ts'

afterEach(() => void vi.useRealTimers())

/** The grace periods of the blob sweeps in the first hour. */
async function sweeps(alone: boolean, setMs = 0): Promise<readonly number[]> {
  vi.useFakeTimers({ now: 1_000_000 })
  const sweep = vi.fn(async () => 0)
  const nothing = async (): Promise<never[]> => []
  const store = { sweep: nothing, blobsInUse: async () => new Set(), cache: { evict: nothing }, accounts: { touchKeys: nothing }, jobs: { watch: async () => ({ repaired: [], unseeded: [], ended: [] }) } } as unknown as Store // the parts that upkeep uses
  const blobs = { put: async () => '', enclose: async () => ({ key: '', enclosed: null }), keep: async () => false, get: async () => null, remove: async () => 0, removeLate: async () => undefined, sweep }
  const keeper = upkeep(store, blobs, { terms: { refresh: async () => undefined }, claims: { abandonLate: async () => undefined }, cacheMaxBytes: 1, alone, now: Date.now, log: () => undefined })
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
