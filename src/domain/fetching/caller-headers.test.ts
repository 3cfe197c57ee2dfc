import { expect, it } from 'vitest'
import { describesClient, staysHome } from './caller-headers.ts'

it.each([
  ['http://a.example/x', 'http://a.example/y', true],
  ['http://a.example/x', 'https://a.example/y', true],
  ['https://a.example/x', 'http://a.example/y', false],
  ['http://a.example:8080/x', 'https://a.example/y', false],
  ['http://a.example/x', 'https://www.a.example/y', false],
  ['http://a.example/x', 'http://a.example:8080/y', false],
])('says whether what goes to %s may also go to %s', (from, to, may) => {
  expect(staysHome(new URL(from), new URL(to))).toBe(may)
})

it('tells headers that describe the client from those that may be secrets', () => {
  expect(['User-Agent', 'Accept', 'accept-language', 'Authorization', 'Cookie', 'X-Key'].map(describesClient)).toEqual([true, true, true, false, false, false])
})
