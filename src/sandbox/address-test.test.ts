import { expect, it } from 'vitest'
import { cpuMs } from '../../test/cpu.ts'
import { addressTest } from './address-test.ts'

it.each<[string | RegExp, string, boolean]>([
  ['https://a.test', 'https://a.test/', true],
  ['https://a.test/x', 'https://a.test/xy', false],
  ['**/done', 'https://a.test/deep/done', true],
  ['https://*.test/{one,two}?q=1', 'https://a.test/two?q=1', true],
  ['https://a.test/*', 'https://a.test/x/y', false],
  ['**/x.html', 'https://a.test/xyhtml', false],
  [/\/DONE$/i, 'https://a.test/done', true],
  [/^https/, 'http://a.test/', false],
])('%s is compared with %s: %s', (wanted, url, is) => {
  expect(addressTest(wanted)(new URL(url))).toBe(is)
})

it.each<[string | RegExp]>([['*a'.repeat(30)], [`${'**a'.repeat(30)}!`], [/(a+)+!$/]])('an answer is fast for any pattern (%#)', (wanted) => {
  const url = new URL(`http://x.test/${'a'.repeat(20_000)}`)
  expect(cpuMs(() => void addressTest(wanted)(url))).toBeLessThan(3_000)
})

it('an answer is fast for an address of megabytes', () => {
  const url = new URL(`http://x.test/#${'a'.repeat(1_000_000)}`)
  expect(cpuMs(() => void addressTest(`${'**a'.repeat(390)}{x,y}`)(url))).toBeLessThan(3_000)
  expect(addressTest('**#a*')(url)).toBe(true)
})

it('a pattern that requires backtracking is refused', () => {
  expect(() => addressTest(/a(?=b)/)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
})
