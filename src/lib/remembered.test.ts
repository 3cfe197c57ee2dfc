import { expect, it } from 'vitest'
import { remembered } from './remembered.ts'

/** Returns the length of a text, and records the calls. */
function lengths() {
  const asked: string[] = []
  const lengthOf = remembered((text) => {
    asked.push(text)
    return text.length
  })
  return { asked, lengthOf }
}

it('a short text is computed once, a long one each time', () => {
  const { asked, lengthOf } = lengths()
  const [utilities, long] = ['flex '.repeat(200), 'x'.repeat(1_001)]
  expect(['card', 'card', '', '', utilities, utilities, long, long].map(lengthOf)).toEqual([4, 4, 0, 0, 1_000, 1_000, 1_001, 1_001])
  expect(asked).toEqual(['card', '', utilities, long, long])
})

it('a full memory forgets, and returns the same results afterwards', () => {
  const { asked, lengthOf } = lengths()
  for (let i = 0; i <= 10_000; i++) lengthOf(`a${i}`)
  expect([lengthOf('a10000'), asked.length]).toEqual([6, 10_001])
  expect([lengthOf('a0'), asked.length]).toEqual([2, 10_002])
})

it('a memory keeps fewer texts if they are long', () => {
  const { asked, lengthOf } = lengths()
  for (let i = 0; i <= 1_000; i++) lengthOf(`a${i}`.padEnd(1_000))
  expect([lengthOf('a1000'.padEnd(1_000)), asked.length]).toEqual([1_000, 1_001])
  expect([lengthOf('a0'.padEnd(1_000)), asked.length]).toEqual([1_000, 1_002])
})
