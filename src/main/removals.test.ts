import { expect, it, vi } from 'vitest'
import type { Blobs } from '../domain/blobs.ts'
import { remembering } from './removals.ts'

const inUse = async (): Promise<ReadonlySet<string>> => new Set()

function remembered(): { readonly blobs: ReturnType<typeof remembering>; readonly remove: ReturnType<typeof vi.fn<Blobs['remove']>>; pass(ms: number): void } {
  let now = 0
  const remove = vi.fn<Blobs['remove']>(async () => 0)
  const nothing = { put: async () => '', enclose: async () => ({ key: '', enclosed: null }), keep: async () => false, get: async () => null, sweep: async () => 0 }
  return { blobs: remembering({ ...nothing, remove }, () => now), remove, pass: (ms) => void (now += ms) }
}

it('a removal is repeated when the blobs can no longer be too young', async () => {
  const { blobs, remove, pass } = remembered()
  await blobs.remove(['a', 'b'], inUse, 60_000)
  pass(60_000)
  await blobs.removeLate()
  expect(remove).toHaveBeenCalledTimes(1)
  await blobs.remove(['c'], inUse, 60_000)
  pass(1)
  await blobs.removeLate()
  expect(remove.mock.calls.map(([keys]) => keys)).toEqual([['a', 'b'], ['c'], ['a', 'b']])
  await blobs.removeLate()
  expect(remove).toHaveBeenCalledTimes(3)
})

it('a removal is repeated once more when copies that it has set aside have reached that age', async () => {
  const { blobs, remove, pass } = remembered()
  await blobs.remove(['a'], inUse, 60_000)
  for (const calls of [2, 3, 3]) {
    pass(60_001)
    await blobs.removeLate()
    expect(remove).toHaveBeenCalledTimes(calls)
  }
})

it('a removal in progress is not repeated concurrently, and blobs that are too young wait', async () => {
  const { blobs, remove, pass } = remembered()
  await blobs.remove(['a'], inUse, 60_000)
  await blobs.remove(['b'], inUse, 60_000)
  pass(60_001)
  await blobs.remove(['young'], inUse, 60_000)
  await Promise.all([blobs.removeLate(), blobs.removeLate()])
  pass(60_001)
  await blobs.removeLate()
  expect(remove.mock.calls.slice(3).map(([keys]) => keys)).toEqual([['a'], ['b'], ['young'], ['a'], ['b']])
})

it('a failed repetition is tried again after growing pauses, and then left to the sweep of all blobs', async () => {
  const { blobs, remove, pass } = remembered()
  await blobs.remove(['a'], inUse, 0)
  remove.mockRejectedValue(new Error('away'))
  for (const minutes of [0, 1, 2, 4, 8, 16, 32]) {
    const calls = remove.mock.calls.length
    if (minutes > 0) pass(minutes * 60_000)
    await blobs.removeLate()
    expect(remove).toHaveBeenCalledTimes(calls)
    pass(1)
    await expect(blobs.removeLate()).rejects.toThrow('away')
  }
  pass(86_400_000)
  await blobs.removeLate()
  expect(remove).toHaveBeenCalledTimes(8)
})

it('a repetition that failed and then succeeds is repeated as often as any other', async () => {
  const { blobs, remove, pass } = remembered()
  await blobs.remove(['a'], inUse, 60_000)
  pass(60_001)
  remove.mockRejectedValueOnce(new Error('away'))
  await expect(blobs.removeLate()).rejects.toThrow('away')
  for (const calls of [3, 4, 4]) {
    pass(60_001)
    await blobs.removeLate()
    expect(remove).toHaveBeenCalledTimes(calls)
  }
})

it('the number of remembered blobs is limited', async () => {
  const { blobs, remove, pass } = remembered()
  const many = Array.from({ length: 100_000 }, (_, i) => String(i))
  await blobs.remove(many, inUse, 0)
  await blobs.remove(['one more'], inUse, 0)
  for (const calls of [3, 4, 4]) {
    pass(1)
    await blobs.removeLate()
    expect(remove).toHaveBeenCalledTimes(calls)
  }
  // There is space again.
  await blobs.remove(['one more'], inUse, 0)
  pass(1)
  await blobs.removeLate()
  expect(remove.mock.calls.slice(4).map(([keys]) => keys)).toEqual([['one more'], ['one more']])
})
