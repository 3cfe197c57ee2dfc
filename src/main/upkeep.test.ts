import { afterEach, expect, it, vi } from 'vitest'
import type { Store } from '../domain/store.ts'
import { upkeep } from './upkeep.ts'

afterEach(() => void vi.useRealTimers())

/** The grace of each sweep of blobs up to an hour after the start. */
async function sweeps(alone: boolean): Promise<readonly number[]> {
  vi.useFakeTimers({ now: 1_000_000 })
  const sweep = vi.fn(async () => 0)
  const nothing = async (): Promise<never[]> => []
  const store = { sweep: nothing, blobsInUse: async () => new Set(), cache: { evict: nothing }, accounts: { touchKeys: nothing }, jobs: { watch: async () => ({ repaired: [], unseeded: [], ended: [] }) } } as unknown as Store // what is asked of it here
  const blobs = { put: async () => '', enclose: async () => ({ key: '', enclosed: null }), keep: async () => false, get: async () => null, remove: async () => 0, removeLate: async () => undefined, sweep }
  const keeper = upkeep(store, blobs, { terms: { refresh: async () => undefined }, claims: { abandonLate: async () => undefined }, cacheMaxBytes: 1, alone, now: Date.now, log: () => undefined })
  keeper.start()
  await vi.advanceTimersByTimeAsync(3_600_000)
  await keeper.stop()
  return sweep.mock.calls.map((args: readonly unknown[]) => Number(args[1]))
}

it('removes a minute after the start what a process before has left, all of it where no other process writes', async () => {
  expect([await sweeps(true), await sweeps(false)]).toEqual([[60_000, 3_600_000], [3_600_000, 3_600_000]])
})
