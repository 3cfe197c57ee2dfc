import { describe, expect, it } from 'vitest'
import { heard, read, written } from './spoken.ts'

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
