import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { AnswerBody } from './body.ts'
import { Malformed } from './head.ts'

const quiet = { pause: () => undefined, resume: () => undefined, leave: () => undefined }

async function textOf(body: AnswerBody): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts).toString('latin1')
}

/** Feeds the text to a body in pieces of this size; returns how many bytes it took. */
function give(body: AnswerBody, text: string, size: number): number {
  const bytes = Buffer.from(text, 'latin1')
  let taken = 0
  for (let at = 0; at < bytes.length && !body.complete && !body.hasFailed; at += size) taken += body.take(bytes.subarray(at, at + size))
  return taken
}

const chunked = 'A;x="y"\r\n0123456789\r\n1 \r\n\n\r\n0003\r\nabc\r\n0\r\nX-T: 1\r\n\r\n'

describe('a body', () => {
  it.each([1, 2, 3, 7, 100])('of chunks is the same in pieces of %i, and ends after its trailers', async (size) => {
    const body = new AnswerBody({ by: 'chunks' }, quiet)
    expect([give(body, `${chunked}HTTP/1.1`, size), await textOf(body)]).toEqual([chunked.length, '0123456789\nabc'])
  })

  it('of chunks of one byte comes in the pieces in which it was received, as each piece costs memory and time', async () => {
    const body = new AnswerBody({ by: 'chunks' }, quiet)
    give(body, `${'1\r\na\r\n'.repeat(1_000)}${'1\r\nb\r\n'.repeat(500)}0\r\n\r\n`, 6_000)
    const pieces: number[] = []
    for await (const piece of body) pieces.push(piece.length)
    expect(pieces).toEqual([1_000, 500])
  })

  it.each(['1\r\nx\r\n', '1;a\r\nx\r\n'])('of chunks of one byte, %j, costs little more than to look at each byte, as all others wait', (chunk) => {
    const bytes = Buffer.from(chunk.repeat(60_000 / chunk.length))
    const times = [...Array(24).keys()]
    let sum = 0
    const look = (): void => times.forEach(() => bytes.forEach((byte) => (sum = (sum * 31 + byte) | 0)))
    const take = (): void => {
      const body = new AnswerBody({ by: 'chunks' }, quiet)
      for (const _ of times) body.take(bytes)
    }
    const least = (f: () => void): number => Math.min(...times.slice(0, 6).map(() => cpuMs(f)))
    expect(least(take) / least(look)).toBeLessThan(4)
    expect(sum).not.toBe(0)
  })

  it('of chunks that become invalid contains what came before', async () => {
    const body = new AnswerBody({ by: 'chunks' }, quiet)
    give(body, '1\r\na\r\n1\r\nb\r\nx\r\n', 1_000)
    expect(String((await body.next()).value)).toBe('ab')
    await expect(body.next()).rejects.toThrow(Malformed)
  })

  it.each([1, 4, 100])('of a known length is the same in pieces of %i, and takes no more', async (size) => {
    const body = new AnswerBody({ by: 'length', bytes: 5 }, quiet)
    expect([give(body, 'hello, world', size), await textOf(body)]).toEqual([5, 'hello'])
  })

  it('that ends with its connection contains all that came', async () => {
    const body = new AnswerBody({ by: 'close' }, quiet)
    const read = textOf(body)
    give(body, 'hello', 2)
    body.end(null)
    expect(await read).toBe('hello')
  })

  it.each([
    ['x\r\n', Malformed],
    ['-1\r\n', Malformed],
    ['\r\n', Malformed],
    ['1\n', Malformed],
    ['1\r\nab', undefined],
    ['1\r\nab\r\n', Malformed],
    ['1 1\r\n', Malformed],
    ['fffffffffffff\r\n', Malformed],
    [`1;${'x'.repeat(9000)}`, Malformed],
    [`1;${'x'.repeat(9000)}\r\na\r\n0\r\n\r\n`, Malformed],
    [`0\r\n${`X: ${'x'.repeat(1000)}\r\n`.repeat(70)}`, Malformed],
  ])('with invalid chunks fails: %j', async (text, kind = Error) => {
    for (const size of [1, 1000, 100_000]) {
      const body = new AnswerBody({ by: 'chunks' }, quiet)
      give(body, text, size)
      body.end(null)
      await expect(textOf(body)).rejects.toThrow(kind)
    }
  })

  it.each([[{ by: 'chunks' }], [{ by: 'length', bytes: 9 }], [{ by: 'close' }]] as const)('of %j that breaks off returns what came and then fails', async (framing) => {
    const body = new AnswerBody(framing, quiet)
    give(body, '2\r\nab', 100)
    body.end(new Error('reset'))
    expect((await body.next()).done).toBe(false)
    await expect(body.next()).rejects.toThrow('reset')
  })

  it('pauses its connection while nobody reads, and resumes it after', async () => {
    const told: string[] = []
    const body = new AnswerBody({ by: 'length', bytes: 900_000 }, { pause: () => void told.push('pause'), resume: () => void told.push('resume'), leave: () => void told.push('leave') })
    for (let i = 0; i < 3; i++) body.take(Buffer.alloc(150_000))
    expect(told).toEqual(['pause'])
    await body.next()
    await body.next()
    expect(told).toEqual(['pause', 'resume'])
    for (let i = 0; i < 3; i++) body.take(Buffer.alloc(150_000))
    // The body is complete: the connection is free for the next request.
    expect([body.complete, told]).toEqual([true, ['pause', 'resume', 'pause', 'resume']])
    expect(await textOf(body)).toHaveLength(600_000)
  })

  it('closes its connection when its reader leaves before it is complete', async () => {
    let left = 0
    const source = { ...quiet, leave: () => void left++ }
    const part = new AnswerBody({ by: 'length', bytes: 9 }, source)
    part.take(Buffer.from('abc'))
    for await (const _ of part) break
    const whole = new AnswerBody({ by: 'length', bytes: 3 }, source)
    whole.take(Buffer.from('abc'))
    for await (const _ of whole) break
    expect(left).toBe(1)
  })
})
