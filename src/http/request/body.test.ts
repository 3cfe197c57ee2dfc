import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../domain/errors.ts'
import { parseJson } from './body.ts'
import { jsonShape } from '../../lib/json-shape.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)
const codeOf = (body: Uint8Array): unknown => {
  try {
    parseJson(body)
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

describe('a JSON body', () => {
  it('is checked without parsing: brackets in strings do not count', () => {
    expect(['[[1],{"a":[]}]', '{"a":"[[[,:[\\"[["}', '5'].map((text) => jsonShape(bytes(text)))).toEqual([
      { depth: 3, values: 2, members: 1 },
      { depth: 1, values: 1, members: 1 },
      { depth: 0, values: 1, members: 0 },
    ])
  })

  it('may be nested 64 levels deep', () => {
    expect(codeOf(bytes('['.repeat(64) + ']'.repeat(64)))).toBeNull()
    expect(codeOf(bytes('['.repeat(65) + ']'.repeat(65)))).toBe('BAD_REQUEST_INVALID_JSON')
    expect(codeOf(bytes('['.repeat(5_000_000)))).toBe('BAD_REQUEST_INVALID_JSON')
  })

  it('has a limited number of values, however small they are', () => {
    expect(codeOf(bytes(`[${'0,'.repeat(199_999)}0]`))).toBeNull()
    expect(codeOf(bytes(`[${'0,'.repeat(200_000)}0]`))).toBe('BAD_REQUEST_INVALID_JSON')
  })

  it('has a limited number of members, over all objects', () => {
    const of = (count: number): string => `[{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}, {"a:::":1}]`
    expect(codeOf(bytes(of(19_999)))).toBeNull()
    expect(codeOf(bytes(of(20_000)))).toBe('BAD_REQUEST_INVALID_JSON')
  })

  it('is said to be empty if it is', () => expect(() => parseJson(bytes(''))).toThrow('The body is empty; send JSON.'))
  it('is named in the message', () => expect(() => parseJson(bytes('{'), 'field `options`')).toThrow('The field `options` is not valid JSON in UTF-8.'))
  it.each(['', '{', '{"a":1,}', "{'a':1}", 'undefined', '{"a":NaN}'])('refuses %s', (text) => expect(codeOf(bytes(text))).toBe('BAD_REQUEST_INVALID_JSON'))

  it('must be UTF-8, without NUL or lone surrogates', () => {
    expect(codeOf(Buffer.from([0x22, 0xff, 0x22]))).toBe('BAD_REQUEST_INVALID_JSON')
    expect(codeOf(bytes('{"a":"x\\u0000y"}'))).toBe('BAD_REQUEST_INVALID_JSON')
    expect(codeOf(bytes('{"a":"\\ud800"}'))).toBe('BAD_REQUEST_INVALID_JSON')
    expect(codeOf(bytes('{"a":"\\ud83d\\ude00"}'))).toBeNull()
  })

  it.each(['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '[{"b":{"a":[],"c":":","a":{}}}]'])('must name no key twice: %s', (text) => expect(codeOf(bytes(text))).toBe('BAD_REQUEST'))
  it('says which key is there twice, and where', () => {
    const said = (text: string): unknown => {
      try {
        return parseJson(bytes(text), 'field `options`')
      } catch (error) {
        return error instanceof ServiceError && [error.message, error.details]
      }
    }
    const message = 'formats.1.type: The field `options` has this key twice'
    expect(said('{"formats":["html",{"type":"json","type":"links"}]}')).toEqual([`Bad Request: ${message}`, [{ code: 'custom', path: ['formats', 1, 'type'], message }]])
    expect(JSON.stringify(said(`{"${'k'.repeat(5_000)}":1,"${'k'.repeat(5_000)}":1}`)).length).toBeLessThan(500)
  })

  it.each(['{"a":{"a":[{"a":null},{"a":":"}]},"A":"a"}', '"a"', 'null', '[{}]'])('may name a key again in another object: %s', (text) => expect(codeOf(bytes(text))).toBeNull())

  it.each(['{"__proto__":{"x":1}}', '{"__\\u0070roto__":1}', '[{"__prot\\u006F__":1}]', '{"a":{"\\u005f_proto__":1}}'])('must have no key __proto__: %s', (text) => expect(codeOf(bytes(text))).toBe('BAD_REQUEST'))
})
