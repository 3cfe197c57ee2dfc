import { cpuMs } from '../../../test/cpu.ts'
import { describe, expect, it } from 'vitest'
import { Malformed, readHead } from './head.ts'

const lines = (...of: readonly string[]): string => of.join('\r\n')
const forever = Number.POSITIVE_INFINITY

describe('the head of an answer', () => {
  it('has names in lower case, in the order sent, and trimmed values', () => {
    const { status, headers } = readHead(lines('HTTP/1.1 200 All is well', 'X-B:  a b\t', 'x-a:', 'X-B: Ã¤', 'X-C: \xe4'))
    expect([status, headers]).toEqual([200, [['x-b', 'a b'], ['x-a', ''], ['x-b', 'ä'], ['x-c', '\xe4']]])
  })

  it.each([
    ['a length', 'HTTP/1.1 200', ['Content-Length: 12'], { by: 'length', bytes: 12 }, forever],
    ['no length', 'HTTP/1.1 200 ', [], { by: 'close' }, 0],
    ['chunks', 'HTTP/1.1 200 OK', ['Transfer-Encoding: Chunked'], { by: 'chunks' }, forever],
    ['chunks and a length', 'HTTP/1.1 200 OK', ['Content-Length: 5', 'Transfer-Encoding: chunked'], { by: 'chunks' }, 0],
    ['a status without a body', 'HTTP/1.1 304 X', ['Content-Length: 12'], { by: 'length', bytes: 0 }, forever],
    ['an interim status', 'HTTP/1.1 103 X', ['Transfer-Encoding: chunked'], { by: 'length', bytes: 0 }, forever],
    ['the end of the connection', 'HTTP/1.1 200 OK', ['Content-Length: 1', 'Connection: x, Close'], { by: 'length', bytes: 1 }, 0],
    ['the old version', 'HTTP/1.0 200 OK', ['Content-Length: 1'], { by: 'length', bytes: 1 }, 0],
    ['the old version, kept', 'HTTP/1.0 200 OK', ['Content-Length: 1', 'Connection: keep-alive'], { by: 'length', bytes: 1 }, forever],
    ['a time', 'HTTP/1.1 200 OK', ['Content-Length: 1', 'Keep-Alive: timeout=5, max=100'], { by: 'length', bytes: 1 }, 5000],
  ] as const)('with %s says where its body ends and for how long the connection is kept', (_, first, fields, framing, keptMs) => {
    expect(readHead(lines(first, ...fields))).toMatchObject({ framing, keptMs })
  })

  it('is read in linear time, whatever stands between the words of a value', () => {
    const value = `a${' '.repeat(60_000)}b`
    const read = (): void => expect(readHead(lines('HTTP/1.1 200 OK', `Connection: ${value}`)).headers).toEqual([['connection', value]])
    expect(cpuMs(read)).toBeLessThan(500)
  })

  it('keeps bytes of letters that look like blanks', () => {
    expect(readHead(lines('HTTP/1.1 200 OK', 'X-A: \t\xc3\xa0 ', 'X-B: \t ')).headers).toEqual([['x-a', 'à'], ['x-b', '']])
  })

  it.each([
    '',
    'HTTP/2 200 OK',
    'HTTP/1.1 20 OK',
    'HTTP/1.1 2000 OK',
    'HTTP/1.1  200 OK',
    'HTTP/1.1 099 OK',
    'http/1.1 200 OK',
    'HTTP/1.1 200 O\nK',
    lines('HTTP/1.1 200 OK', 'no colon'),
    lines('HTTP/1.1 200 OK', ': nameless'),
    lines('HTTP/1.1 200 OK', 'X A: b'),
    lines('HTTP/1.1 200 OK', 'X-A : b'),
    lines('HTTP/1.1 200 OK', 'X-A: b', ' folded'),
    lines('HTTP/1.1 200 OK', 'X-A: b\nX-B: c'),
    lines('HTTP/1.1 200 OK', 'X-A: \0'),
    lines('HTTP/1.1 200 OK', 'Content-Length: 1', 'Content-Length: 1'),
    lines('HTTP/1.1 200 OK', 'Content-Length: 1, 1'),
    lines('HTTP/1.1 200 OK', 'Content-Length: -1'),
    lines('HTTP/1.1 200 OK', 'Content-Length:'),
    lines('HTTP/1.1 200 OK', 'Transfer-Encoding: gzip, chunked'),
    lines('HTTP/1.1 200 OK', 'Transfer-Encoding: identity'),
    lines('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'),
  ])('is invalid: %j', (text) => expect(() => readHead(text)).toThrow(Malformed))
})
