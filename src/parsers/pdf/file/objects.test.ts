import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { Objects } from './objects.ts'

const stream = (number: number, head: string, data: Buffer): Buffer => Buffer.concat([Buffer.from(`${number} 0 obj\n<< ${head} >>\nstream\n`), data, Buffer.from('\nendstream\nendobj\n')])

it.each([3, 12, 345])('reads a stream whose length is object %i', (number) => {
  const data = deflateSync('dup 33 /arrowright put')
  const objects = new Objects(Buffer.concat([stream(1, `/Filter /FlateDecode /Length ${number} 0 R`, data), Buffer.from(`${number} 0 obj\n${data.length}\nendobj\n`)]), new Map())
  expect(objects.stream(1)?.toString()).toBe('dup 33 /arrowright put')
})

it('reads streams as long as they are not too many: each may be that of a thousand fonts', () => {
  const data = deflateSync(' '.repeat(3_000_000))
  const objects = new Objects(stream(1, `/Filter /FlateDecode /Length ${data.length}`, data), new Map())
  const read = Array.from({ length: 20 }, () => objects.stream(1)?.length ?? null)
  expect([read[0], read.at(-1)]).toEqual([3_000_000, null])
})
