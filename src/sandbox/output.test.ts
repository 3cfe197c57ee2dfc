import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { cpuMs } from '../../test/cpu.ts'
import { heapInUse } from '../../test/kept.ts'
import { cutMark, output, wholeText } from './output.ts'

it.each([
  ['of whole letters is unchanged', 'añ€😀', Buffer.from('añ€😀')],
  ['loses a letter that is cut', 'a', Buffer.from('a😀').subarray(0, 4)],
  ['keeps signs for bytes that are no text', 'a��', Buffer.from([0x61, 0xff, 0xff])],
])('text %s', (_, text, bytes) => expect(wholeText(bytes)).toBe(text))

it('text takes linear time for a megabyte of bytes that are none', () => {
  expect(cpuMs(() => wholeText(Buffer.concat([Buffer.alloc(1024 ** 2, 0xff), Buffer.from('a')])))).toBeLessThan(1_000)
})

const limits = { limit: 100_000, flood: 1_000_000 }

it.each([1, 7, 4_096, 300_000])('output keeps what fits of each run, written in pieces of %d bytes', async (size) => {
  const stream = new PassThrough({ highWaterMark: 1_000_000 })
  const out = output(stream, limits, () => undefined)
  for (const length of [50_000, 100_000, 250_000, 3]) {
    const text = 'abc'.repeat(Math.ceil(length / 3)).slice(0, length)
    const ended = out.until('END')
    const bytes = Buffer.from(`${text}END`)
    for (let at = 0; at < bytes.length; at += size) stream.emit('data', bytes.subarray(at, at + size))
    await ended
    expect(out.take()).toEqual(length > limits.limit ? { text: `${text.slice(0, limits.limit)}${cutMark(limits.limit)}`, cut: true } : { text, cut: false })
  }
})

it('output that is written byte by byte takes no more memory for that', () => {
  const stream = new PassThrough()
  const out = output(stream, { limit: 200_000, flood: 1_000_000 }, () => undefined)
  const before = heapInUse()
  for (let at = 0; at < 200_000; at++) stream.emit('data', Buffer.of(97))
  // A piece for each byte would take a hundred.
  expect((heapInUse() - before) / 200_000).toBeLessThan(10)
  expect(out.take().text).toBe('a'.repeat(200_000))
})
