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

it('reads streams in base 85, as some programs write all of them', () => {
  const objects = (filter: string, data: Buffer): Objects => new Objects(stream(1, `/Filter ${filter} /Length ${data.length}`, data), new Map())
  expect(objects('/ASCII85Decode', Buffer.from('z87cUR D]i,"\nEbo7~>87cUR')).stream(1)?.toString('latin1')).toBe('\0\0\0\0Hello World')
  expect(objects('[ /ASCII85Decode /FlateDecode ]', Buffer.from('GapQd0MntV_P1"`1]S$K!jD~>')).stream(1)?.toString()).toBe('0 0 9 9 re f')
  expect(objects('[ /LZWDecode ]', Buffer.from('87cURD')).stream(1)).toBeNull()
})
