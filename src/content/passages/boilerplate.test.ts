import { expect, it } from 'vitest'
import { cleaned } from './boilerplate.ts'

const content = 'The harbour has two basins and a lock that opens at high water only.\n'

it.each([
  ['[Home](https://a.example/) › [Shop](https://a.example/shop) › Lamps', true],
  ['[Home](/) / [Shop](/shop) / [Lamps](/shop/lamps)', true],
  ['[Home](/) > [Shop](/shop) > A lamp', true],
  ['Home → [Shop](/shop)', true],
  ['[Python](https://a.example/) and/or [Ruby](https://b.example/)', false],
  ['[Home](/) | [Shop](/shop)', false],
  ['One/two of the lamps', false],
])('recognizes by its form whether %j is navigation', (text, isTrail) => {
  expect(cleaned(`${text}\n\n${content}`)).toBe(isTrail ? content : `${text}\n\n${content}`)
})

it.each(['→', '[→', '[→](', 'a>', '[a](b) ', '› ', ': '])('is fast for endless %j', (part) => {
  const began = process.cpuUsage()
  cleaned(`${part.repeat(150)}\\\n›\n\n${part.repeat(50_000)}\n\n${content}`)
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(2_000)
})

it('leaves a text unchanged that is too long for the regular expressions', () => {
  const text = `${'x'.repeat(15_000_000)}\n`
  expect(cleaned(text) === text).toBe(true)
})
