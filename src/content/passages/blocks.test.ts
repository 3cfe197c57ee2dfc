import { describe, expect, it } from 'vitest'
import { linked, readable } from './blocks.ts'

it.each([
  ['a [b](/c) d', 'a b d'],
  ['[![b](/c.png)](/d "e f")', 'b'],
  ['![a [b](/c "d") e', 'a [b e'],
  ['[a [b](c) d', '[a b d'],
  ['[a](b[c](d) e', 'a e'],
  ['[a]\n(b) [c](d e) [f](g', '[a] (b) [c](d e) [f](g'],
  ['[](/a) b', 'b'],
  ['- a\n\n> b', 'a b'],
  ['a\n\n```json\n{"b": 1}\n```\n\n~~~\nc\n~~~', 'a {"b": 1} c'],
])('%j is parsed as %j', (markdown, text) => {
  expect(readable(markdown)).toBe(text)
})

it('the positions of links are known', () => {
  expect(linked('a [b](/c "d") e')).toEqual([{ start: 2, end: 13, label: 'b' }])
})

describe('parsing takes linear time', () => {
  it.each(['[', '![', '[](', '![](', '[]( "', '](', '[x](y "z', ' \n', '> ', '```', '```a`', '~~~\n'])('of %j without end', (part) => {
    const text = part.repeat(100_000)
    const began = process.cpuUsage()
    readable(text)
    linked(text)
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(2_000)
  })
})
