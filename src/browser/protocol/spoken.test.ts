import { describe, expect, it } from 'vitest'
import { heard, read, readForDriver, written } from './spoken.ts'

const large = `{"result":{"value":["${'x'.repeat(300_000)}","\\"sessionId\\":\\"B\\"}"]}}`

describe('a large answer of the browser', () => {
  it.each([
    ['of a page', `{"id":7,"result":${large},"sessionId":"ABC"}`],
    ['of the browser itself', `{"id":7,"result":${large}}`],
  ])('%s is not parsed until somebody reads it, and is written as it came', (_whose, text) => {
    const message = heard(text)
    expect([Object.keys(Object(message.result)), read(message), JSON.parse(written(message))]).toEqual([['json'], JSON.parse(text), JSON.parse(text)])
  })

  it.each([
    ['a small answer', '{"id":1,"result":{"a":1},"sessionId":"A"}'],
    ['an event', `{"method":"Page.x","params":{"a":"${'x'.repeat(300_000)}"},"sessionId":"A"}`],
    ['an error', `{"id":1,"error":{"code":1,"message":"${'x'.repeat(300_000)}"}}`],
  ])('%s is parsed at once', (_what, text) => {
    const message = heard(text)
    expect([message, read(message), JSON.parse(written(message))]).toEqual([JSON.parse(text), message, message])
  })
})

describe('a large answer to the driver', () => {
  const answer = (value: unknown): string => JSON.stringify({ id: 7, result: { result: { value } }, sessionId: 'ABC' })

  it.each<[string, unknown]>([
    ['of one text', 'x'.repeat(300_000)],
    ['of many values', Array.from({ length: 200_000 }, (_, i) => i)],
  ])('%s is read', (_, value) => {
    expect(readForDriver(heard(answer(value)))).toEqual({ id: 7, result: { result: { value } }, sessionId: 'ABC' })
  })

  const tooMany = 'The value holds more than 250000 values and names of members; a script can return it as one text (JSON.stringify)'

  it.each<[string, unknown]>([
    ['values', Array.from({ length: 250_001 }, () => 0)],
    ['names of members', Array.from({ length: 130_000 }, () => ({ a: 0 }))],
  ])('of more %s than it may take time for becomes an exception of the script, or an error', (_, value) => {
    const details = { exceptionId: 0, text: 'Uncaught', lineNumber: 0, columnNumber: 0, exception: { type: 'object', subtype: 'error', description: `Error: ${tooMany}` } }
    expect(readForDriver(heard(answer(value)))).toEqual({ id: 7, sessionId: 'ABC', result: { result: { type: 'undefined' }, exceptionDetails: details } })
    expect(readForDriver(heard(JSON.stringify({ id: 7, result: { cookies: value } })))).toEqual({ id: 7, error: { code: -32_000, message: tooMany } })
  })
})
