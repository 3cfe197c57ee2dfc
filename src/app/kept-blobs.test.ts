import { expect, it } from 'vitest'
import { memoryBlobs } from '../../test/fakes.ts'
import { StoreAway } from '../domain/errors.ts'
import { eventPatienceMs } from '../domain/jobs/outbox.ts'
import { keptBlobs, namedBlob } from './kept-blobs.ts'

it('a blob that a row names and the store does not find is a fault of the store', async () => {
  const blobs = memoryBlobs()
  const key = await blobs.put(Buffer.from('kept'))
  expect(Buffer.from(await namedBlob(blobs, key)).toString()).toBe('kept')
  await expect(namedBlob(blobs, 'lost')).rejects.toBeInstanceOf(StoreAway)
})

it('a blob that is not found is a fault of the store soon after it was written, and gone later', async () => {
  const blobs = memoryBlobs()
  const key = await blobs.put(Buffer.from('kept'))
  let now = 1_000 + eventPatienceMs - 1
  const kept = keptBlobs(blobs, 1_000, () => now)
  await expect(kept.get('lost')).rejects.toBeInstanceOf(StoreAway)
  now += 1
  expect([await kept.get('lost'), Buffer.from((await kept.get(key)) ?? '').toString()]).toEqual([null, 'kept'])
})
