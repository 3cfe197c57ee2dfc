import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { deflateRawSync, deflateSync, brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { within } from '../../test/order.ts'
import { callFor, outcome, page, rawSite, testFetcher } from '../../test/net/servers.ts'

type Serve = (socket: Socket) => void

const ok = (headers: string, body: string | Buffer): Serve => (socket) => void socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`), Buffer.from(body)]))
const coded = (coding: string, body: Buffer): Serve => ok(`Content-Encoding: ${coding}\r\nContent-Length: ${body.length}`, body)

/** Writes as long as the other side reads; returns a counter of the bytes. */
function flood(socket: Socket, chunk: Buffer, sent = { bytes: 0 }): { bytes: number } {
  const more = () => {
    while (!socket.destroyed && socket.writable && sent.bytes < 200_000_000) {
      sent.bytes += chunk.length
      if (!socket.write(chunk)) return
    }
  }
  socket.on('drain', more)
  more()
  return sent
}

const then = (before: string, after: (socket: Socket) => void): Serve => (socket) => void socket.write(before, () => after(socket))

async function fetched(secure: boolean, serve: Serve, maxBytes = page.maxBytes) {
  return fetchFor(5_000, { secure, port: await rawSite(secure, serve), maxBytes })
}

const fetchFor = (ms: number, { secure, port, maxBytes = page.maxBytes }: { secure: boolean; port: number; maxBytes?: number }) =>
  testFetcher().fetch({ ...page, maxBytes, url: `${secure ? 'https' : 'http'}://127.0.0.1:${port}/` }, callFor(ms))

const broken: readonly (readonly [what: string, Serve])[] = [
  ['closes without an answer', (socket) => void socket.end()],
  ['resets without an answer', (socket) => void socket.destroy()],
  ['speaks HTTP/0.9', (socket) => void socket.end('<html>hello</html>')],
  ['speaks garbage', (socket) => void socket.end(Buffer.alloc(3_000, 7))],
  ['breaks off a body of known length', then('HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\nhi', (socket) => socket.destroy())],
  ['breaks off a chunked body', then('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n', (socket) => socket.destroy())],
  ['sends garbage for a chunk', ok('Transfer-Encoding: chunked', '2\r\nhi\r\nzzz\r\n')],
  ['switches protocols unasked', (socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')],
  ['sends headers without end', then('HTTP/1.1 200 OK\r\nX-A: ', (socket) => void flood(socket, Buffer.alloc(10_000, 'y')))],
  ['sends headers of 100 KB', ok(`X-A: ${'y'.repeat(100_000)}\r\nContent-Length: 2`, 'hi')],
  ['compresses twice', coded('gzip, gzip', gzipSync(gzipSync('hello')))],
  ['answers with a status that HTTP does not have', (socket) => void socket.end('HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\nhi')],
  ['calls plain text gzip', coded('gzip', Buffer.from('hello, world'))],
  ['uses a coding that nobody here can read', coded('ZSTD', Buffer.from('hello, world'))],
  ['uses a coding that was not offered', coded('compress', Buffer.from('hello, world'))],
]

describe.each([['http', false], ['https', true]] as const)('a fetch over %s from a site that', (_scheme, secure) => {
  it.each(broken)('%s fails with a site error', async (_what, serve) => {
    expect(await outcome(fetched(secure, serve))).toBe('SCRAPE_SITE_ERROR')
  })

  it.each<[string, Serve]>([
    ['ends lines with a bare line feed', (socket) => void socket.end('HTTP/1.1 200 OK\nContent-Type: text/html\n\nhello')],
    ['gives no reason', (socket) => void socket.end('HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello')],
    ['ends the body by closing', (socket) => void socket.end('HTTP/1.0 200 OK\r\n\r\nhello')],
    ['gives both length and chunks', ok('Content-Length: 50\r\nTransfer-Encoding: chunked', '5\r\nhello\r\n0\r\n\r\n')],
    ['sends a few hints first', (socket) => void socket.end('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello')],
    ['names a coding that is none', coded('utf-8', Buffer.from('hello'))],
    ['compresses with gzip', coded('gzip', gzipSync('hello'))],
    ['compresses with gzip and says so in capitals', coded('GZIP', gzipSync('hello'))],
    ['compresses with x-gzip', coded('x-gzip', gzipSync('hello'))],
    ['compresses with brotli and says so in capitals', coded('Br', brotliCompressSync('hello'))],
    ['compresses with deflate', coded('deflate', deflateSync('hello'))],
    ['compresses with brotli', coded('br', brotliCompressSync('hello'))],
  ])('%s succeeds', async (_what, serve) => {
    const answer = await fetched(secure, serve)
    expect([answer.status, Buffer.from(answer.body).toString(), answer.truncated]).toEqual([200, 'hello', false])
  })

  // Browsers stop where the coded data ends, and do not look at the checksum behind it.
  it.each<[string, string, Buffer]>([
    ['gzip', 'text', Buffer.from('<!-- served by 7 -->')],
    ['gzip', 'zeros', Buffer.alloc(600)],
    ['gzip', 'the start of another file', Buffer.from([0x1f, 0x8b, 0x08])],
    ['gzip', 'what looks like another file', Buffer.from([0x1f, 0x8b, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9])],
    ['deflate', 'text', Buffer.from('<!-- served by 7 -->')],
    ['br', 'text', Buffer.from('<!-- served by 7 -->')],
  ])('sends other bytes after a body of %s succeeds: %s', async (coding, _what, more) => {
    const compress = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[coding] ?? gzipSync
    const answer = await fetched(secure, coded(coding, Buffer.concat([compress('hello'), more])))
    expect(Buffer.from(answer.body).toString()).toBe('hello')
  })

  it('labels an empty body as compressed succeeds', async () => {
    expect(await fetched(secure, coded('gzip', Buffer.alloc(0)))).toMatchObject({ status: 200, body: new Uint8Array(0), truncated: false })
  })

  it('sends headers of 100 KB is said to do that', async () => {
    await expect(fetched(secure, ok(`X-A: ${'y'.repeat(100_000)}\r\nContent-Length: 2`, 'hi'))).rejects.toThrow('The head of the answer is too long.')
  })

  it.each([204, 304])('answers %i returns no body', async (status) => {
    expect(await fetched(secure, (socket) => void socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 9\r\n\r\n`))).toMatchObject({ status, body: new Uint8Array(0) })
  })

  it('compresses its answer returns headers without the coding', async () => {
    const answer = await fetched(secure, coded('gzip', gzipSync('hello')))
    expect(answer.headers).toEqual([])
  })

  it('sends an endless body reads up to the limit and leaves', async () => {
    let sent = { bytes: 0 }
    const answer = await fetched(secure, then('HTTP/1.1 200 OK\r\n\r\n', (socket) => (sent = flood(socket, Buffer.alloc(65_536)))), 100_000)
    expect([answer.body.byteLength, answer.truncated]).toEqual([100_000, true])
    const before = sent.bytes
    expect(before).toBeLessThan(50_000_000)
  })

  it('sends exactly the limit is not truncated', async () => {
    const serve = ok('Content-Length: 5', 'hello')
    expect(await fetched(secure, serve, 5)).toMatchObject({ truncated: false })
    const cut = await fetched(secure, serve, 4)
    expect([Buffer.from(cut.body).toString(), cut.truncated]).toEqual(['hell', true])
  })

  it('sends a bomb reads up to the limit, counted after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000))
    const before = process.memoryUsage().rss
    const answer = await fetched(secure, coded('gzip', bomb), 1_000_000)
    expect([answer.body.byteLength, answer.truncated]).toEqual([1_000_000, true])
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000)
  })

  it.each<[string, Serve]>([
    ['says nothing', () => {}],
    ['stops after the head', then('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', () => {})],
    ['stops inside a compressed body', then('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 90\r\n\r\n\x1f', () => {})],
    ['drips', then('HTTP/1.1 200 OK\r\n\r\n', (socket) => { const timer = setInterval(() => socket.write('x'), 10); socket.once('close', () => clearInterval(timer)) })],
  ])('%s fails at the timeout', async (_what, serve) => {
    const port = await rawSite(secure, serve)
    expect(await within(600, outcome(fetchFor(300, { secure, port })))).toBe('SCRAPE_TIMEOUT')
  })
})

/** A site that never stops to send a little; counts what it has sent, and tells whether it was left. */
async function dripping(secure: boolean, head: string) {
  const seen = { sent: 0, left: false }
  const port = await rawSite(secure, (socket) => {
    socket.write(head)
    const timer = setInterval(() => (seen.sent++, socket.write('x')), 10)
    socket.once('close', () => (clearInterval(timer), (seen.left = true)))
  })
  return { seen, url: `${secure ? 'https' : 'http'}://127.0.0.1:${port}/` }
}

describe.each([['http', false], ['https', true]] as const)('over %s, the connection to a site that drips is closed', (_scheme, secure) => {
  it('when the caller goes', async () => {
    const { seen, url } = await dripping(secure, 'HTTP/1.1 200 OK\r\n\r\n')
    const caller = new AbortController()
    const work = outcome(testFetcher().fetch({ ...page, url }, callFor(60_000, caller.signal)))
    await expect.poll(() => seen.sent, { timeout: 10_000 }).toBeGreaterThan(5)
    caller.abort(new Error('gone'))
    expect(await work).toBe('SCRAPE_TIMEOUT')
    await expect.poll(() => seen.left, { timeout: 4_000 }).toBe(true)
  })

  it('when its body is cut where it is', async () => {
    const { seen, url } = await dripping(secure, 'HTTP/1.1 200 OK\r\n\r\n')
    const until = new AbortController()
    const work = testFetcher().fetch({ ...page, url, until: until.signal }, callFor(60_000))
    await expect.poll(() => seen.sent, { timeout: 10_000 }).toBeGreaterThan(5)
    until.abort(new Error('enough'))
    expect(await work).toMatchObject({ truncated: true, late: true })
    await expect.poll(() => seen.left, { timeout: 4_000 }).toBe(true)
  })

  it('when it redirects', async () => {
    const { seen, url } = await dripping(secure, 'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n')
    expect(await outcome(testFetcher().fetch({ ...page, url }, callFor(60_000)))).toBe('SCRAPE_SITE_ERROR')
    await expect.poll(() => seen.left, { timeout: 8_000 }).toBe(true)
  })
})

describe('a fetch over http from a site that', () => {
  it('sends endless interim answers fails with a site error', async () => {
    expect(await outcome(fetched(false, (socket) => void flood(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'))))).toBe('SCRAPE_SITE_ERROR')
  })

  it('sends raw deflate data succeeds', async () => {
    expect(Buffer.from((await fetched(false, coded('deflate', deflateRawSync('hello')))).body).toString()).toBe('hello')
  })

  it('truncates the last block of a compressed body succeeds', async () => {
    const whole = gzipSync('hello')
    expect(await fetched(false, coded('gzip', whole.subarray(0, whole.length - 8)))).toMatchObject({ status: 200, body: new Uint8Array(Buffer.from('hello')), truncated: false })
  })

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ] as const)('ends a body of %s in the middle has what came of it, as a page that is cut off', async (coding, compress) => {
    const text = Array.from({ length: 20_000 }, (_, i) => `line ${i} ${(i * 7_919) % 100_003}\n`).join('')
    const whole = compress(text)
    const half = await fetched(false, coded(coding, whole.subarray(0, whole.length / 2)), 10_000_000)
    expect([half.truncated, text.startsWith(Buffer.from(half.body).toString()), half.body.byteLength > text.length / 4]).toEqual([true, true, true])
    const all = await fetched(false, coded(coding, whole), 10_000_000)
    expect([all.truncated, Buffer.from(text).equals(all.body)]).toEqual([false, true])
  })

  it('ends a gzip file with another one, or with garbage, returns all of it', async () => {
    const [two, padded] = [await fetched(false, coded('gzip', Buffer.concat([gzipSync('hello '), gzipSync('world')]))), await fetched(false, coded('gzip', Buffer.concat([gzipSync('hello'), Buffer.alloc(600)])))]
    expect([two, padded].map(({ body, truncated }) => [Buffer.from(body).toString(), truncated])).toEqual([['hello world', false], ['hello', false]])
  })

  it('ends a long compressed body in the middle notices that by its end', async () => {
    const whole = gzipSync(randomBytes(3_000_000), { level: 1 })
    expect([(await fetched(false, coded('gzip', whole), 10_000_000)).truncated, (await fetched(false, coded('gzip', whole.subarray(0, -9_000)), 10_000_000)).truncated]).toEqual([false, true])
  })
})

describe('a persistent connection', () => {
  const answer = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`

  it.each([
    ['with the answer', (socket: Socket) => void socket.write(answer('first') + answer('smuggled'))],
    ['after the answer', (socket: Socket) => void socket.write(answer('first'), () => setTimeout(() => socket.write(answer('smuggled')), 20))],
  ])('passes no bytes that came %s to the next request', async (_what, first) => {
    const port = await rawSite(false, (socket) => {
      socket.on('data', () => socket.write(answer('second')))
      first(socket)
    })
    const fetcher = testFetcher()
    const get = async () => Buffer.from((await fetcher.fetch({ ...page, url: `http://127.0.0.1:${port}/` }, callFor())).body).toString()
    expect(await get()).toBe('first')
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(['first', 'second']).toContain(await get())
  })

  it('is not delayed by a redirect whose body drips', async () => {
    const closed: boolean[] = []
    const port = await rawSite(false, (socket) => {
      const timer = setInterval(() => socket.write('x'), 20)
      socket.once('close', () => (clearInterval(timer), closed.push(true)))
      socket.write('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 5000\r\n\r\n')
    })
    expect(await outcome(testFetcher().fetch({ ...page, url: `http://127.0.0.1:${port}/` }, callFor()))).toBe('SCRAPE_SITE_ERROR')
    await expect.poll(() => closed, { timeout: 4_000 }).toEqual([true])
  })
})
