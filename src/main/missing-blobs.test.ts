import { expect, it } from 'vitest'
import type { Blobs } from '../domain/blobs.ts'
import { tellingOfMissing } from './missing-blobs.ts'

it('a blob that is missing is told of, and of many at once one line a minute', async () => {
  const said: unknown[] = []
  let now = 0
  const get: Blobs['get'] = async (key) => (key.startsWith('kept') ? new Uint8Array([1]) : null)
  const blobs = tellingOfMissing({ get } as unknown as Blobs, (...line) => said.push(line), () => now) // nothing else is asked
  expect(await blobs.get('kept')).toEqual(new Uint8Array([1]))
  expect(said).toEqual([])
  for (const key of ['a', 'b', 'c']) expect(await blobs.get(key.repeat(64))).toBeNull()
  now += 60_000
  expect(await blobs.get('d'.repeat(64))).toBeNull()
  expect(said).toEqual([
    ['warn', 'blob-missing', { blob: 'a'.repeat(16), missing: 1 }],
    ['warn', 'blob-missing', { blob: 'd'.repeat(16), missing: 3 }],
  ])
})
