import { expect, it } from 'vitest'
import { StoreAway } from '../domain/errors.ts'
import { composeStore } from './compose.ts'
import { wakeups } from './wakeups.ts'

/** A store whose sweep is away after so many batches, each of which erases a blob. */
function storeAwayAfter(batches: number) {
  let swept = 0
  const run = async (): Promise<unknown> => {
    if (swept === batches) throw new StoreAway(new Error('away'))
    return { more: true, erased: true, blobs: [`blob${swept++}`] }
  }
  return composeStore({ name: 'postgres', run, wakeups: wakeups(async () => false), close: async () => undefined })
}

it('a sweep that is interrupted returns what it has erased: nothing else knows of it', async () => {
  expect(await storeAwayAfter(2).sweep(0)).toEqual(['blob0', 'blob1'])
  await expect(storeAwayAfter(0).sweep(0)).rejects.toThrow(StoreAway)
})
