import type { ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { constants, createGzip, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { callFor, listening, outcome, page, selfSigned, site, testFetcher } from '../../test/net/servers.ts'
import { bodyRoom } from '../app/body-room.ts'
import type { FetchRequest } from '../domain/fetching/fetcher.ts'
import { pausableClock } from '../lib/pausable-clock.ts'
import { lengthOf, readBody } from './body.ts'

const megabyte = 2 ** 20
const signal = new AbortController().signal

/** Numbered chunks of a tenth of a megabyte, produced on demand; `read` counts them. */
function source(chunks: number): { readonly chunks: AsyncIterable<Uint8Array>; read(): number; readonly whole: Uint8Array } {
  const size = Math.floor(megabyte / 10)
  let read = 0
  async function* all(): AsyncGenerator<Uint8Array> {
    while (read < chunks) yield new Uint8Array(size).fill(read++ % 251)
  }
  return { chunks: all(), read: () => read, whole: Uint8Array.from({ length: chunks * size }, (_, at) => Math.floor(at / size) % 251) }
}

const turns = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve))
}
const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

describe('a body', () => {
  it.each([
    ['small', 3, 8 * megabyte],
    ['large, using little of what it might', 30, 8 * megabyte],
    ['large, using most of what it might', 60, 8 * megabyte],
  ])('that is %s is returned completely, and holds the memory that it uses', async (_what, chunks, maxBytes) => {
    const bodies = bodyRoom({ bytes: 100 * megabyte, largest: 8 * megabyte })
    const from = source(chunks)
    const { body, truncated } = await readBody(from.chunks, maxBytes, { room: bodies.open('a'), signal })
    expect([same(body, from.whole), truncated]).toEqual([true, false])
    expect(bodies.load().bytes).toBe(chunks === 3 ? 0 : body.buffer.byteLength)
  })

  it('keeps none of the pieces that it came in: small ones take a hundred times their size', async () => {
    const piece = new Uint8Array(1)
    async function* all(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < 1_000; at++) yield piece.fill(at % 251)
    }
    const { body } = await readBody(all(), megabyte)
    expect([...body]).toEqual(Array.from({ length: 1_000 }, (_, at) => at % 251))
  })

  it('is truncated at the limit, large or small', async () => {
    for (const maxBytes of [megabyte / 2, megabyte, 2 * megabyte, 2 * megabyte + 1]) {
      const from = source(40)
      const { body, truncated } = await readBody(from.chunks, maxBytes)
      expect([same(body, from.whole.subarray(0, maxBytes)), truncated]).toEqual([true, true])
    }
  })

  it('that becomes large is only read on when there is memory for its maximum size', async () => {
    const bodies = bodyRoom({ bytes: 8 * megabyte, largest: 4 * megabyte })
    const first = bodies.open('a')
    await first.take(5 * megabyte, signal)
    const from = source(30)
    const reading = readBody(from.chunks, 4 * megabyte, { room: bodies.open('b'), signal })
    await turns(50)
    expect([from.read(), bodies.load()]).toEqual([11, { bytes: 5 * megabyte, waiting: 1 }])
    first.close()
    expect(same((await reading).body, from.whole)).toBe(true)
  })

  it('of a known length uses no more memory than that', async () => {
    const bodies = bodyRoom({ bytes: 100 * megabyte, largest: 50 * megabyte })
    const from = source(20)
    const { body } = await readBody(from.chunks, 50 * megabyte, { room: bodies.open('a'), signal, length: from.whole.length })
    expect([same(body, from.whole), body.buffer.byteLength, bodies.load().bytes]).toEqual([true, from.whole.length, from.whole.length])
    expect(await outcome(readBody(source(20).chunks, 50 * megabyte, { room: bodies.open('a'), signal, length: megabyte }))).toBe('SCRAPE_SITE_ERROR')
  })

  it('that fails releases its memory', async () => {
    const bodies = bodyRoom({ bytes: 8 * megabyte, largest: 4 * megabyte })
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* source(20).chunks
      throw new Error('broken off')
    }
    await expect(readBody(broken(), 4 * megabyte, { room: bodies.open('a'), signal })).rejects.toThrow('broken off')
    expect(bodies.load()).toEqual({ bytes: 0, waiting: 0 })
  })
})

describe('the length of a body', () => {
  it.each<[string, number | null, [string, string][]]>([
    ['is known where it is told', 12, [['content-length', '12']]],
    ['is not that of a coded one', null, [['content-length', '12'], ['content-encoding', 'gzip']]],
    ['is not told beside chunks', null, [['content-length', '12'], ['transfer-encoding', 'chunked']]],
    ['is not told twice', null, [['content-length', '12'], ['content-length', '13']]],
    ['is not a word', null, [['content-length', 'twelve']]],
    ['may be missing', null, []],
  ])('%s', (_what, expected, headers) => expect(lengthOf(headers)).toBe(expected))
})

describe('a body that is not there in time', () => {
  it.each([['plain', false], ['gzip', true]] as const)('is cut where it is (%s)', async (_coding, coded) => {
    let left = false
    const port = await site((_request, response) => {
      response.writeHead(200, coded ? { 'content-encoding': 'gzip' } : {})
      const sink = coded ? createGzip({ flush: constants.Z_SYNC_FLUSH }) : null
      sink?.pipe(response)
      ;(sink ?? response).write('the first half')
      response.on('close', () => (left = true))
    })
    const { body, ...rest } = await testFetcher().fetch({ ...page, url: `http://127.0.0.1:${port}/`, until: AbortSignal.timeout(500) }, callFor())
    expect([Buffer.from(body).toString(), rest]).toMatchObject(['the first half', { status: 200, truncated: true, late: true }])
    await expect.poll(() => left).toBe(true)
  })

  it.each([['with a length', { 'content-length': '1000' }], ['in chunks', {}], ['gzip', { 'content-encoding': 'gzip' }]] as const)('is used as far as it came when its connection breaks, if that was asked for (%s)', async (_how, headers) => {
    for (const secure of [false, true]) {
      const serve = (_request: unknown, response: ServerResponse): void => {
        response.writeHead(200, headers)
        const sink = 'content-encoding' in headers ? createGzip({ flush: constants.Z_SYNC_FLUSH }) : null
        sink?.pipe(response)
        ;(sink ?? response).write('the first half')
        setTimeout(() => response.destroy(), 300)
      }
      const port = secure ? await listening(createHttps(selfSigned, serve)) : await site(serve)
      const request = { ...page, url: `${secure ? 'https' : 'http'}://127.0.0.1:${port}/`, skipTlsVerification: true }
      const { body, ...rest } = await testFetcher().fetch({ ...request, until: AbortSignal.timeout(20_000) }, callFor())
      expect([Buffer.from(body).toString(), rest]).toMatchObject(['the first half', { status: 200, truncated: true, late: true }])
      expect(await outcome(testFetcher().fetch(request, callFor()))).toBe('SCRAPE_SITE_ERROR')
    }
  })

  it('is whole when its end came before', async () => {
    const port = await site((_request, response) => void response.end('all of it'))
    const answer = await testFetcher().fetch({ ...page, url: `http://127.0.0.1:${port}/`, until: AbortSignal.timeout(20_000) }, callFor())
    expect([Buffer.from(answer.body).toString(), answer.truncated, 'late' in answer]).toEqual(['all of it', false, false])
  })
})

describe('a body that is not wanted', () => {
  const start = Buffer.alloc(2_000, 'x')

  it.each([
    ['plain', false, {}],
    ['gzip', false, { 'content-encoding': 'gzip' }],
    ['over TLS', true, {}],
    ['over TLS, gzip', true, { 'content-encoding': 'gzip' }],
    ['over TLS, with a length', true, { 'content-length': '1000000' }],
  ] as const)('is left unread after its first bytes, and is not said to be cut (%s)', async (_how, secure, headers) => {
    let left = false
    const serve = (_request: unknown, response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'video/mp4', ...headers })
      const sink = 'content-encoding' in headers ? createGzip({ flush: constants.Z_SYNC_FLUSH }) : null
      sink?.pipe(response)
      ;(sink ?? response).write(start)
      response.on('close', () => (left = true))
    }
    const port = secure ? await listening(createHttps(selfSigned, serve)) : await site(serve)
    const asked: unknown[] = []
    const wants: FetchRequest['wants'] = ({ body, ...head }) => (asked.push({ ...head, length: body.length }), false)
    const url = `${secure ? 'https' : 'http'}://127.0.0.1:${port}/film`
    const { body, ...rest } = await testFetcher().fetch({ ...page, url, skipTlsVerification: true, wants }, callFor())
    expect([same(body, start), rest.truncated, Object.keys(rest).includes('unwanted')]).toEqual([true, false, false])
    expect(asked).toMatchObject([{ url, headers: expect.arrayContaining([['content-type', 'video/mp4']]), length: 2_000 }])
    await expect.poll(() => left).toBe(true)
  })

  it('is read to its end if it is wanted, or too short to tell', async () => {
    const port = await site(({ url }, response) => void response.end(url === '/short' ? 'brief' : Buffer.alloc(90_000)))
    const asked: number[] = []
    const get = async (path: string, wanted: boolean): Promise<number> => {
      const wants: FetchRequest['wants'] = ({ body }) => (asked.push(body.length), wanted)
      return (await testFetcher().fetch({ ...page, url: `http://127.0.0.1:${port}${path}`, wants }, callFor())).body.length
    }
    expect([await get('/short', false), await get('/long', true), asked.length]).toEqual([5, 90_000, 1])
  })
})

describe('a fetch that waits for memory', () => {
  it.each([false, true])('goes on as long as its clock stands still, however little time it has (over TLS: %s)', async (secure) => {
    const serve = (_request: unknown, response: ServerResponse): void => void response.end(Buffer.alloc(20 * megabyte))
    const port = secure ? await listening(createHttps(selfSigned, serve)) : await site(serve)
    const room = bodyRoom({ bytes: 30 * megabyte, largest: 30 * megabyte }).open('a')
    const clock = pausableClock(Date.now)
    clock.pause()
    const take = async (bytes: number, until: AbortSignal): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 1_200))
      await room.take(bytes, until)
    }
    const url = `${secure ? 'https' : 'http'}://127.0.0.1:${port}/`
    const answer = await testFetcher().fetch({ ...page, maxBytes: 30 * megabyte, url }, { ...callFor(1_000), clock, room: { ...room, take } })
    expect([answer.body.length, answer.truncated]).toEqual([20 * megabyte, false])
  })

  it.each([['plain', null], ['gzip', gzipSync(new Uint8Array(3 * megabyte))]] as const)('ends with the timeout of its call (%s)', async (_coding, coded) => {
    const port = await site((_request, response) => void response.writeHead(200, coded === null ? { 'content-length': 3 * megabyte } : { 'content-encoding': 'gzip' }).end(coded ?? Buffer.alloc(3 * megabyte)))
    const bodies = bodyRoom({ bytes: 4 * megabyte, largest: 4 * megabyte })
    const other = bodies.open('a')
    await other.take(4 * megabyte, signal)
    const room = bodies.open('b')
    const get = (ms: number): Promise<unknown> => testFetcher().fetch({ ...page, maxBytes: 4 * megabyte, url: `http://127.0.0.1:${port}/` }, { ...callFor(ms), room })
    const late = outcome(get(1_000))
    await expect.poll(() => bodies.load().waiting, { timeout: 5_000 }).toBe(1)
    expect(await late).toBe('SCRAPE_TIMEOUT')
    expect(bodies.load()).toEqual({ bytes: 4 * megabyte, waiting: 0 })
    const next = get(20_000)
    await expect.poll(() => bodies.load().waiting, { timeout: 5_000 }).toBe(1)
    other.close()
    expect(await next).toMatchObject({ status: 200, truncated: false })
    expect(bodies.load()).toEqual({ bytes: (coded === null ? 3 : 4) * megabyte, waiting: 0 })
  })
})
