import { createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { callFor, listening, outcome, page, testFetcher } from '../../../test/net/servers.ts'

interface Server {
  readonly get: (path: string) => Promise<string>
  /** The requested paths on each connection. */
  readonly asked: string[][]
}

/** A server that answers each path by writing to the socket. */
async function serving(answers: Readonly<Record<string, (socket: Socket, connection: number) => void>>): Promise<Server> {
  const asked: string[][] = []
  const server = createServer((socket) => {
    const at = asked.push([]) - 1
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const path = text.split(' ', 2)[1] ?? ''
        text = text.slice(end + 4)
        asked[at]?.push(path)
        answers[path]?.(socket, at)
      }
    })
  })
  const port = await listening(server)
  const fetcher = testFetcher()
  return { asked, get: async (path) => Buffer.from((await fetcher.fetch({ ...page, url: `http://127.0.0.1:${port}${path}` }, callFor(5_000))).body).toString('latin1') }
}

const says = (text: string) => (socket: Socket) => void socket.write(text)
const page1 = says('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello')
const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

async function slowly(socket: Socket, text: string): Promise<void> {
  for (const letter of text) {
    socket.write(letter)
    await pause(1)
  }
}

describe('a connection', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['of a known length', page1],
    ['in chunks', says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n')],
    ['letter by letter', (socket) => void slowly(socket, 'HTTP/1.1 103 Hint\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n')],
    ['without a body', says('HTTP/1.1 204 X\r\n\r\n')],
  ])('is reused after an answer %s', async (_, answer) => {
    const { get, asked } = await serving({ '/a': answer, '/b': page1 })
    const first = await get('/a')
    expect([['', 'hello'].includes(first), await get('/b'), asked]).toEqual([true, 'hello', [['/a', '/b']]])
  })

  it.each([
    ['says that it ends', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello'],
    ['gives a length beside chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
    ['sends more than was asked for', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'],
    ['is of the old version', 'HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
  ])('is not reused if its server %s', async (_, answer) => {
    const { get, asked } = await serving({ '/a': says(answer), '/b': page1 })
    expect([await get('/a'), await get('/b'), asked]).toEqual(['hello', 'hello', [['/a'], ['/b']]])
  })

  it('is closed when unexpected data arrives', async () => {
    const { get, asked } = await serving({
      '/a': (socket) => {
        page1(socket)
        setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'), 20)
      },
      '/b': page1,
    })
    await get('/a')
    await pause(100)
    expect([await get('/b'), asked]).toEqual(['hello', [['/a'], ['/b']]])
  })

  it('is kept for as long as its server says', async () => {
    const { get, asked } = await serving({ '/a': says('HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 5\r\n\r\nhello'), '/b': page1 })
    await get('/a')
    await get('/b')
    await get('/a')
    await pause(1_300)
    await get('/b')
    expect(asked).toEqual([['/a', '/b', '/a'], ['/b']])
  })

  it('is not reused after it breaks off', async () => {
    const { get, asked } = await serving({ '/a': says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n'), '/b': page1 })
    expect([await outcome(get('/a')), await get('/b'), asked]).toEqual(['SCRAPE_SITE_ERROR', 'hello', [['/a'], ['/b']]])
  })

  it('is not reused after half an answer', async () => {
    const { get, asked } = await serving({ '/a': page1, '/b': (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe') })
    await get('/a')
    expect([await outcome(get('/b')), asked]).toEqual(['SCRAPE_SITE_ERROR', [['/a', '/b']]])
  })

  it('transfers a long answer completely, and the next one after it', async () => {
    const long = 'x'.repeat(900_000)
    const { get, asked } = await serving({ '/a': says(`HTTP/1.1 200 OK\r\nContent-Length: ${long.length}\r\n\r\n${long}`), '/b': page1 })
    expect([(await get('/a')) === long, await get('/b'), asked]).toEqual([true, 'hello', [['/a', '/b']]])
  })

  it('fails at once for other line endings', async () => {
    const { get } = await serving({ '/a': says('HTTP/1.1 200 OK\rContent-Length: 5\r\rhello') })
    expect(await outcome(get('/a'))).toBe('SCRAPE_SITE_ERROR')
  })

  it('falls back to a more lenient parser for bare line feeds, however slowly they come', async () => {
    const { get, asked } = await serving({ '/a': (socket) => void slowly(socket, 'HTTP/1.1 200 OK\nContent-Length: 5\n\nhello') })
    expect([await get('/a'), asked]).toEqual(['hello', [['/a'], ['/a']]])
  })
})
