import { expect, it } from 'vitest'
import { numbersIn } from './numbers.ts'

it('the numbers of a text are found in a list of millions', () => {
  expect(numbersIn(`${'1 '.repeat(6_000_000)}2`)[0]).toEqual({ value: 1, start: 0, end: 199 })
})

it('the numbers of a text may have groups of digits', () => {
  expect(numbersIn('1 234 567,8 and 12%').map(({ value }) => value)).toEqual(expect.arrayContaining([1_234_567.8, 0.12]))
})
