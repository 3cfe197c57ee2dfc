import { Readable } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { decoded } from './coding.ts'

const large = Buffer.alloc(128 * 2 ** 20)

it.each([
  ['br', brotliCompressSync(large)],
  ['deflate', deflateSync(large)],
  // Without the checksum and the length at its end.
  ['gzip', gzipSync(large).subarray(0, -8)],
] as const)('a small body that becomes a large one is looked at for its end without being held once more: %s', async (coding, bytes) => {
  const { chunks, checked } = decoded(Readable.from([bytes]), coding)
  let length = 0
  for await (const chunk of chunks) length += (chunk as Buffer).byteLength // what a decoder gives
  expect(length).toBe(large.byteLength)
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  const look = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 1)
  const { truncated } = checked({ body: large, truncated: false })
  clearInterval(look)
  expect(truncated).toBe(false)
  expect(most).toBeLessThan(large.byteLength / 2)
}, 60_000)
