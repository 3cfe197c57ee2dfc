import { expect, it } from 'vitest'
import { remembered } from './remembered.ts'

it('asks about a text once, about a long one each time', () => {
  const asked: string[] = []
  const lengthOf = remembered((text) => {
    asked.push(text)
    return text.length
  })
  const long = 'x'.repeat(201)
  expect([lengthOf('card'), lengthOf('card'), lengthOf(''), lengthOf(''), lengthOf(long), lengthOf(long)]).toEqual([4, 4, 0, 0, 201, 201])
  expect(asked).toEqual(['card', '', long, long])
})

it('forgets when it knows enough, and answers the same after that', () => {
  let asked = 0
  const twice = remembered((text) => {
    asked++
    return text + text
  })
  for (let i = 0; i <= 10_000; i++) twice(`a${i}`)
  expect(twice('a10000')).toBe('a10000a10000')
  expect(asked).toBe(10_001)
  expect(twice('a0')).toBe('a0a0')
  expect(asked).toBe(10_002)
})
