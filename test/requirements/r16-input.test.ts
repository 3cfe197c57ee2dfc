import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ErrorAnswer } from '../../src/spec/common.ts'
import { meanwhile } from '../cpu.ts'
import { fakeApp } from '../fakes.ts'
import { openSocket, type RawAnswer, readAnswer, sendRaw } from '../raw-http.ts'
import { startTrawl, type TestService, testKey } from '../service.ts'

let trawl: TestService

beforeAll(async () => {
  trawl = await startTrawl()
})
afterAll(() => trawl.stop('SIGKILL'))

const key = `Authorization: Bearer ${testKey}`
const json = 'Content-Type: application/json'

/** A request head with these header lines. */
const head = (start: string, ...lines: readonly string[]): string => `${[start, 'Host: trawl', ...lines].join('\r\n')}\r\n\r\n`
const post = (...lines: readonly string[]): string => head('POST /v2/scrape HTTP/1.1', key, ...lines)
const posted = (body: string): string => `${post(json, `Content-Length: ${Buffer.byteLength(body)}`)}${body}`

/**
 * Status and code of an error answer; fails unless the answer has the standard error shape and reveals no internals.
 */
function refusal(answer: RawAnswer): string {
  const body: unknown = JSON.parse(answer.text.replace(/^[0-9a-f]+\r\n/i, '').replace(/\r\n0\r\n\r\n$/, ''))
  const shape = ErrorAnswer.safeParse(body)
  expect(shape.error).toBeUndefined()
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(answer.text).not.toMatch(/node_modules|\/src\/|\/dist\/|\.[jt]s:\d|fastify|llhttp|zod|HPE_|ERR_/i)
  return `${answer.status} ${shape.data?.code}`
}

describe('R17 what never becomes a request is refused in the standard error shape', () => {
  it.each<[string, string, string]>([
    ['without Host', 'GET /health HTTP/1.1\r\n\r\n', '400 BAD_REQUEST'],
    ['with two of them, of which others may take the other', head('GET /health HTTP/1.1', 'host: elsewhere'), '400 BAD_REQUEST'],
    ['with two keys, for the same reason', head('GET /v2/crawl/active HTTP/1.1', key, 'authorization: Bearer fc-another'), '400 BAD_REQUEST'],
    ['the start of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400 BAD_REQUEST'],
    ['CONNECT', head('CONNECT 10.0.0.1:80 HTTP/1.1'), '405 METHOD_NOT_ALLOWED'],
    ['Upgrade', head('GET /v2/scrape HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket'), '405 METHOD_NOT_ALLOWED'],
    ['TRACE', head('TRACE /health HTTP/1.1', 'X-Secret: 1'), '405 METHOD_NOT_ALLOWED'],
    ['OPTIONS *', head('OPTIONS * HTTP/1.1'), '404 NOT_FOUND'],
    ['an unknown method', head('FOO /health HTTP/1.1'), '400 BAD_REQUEST'],
    ['another expectation', `${post(json, 'Expect: 200-ok', 'Content-Length: 2', 'Connection: close')}{}`, '400 BAD_REQUEST'],
    ['a path that is no path', head('GET /%zz HTTP/1.1'), '400 BAD_REQUEST'],
    ['a path that climbs', head('GET /v2/../../etc/passwd HTTP/1.1'), '404 NOT_FOUND'],
    ['an encoded slash', head('GET /v2%2fscrape HTTP/1.1', key), '404 NOT_FOUND'],
    ['an encoded NUL', head('GET /v2/scrape/%00 HTTP/1.1', key), '400 BAD_REQUEST'],
    ['an encoded NUL in the id of a session', head('GET /v2/browser/a%00 HTTP/1.1', key), '400 BAD_REQUEST'],
    ['a long parameter', head(`GET /v2/scrape/${'a'.repeat(300)} HTTP/1.1`, key), '400 BAD_REQUEST'],
    ['a long name', head(`DELETE /v2/browser/profiles/${encodeURIComponent('🦉'.repeat(129))} HTTP/1.1`, key), '400 BAD_REQUEST'],
    ['a URL beyond the head limit', head(`GET /${'a'.repeat(40_000)} HTTP/1.1`), '431 HEADERS_TOO_LARGE'],
    ['bare line feeds', 'GET /health HTTP/1.1\nHost: trawl\n\n', '400 BAD_REQUEST'],
    ['a host that is none', 'GET /health HTTP/1.1\r\nHost: a b\r\n\r\n', '400 BAD_REQUEST'],
    ['a host with a path', 'GET /health HTTP/1.1\r\nHost: elsewhere.example/v2\r\n\r\n', '400 BAD_REQUEST'],
    ['an empty host', 'GET /health HTTP/1.1\r\nHost:\r\n\r\n', '400 BAD_REQUEST'],
    ['NUL in a header', head('GET /health HTTP/1.1', 'X: a\0b'), '400 BAD_REQUEST'],
    ['a folded header', head('GET /health HTTP/1.1', 'X: a\r\n b'), '400 BAD_REQUEST'],
    ['a space before the colon', head('GET /health HTTP/1.1', 'X : a'), '400 BAD_REQUEST'],
  ])('R17 %s', async (_what, bytes, expected) => expect(refusal(await sendRaw(trawl.base, bytes))).toBe(expected))
})

it('R17 a method that a path does not have is refused with those that it has', async () => {
  const allowed = async (method: string, path: string): Promise<unknown[]> => {
    const { status, headers } = await trawl.call(method, path)
    return [status, headers.get('allow')]
  }
  expect(await allowed('POST', '/v2/crawl/active')).toEqual([405, 'GET'])
  expect(await allowed('DELETE', '/v2/crawl/active/?a=b')).toEqual([405, 'GET'])
  expect(await allowed('GET', '/v2/crawl/params-preview')).toEqual([405, 'POST'])
  expect(await allowed('POST', '/v2/crawl/00000000-0000-4000-8000-000000000000')).toEqual([405, 'GET, DELETE'])
})

describe('R16 ambiguous framing is refused', () => {
  it.each([
    ['length and chunks', `${post(json, 'Content-Length: 2', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
    ['two lengths', `${post(json, 'Content-Length: 2', 'Content-Length: 3')}{}`],
    ['a negative length', `${post(json, 'Content-Length: -2')}{}`],
    ['a length beyond numbers', `${post(json, 'Content-Length: 99999999999999999999')}{}`],
    ['an unknown coding', `${post(json, 'Transfer-Encoding: xchunked')}0\r\n\r\n`],
    ['chunked twice', `${post(json, 'Transfer-Encoding: chunked, identity')}0\r\n\r\n`],
    ['a chunk without a size', `${post(json, 'Transfer-Encoding: chunked')}zz\r\n\r\n`],
  ])('R16 %s', async (_what, bytes) => expect(refusal(await sendRaw(trawl.base, bytes))).toBe('400 BAD_REQUEST'))
})

describe('R16 bodies', () => {
  it.each<[string, string, string]>([
    ['identity, which is no coding', `${post(json, 'Content-Encoding: identity', 'Content-Length: 2')}{}`, '400 BAD_REQUEST'],
    ['gzip', `${post(json, 'Content-Encoding: gzip', 'Content-Length: 2')}{}`, '415 UNSUPPORTED_MEDIA_TYPE'],
    ['text', `${post('Content-Type: text/plain', 'Content-Length: 2')}{}`, '415 UNSUPPORTED_MEDIA_TYPE'],
    ['no type', `${post('Content-Length: 2')}{}`, '415 UNSUPPORTED_MEDIA_TYPE'],
    ['a type that only begins like JSON', `${post('Content-Type: application/jsonp', 'Content-Length: 2')}{}`, '415 UNSUPPORTED_MEDIA_TYPE'],
    ['nothing', posted(''), '400 BAD_REQUEST_INVALID_JSON'],
    ['a form without anything', head('POST /v2/parse HTTP/1.1', key, 'Content-Type: multipart/form-data; boundary=x', 'Content-Length: 0'), '400 BAD_REQUEST'],
    ['UTF-16', posted(Buffer.from('{}', 'utf16le').toString('latin1')), '400 BAD_REQUEST_INVALID_JSON'],
    ['NaN', posted('{"url":NaN}'), '400 BAD_REQUEST_INVALID_JSON'],
    ['a number beyond all numbers', posted('{"url":"http://10.0.0.1/","timeout":1e999}'), '400 BAD_REQUEST'],
    ['a comment', posted('{/*x*/}'), '400 BAD_REQUEST_INVALID_JSON'],
    ['two documents', posted('{} {}'), '400 BAD_REQUEST_INVALID_JSON'],
    ['an array', posted('[]'), '400 BAD_REQUEST'],
    ['null', posted('null'), '400 BAD_REQUEST'],
    ['a key given twice, the last of which is bad', posted('{"url":"http://10.0.0.1/","url":5}'), '400 BAD_REQUEST'],
    ['a key given twice, both of which are good', posted('{"url":"http://10.0.0.1/","url":"http://10.0.0.2/"}'), '400 BAD_REQUEST'],
    ['__proto__', posted('{"url":"http://10.0.0.1/","__proto__":{"timeout":1}}'), '400 BAD_REQUEST'],
    ['__proto__, escaped', posted('{"url":"http://10.0.0.1/","headers":{"\\u005f_proto__":"x"}}'), '400 BAD_REQUEST'],
    ['constructor', posted('{"url":"http://10.0.0.1/","constructor":{"prototype":{}}}'), '400 BAD_REQUEST'],
    ['NUL', posted('{"url":"http://10.0.0.1/\\u0000"}'), '400 BAD_REQUEST_INVALID_JSON'],
    ['half a surrogate pair', posted('{"url":"http://10.0.0.1/\\ud800"}'), '400 BAD_REQUEST_INVALID_JSON'],
    ['65 levels', posted('['.repeat(65) + ']'.repeat(65)), '400 BAD_REQUEST_INVALID_JSON'],
    ['a million levels', posted('['.repeat(1_000_000)), '400 BAD_REQUEST_INVALID_JSON'],
    ['a text where a number belongs', posted('{"url":"http://10.0.0.1/","timeout":"5000"}'), '400 BAD_REQUEST'],
    ['a line break in a header', posted('{"url":"http://10.0.0.1/","headers":{"x":"a\\r\\nHost: b"}}'), '400 BAD_REQUEST'],
    ['a URL of more than 8 KiB', posted(`{"url":"http://10.0.0.1/${'x'.repeat(8_192)}"}`), '400 BAD_REQUEST'],
    ['ten thousand chunks of one byte, for what they contain', `${post(json, 'Transfer-Encoding: chunked')}${'1\r\n{\r\n'.repeat(10_000)}0\r\n\r\n`, '400 BAD_REQUEST_INVALID_JSON'],
    ['fifty thousand chunks of one byte, for their number', `${post(json, 'Transfer-Encoding: chunked')}${'1\r\n{\r\n'.repeat(50_000)}0\r\n\r\n`, '400 BAD_REQUEST'],
    ['a host label of 64 letters', posted(`{"url":"http://${'a'.repeat(64)}.com/"}`), '400 BAD_REQUEST'],
  ])('R16 refuses %s', async (_what, bytes, expected) => expect(refusal(await sendRaw(trawl.base, bytes))).toBe(expected))

  it('R16 end at ten megabytes, with and without a Content-Length', async () => {
    const over = 10 * 1024 * 1024 + 1
    expect(refusal(await sendRaw(trawl.base, post(json, `Content-Length: ${over}`)))).toBe('413 PAYLOAD_TOO_LARGE')
    const socket = await openSocket(trawl.base)
    const answer = readAnswer(socket)
    socket.on('error', () => undefined)
    socket.write(post(json, 'Transfer-Encoding: chunked'))
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
    for (let sent = 0; sent < over && socket.writable; sent += 0x10000) socket.write(chunk)
    expect(refusal(await answer)).toBe('413 PAYLOAD_TOO_LARGE')
  })

  it.each([60, 101, 5_000])('R16 of a form of %i MB are refused for the file in it', async (mb) => {
    const answer = await sendRaw(trawl.base, head('POST /v2/parse HTTP/1.1', key, 'Content-Type: multipart/form-data; boundary=x', `Content-Length: ${mb * 1024 * 1024}`))
    expect([refusal(answer), answer.text.includes('the file is larger than 50 MB')]).toEqual(['400 BAD_REQUEST', true])
  })

  it('R16 of a form without a Content-Length are refused for the file in it, too', async () => {
    const socket = await openSocket(trawl.base)
    const answer = readAnswer(socket)
    socket.on('error', () => undefined)
    socket.write(head('POST /v2/parse HTTP/1.1', key, 'Content-Type: multipart/form-data; boundary=x', 'Transfer-Encoding: chunked'))
    const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`
    for (let sent = 0; sent < 52 && socket.writable; sent++) socket.write(chunk)
    expect([refusal(await answer), (await answer).text.includes('the file is larger than 50 MB')]).toEqual(['400 BAD_REQUEST', true])
  })

  it('R16 of callers without a key are not read', async () => {
    const answer = await sendRaw(trawl.base, head('POST /v2/scrape HTTP/1.1', 'Authorization: Bearer fc-nobody', json, 'Content-Length: 9000000'))
    expect(refusal(answer)).toBe('401 UNAUTHORIZED')
  })

  it.each([
    ['a key', head('POST /v2/scrape HTTP/1.1', 'Authorization: Bearer fc-nobody', json, 'Transfer-Encoding: chunked'), '401 UNAUTHORIZED'],
    ['a route', head('POST /v2/nothing HTTP/1.1', json, 'Transfer-Encoding: chunked'), '404 NOT_FOUND'],
    ['a valid path', head('POST /%zz HTTP/1.1', json, 'Transfer-Encoding: chunked'), '400 BAD_REQUEST'],
    ['a known expectation', head('POST /v2/scrape HTTP/1.1', json, 'Expect: more', 'Transfer-Encoding: chunked'), '400 BAD_REQUEST'],
  ])('R16 without %s and without an end cost their sender the connection', async (_what, bytes, expected) => {
    const socket = await openSocket(trawl.base)
    const answer = readAnswer(socket)
    socket.write(bytes)
    const { headers } = await answer
    expect([refusal(await answer), headers.get('connection')]).toEqual([expected, 'close'])
  })

  it('R16 of callers without a key that have ended leave them the connection', async () => {
    const answer = await sendRaw(trawl.base, `${head('POST /v2/scrape HTTP/1.1', 'Authorization: Bearer fc-nobody', json, 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`)
    expect([refusal(answer), answer.headers.get('connection')]).toEqual(['401 UNAUTHORIZED', 'keep-alive'])
  })

  const big = 10 * 1024 * 1024 - 100
  const many = (unit: string): string => unit.repeat(Math.floor((big - 100) / unit.length))
  it.each<[string, () => string]>([
    ['unknown keys', () => `{${Array.from({ length: 195_000 }, (_, i) => `"k${i}":1`).join(',')}}`],
    ['headers', () => `{"url":"http://10.0.0.1/","headers":{${Array.from({ length: 195_000 }, (_, i) => `"k${i}":1`).join(',')}}}`],
    ['formats', () => `{"url":"http://10.0.0.1/","formats":[${'"markdown",'.repeat(195_000)}"html"]}`],
    ['selectors', () => `{"url":"http://10.0.0.1/","includeTags":[${'1,'.repeat(195_000)}1]}`],
    ['values', () => `[${many('[],')}1]`],
    ['escapes', () => `{"url":"${many('\\ud83d\\ude00')}"}`],
    ['letters of a key', () => `{"${many('k')}":1}`],
    ['values and a NUL', () => `{"url":[${many('1,')}"\\u0000"]}`],
  ])('R16 full of %s delay nobody else', async (_what, body) => {
    const asked = trawl.call('POST', '/v2/scrape', body())
    const { loopMs } = await meanwhile(trawl, asked)
    const answer = await asked
    expect(loopMs).toBeLessThan(1_000)
    expect(answer.status).toBe(400)
    expect(answer.text.length).toBeLessThan(20_000)
  })
})

describe('a body where none has a meaning is not looked at', () => {
  it.each<[string, readonly string[], string]>([
    ['a type without a body', ['Content-Type: text/plain'], ''],
    ['a type and no bytes', ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 0'], ''],
    ['text', ['Content-Type: text/plain', 'Content-Length: 5'], 'hello'],
    ['bytes of no type', ['Content-Length: 5'], 'hello'],
    ['chunks', ['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'],
    ['JSON, broken', [json, 'Content-Length: 1'], '{'],
  ])('%s', async (_what, lines, body) => {
    const asked = (method: string): Promise<RawAnswer> => sendRaw(trawl.base, head(`${method} /v2/crawl/00000000-0000-4000-8000-000000000000 HTTP/1.1`, key, ...lines) + body)
    expect([refusal(await asked('GET')), refusal(await asked('DELETE'))]).toEqual(['404 NOT_FOUND', '404 NOT_FOUND'])
  })
})

describe('R16 slow clients', () => {
  it('R16 have ten seconds for their headers', async () => {
    const socket = await openSocket(trawl.base)
    const answer = readAnswer(socket)
    socket.write('GET /health HTTP/1.1\r\nHost: trawl\r\n')
    const drip = setInterval(() => socket.write('X-Drip: 1\r\n'), 1_000)
    try {
      expect(refusal(await answer)).toBe('400 BAD_REQUEST')
    } finally {
      clearInterval(drip)
    }
    // The time limit of the test is the bound: lines that arrive in time must not extend the deadline of the head.
  }, 15_000)

  it('that leave in the middle of their body are logged, but not as our fault', async () => {
    const socket = await openSocket(trawl.base)
    socket.write(`${post(json, 'Content-Length: 100', 'X-Request-Id: left-in-the-middle')}{"url":`)
    // Once another request is answered, the head of the first has been read.
    await trawl.call('GET', '/v2/scrape/00000000-0000-4000-8000-000000000000')
    socket.destroy()
    await expect.poll(trawl.output).toMatch(/left-in-the-middle.*"event":"request-left"/)
    expect(trawl.output()).not.toContain('"event":"request-failed"')
  })

  it('R16 that do not read their answer are disconnected', async () => {
    const app = fakeApp({ scrape: async () => Buffer.alloc(50 * 1024 * 1024, 0x20) }, { stalledMs: 200 })
    const ended = new Promise((resolve) => app.server.once('connection', (connection) => connection.once('close', () => resolve('ended'))))
    const base = await app.listen({ port: 0, host: '127.0.0.1' })
    const socket = await openSocket(base)
    socket.pause().write(posted('{"url":"http://example.com/"}'))
    expect(await ended).toBe('ended')
    socket.destroy()
    await app.close()
  })
})

describe('R16 unusual but harmless requests are served', () => {
  it.each([
    ['HTTP/1.0', 'GET /health HTTP/1.0\r\n\r\n'],
    ['an absolute target, as the path that it names', head('GET http://elsewhere.example/health HTTP/1.1', 'Connection: close')],
    ['an upgrade to HTTP/2 that is not made', head('GET /health HTTP/1.1', 'Connection: Upgrade, close', 'Upgrade: h2c')],
    ['thousands of parameters', head(`GET /health?${Array.from({ length: 5_000 }, (_, i) => `a${i}`).join('&')} HTTP/1.1`, 'Connection: close')],
  ])('R16 %s', async (_what, bytes) => expect((await sendRaw(trawl.base, bytes)).status).toBe(200))
})
