import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { compilePatterns } from './patterns.ts'

const refusal = (patterns: readonly string[]): unknown => {
  try {
    compilePatterns(patterns, 'includePaths')
    return null
  } catch (error) {
    return error
  }
}

describe('patterns of callers (R18)', () => {
  it.each([
    ['/blog/.*', '/en/blog/1', true],
    ['^/blog', '/en/blog/1', false],
    ['\\d{4}/(?:0[1-9]|1[0-2])$', '/2026/11', true],
    ['', '/anything', true],
    ['straße', '/straße', true],
  ])('%s is searched in %s', (pattern, text, found) => expect(compilePatterns([pattern], 'includePaths')(text)).toBe(found))

  it('match if any of them does, and never without one', () => {
    expect([compilePatterns(['a', 'b'], 'x')('cb'), compilePatterns([], 'x')('cb')]).toEqual([true, false])
  })

  it.each([
    ['(?=x)', 'Look-ahead and look-behind are not supported: "(?=x)"'],
    ['(?<!x)y', 'Look-ahead and look-behind are not supported: "(?<!x)y"'],
    ['(a)\\1', 'Back-references are not supported: "(a)\\1"'],
    ['(', 'Not a regular expression (RE2 syntax): "("'],
    ['a{2,1}', 'Not a regular expression (RE2 syntax): "a{2,1}"'],
    ['((a{100}){100}){100}', 'Not a regular expression (RE2 syntax): "((a{100}){100}){100}"'],
    ['\n\u202e(', 'Not a regular expression (RE2 syntax): "\\u{a}\\u{202e}("'],
    ['x'.repeat(2_001), `A pattern may have at most 2000 characters: "${'x'.repeat(100)}…"`],
  ])('are refused by name if invalid: %j', (pattern, message) => {
    expect(refusal(['fine', pattern])).toMatchObject({ code: 'BAD_REQUEST', message: `Bad Request: includePaths.1: ${message}`, details: [{ path: ['includePaths', 1], message }] })
  })

  it('are limited in number and size', () => {
    expect(refusal(Array.from({ length: 1_001 }, () => 'a'))).toMatchObject({ code: 'BAD_REQUEST' })
    expect(refusal(Array.from({ length: 100 }, () => 'a'.repeat(1_500)))).toMatchObject({ code: 'BAD_REQUEST' })
    expect(refusal(Array.from({ length: 50 }, () => 'a'.repeat(2_000)))).toBeNull()
  })

  it('count with their repetitions expanded', () => {
    const began = process.cpuUsage()
    expect(refusal(Array.from({ length: 1_000 }, () => '(a?b?){400}[x-z]'))).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('with their repetitions written out, may have at most 100000 characters'),
    })
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(5_000)
    expect(refusal(Array.from({ length: 1_000 }, (_, i) => `^/shelf-${i}/[^/]+/[0-9]{1,9}$`))).toBeNull()
  })

  it.each([
    ['wide ranges without case', `(?i)${'[B-\u{1e942}]'.repeat(330)}`],
    ['wide ranges in hexadecimal', `(?s-i:(?i)${'[--\\x{1e942}]'.repeat(150)})`],
    ['classes of Unicode', `(?i)[${'\\pLk'.repeat(490)}]`],
  ])('are compiled within a time limit: %s', (_, pattern) => {
    expect(cpuMs(() => void refusal(Array.from({ length: 50 }, () => pattern)))).toBeLessThan(4_000)
    expect(refusal(Array.from({ length: 50 }, () => pattern))).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('too many classes') })
  })

  it('may name letters of other scripts', () => {
    expect(refusal(Array.from({ length: 1_000 }, (_, i) => `(?i)^/${i}/[а-я-]+/\\p{L}$`))).toBeNull()
    expect(refusal(Array.from({ length: 200 }, (_, i) => `(?i)^/${i}/[一-龥]+$`))).toBeNull()
  })

  it('report the text length that they can match in time', () => {
    expect(compilePatterns(['/blog/.*', '^/[a-z]{2}/.*'], 'x').longest).toBeGreaterThan(100_000)
    const { longest } = compilePatterns(Array.from({ length: 30 }, () => '(a?b?){400}[x-z]'), 'x')
    expect([longest > 200, longest < 2_000]).toEqual([true, true])
  })

  it('take linear time where backtracking would never finish', () => {
    const match = compilePatterns(['^(a+)+$', '(x*)*y', '(.*a){25}'], 'includePaths')
    expect(cpuMs(() => void match(`${'a'.repeat(5_000)}!`))).toBeLessThan(5_000)
  })
})
