import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { type Decode, gunzip, inflate, unbrotli } from './inflate.ts'

/** What a decoder makes of bytes that come in pieces of one size, and whether it says that they were complete. */
async function outcome(decode: Decode, bytes: Uint8Array, size = 7): Promise<[text: string, isWhole: boolean]> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const chunks: Uint8Array[] = []
  const decoding = decode(pieces())
  for (let next = await decoding.next(); ; next = await decoding.next()) {
    if (next.done === true) return [Buffer.concat(chunks).toString(), next.value]
    chunks.push(next.value)
  }
}

const text = Array.from({ length: 40 }, (_, i) => `line ${i} ${(i * 7_919) % 1_003}\n`).join('')
const garbage = Buffer.from('<!-- served by 7 -->')

const formats: readonly (readonly [string, Decode, (content: string) => Buffer, checks: number])[] = [
  ['gzip', gunzip, gzipSync, 8],
  ['zlib', inflate, deflateSync, 4],
  ['raw deflate', inflate, deflateRawSync, 0],
  ['brotli', unbrotli, brotliCompressSync, 0],
]

it.each(formats)('%s is decoded however it comes, and what comes behind it is left', async (_name, decode, compress) => {
  for (const size of [1, 3, 64, 10_000]) {
    expect(await outcome(decode, compress(text), size)).toEqual([text, true])
    expect(await outcome(decode, Buffer.concat([compress(text), garbage]), size)).toEqual([text, true])
  }
})

it.each(formats)('%s that is cut off gives what came, and is said to be incomplete', async (_name, decode, compress, checks) => {
  for (const content of [text, 'a few short words']) {
    const whole = compress(content)
    for (let length = 1; length < whole.length - checks; length += 1 + Math.floor(whole.length / 40)) {
      const [came, isWhole] = await outcome(decode, whole.subarray(0, length))
      expect([content.startsWith(came), isWhole, length]).toEqual([true, false, length])
    }
    expect(await outcome(decode, whole.subarray(0, whole.length - checks))).toEqual([content, true])
  }
})

it('a gzip file with all that its head may hold is decoded', async () => {
  const [plain, named] = [gzipSync(text), Buffer.from('\x05\x00extraname.html\0a comment\0\x12\x34', 'latin1')]
  const head = Buffer.from(plain.subarray(0, 10))
  head[3] = 0x1f
  for (const size of [1, 5, 10_000]) expect(await outcome(gunzip, Buffer.concat([head, named, plain.subarray(10)]), size)).toEqual([text, true])
})

it('gzip files one after another are one text; one that is broken is missing from it, which is said', async () => {
  const second = gzipSync('and more')
  for (const size of [1, 10_000]) {
    expect(await outcome(gunzip, Buffer.concat([gzipSync(text), second, gzipSync(''), Buffer.alloc(20)]), size)).toEqual([`${text}and more`, true])
    expect(await outcome(gunzip, Buffer.concat([gzipSync(text), second.subarray(0, 10), Buffer.from([7, 7, 7, 7])]), size)).toEqual([text, false])
  }
})

it('of gzip files without end only so many are read', async () => {
  const [one, nothing] = [gzipSync('x'), gzipSync('')]
  let pulled = 0
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (; ; pulled++) yield pulled === 0 ? one : nothing
  }
  const decoding = gunzip(endless())
  expect(Buffer.from((await decoding.next()).value as Uint8Array).toString()).toBe('x') // what a decoder gives before its end
  expect([await decoding.next(), pulled]).toEqual([{ done: true, value: false }, 1_024])
  expect(await outcome(gunzip, Buffer.concat(Array.from({ length: 1_024 }, () => one)), 64 * 1024)).toEqual(['x'.repeat(1_024), true])
})

it.each([
  ['gzip', gunzip, Buffer.from('<p>not compressed</p>')],
  ['gzip', gunzip, Buffer.concat([gzipSync(text).subarray(0, 10), Buffer.from([7, 7, 7, 7])])],
  ['brotli', unbrotli, Buffer.from('<p>not compressed</p>')],
] as const)('what is not %s is an error', async (_name, decode, bytes) => {
  await expect(outcome(decode, bytes)).rejects.toThrow()
})

it('a source that breaks off has given what came before, and its error', async () => {
  const bytes = gzipSync(text)
  async function* breaking(): AsyncGenerator<Uint8Array> {
    yield bytes.subarray(0, bytes.length / 2)
    throw new Error('broken off')
  }
  const chunks: Uint8Array[] = []
  await expect((async () => {
    for await (const chunk of gunzip(breaking())) chunks.push(chunk)
  })()).rejects.toThrow('broken off')
  const came = Buffer.concat(chunks).toString()
  expect([came.length > 20, text.startsWith(came)]).toEqual([true, true])
})

it('a decoder that is left leaves its source', async () => {
  let left = false
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield gzipSync(text)
    } finally {
      left = true
    }
  }
  for await (const chunk of gunzip(endless())) if (chunk.length > 0) break
  await expect.poll(() => left).toBe(true)
})
