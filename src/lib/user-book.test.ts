import { expect, it } from 'vitest'
import { userBook } from './user-book.ts'

it('hands out each user to one holder, and again once it is given back', () => {
  const book = userBook([7, 8, 9])
  expect([book.take(), book.take(), book.take()].sort()).toEqual([7, 8, 9])
  book.give(8)
  expect(book.take()).toBe(8)
})

it('hands out a user twice rather than none', () => {
  const book = userBook([7, 8])
  const first = [book.take(), book.take()].sort()
  expect(first).toEqual([7, 8])
  expect(first).toContain(book.take())
})

it('does not take a user for free while the second of its holders is still there', () => {
  const book = userBook([7, 8, 9])
  const [first = 0, second = 0, , again] = [book.take(), book.take(), book.take(), book.take()]
  expect(again).toBe(first)
  book.give(first)
  book.give(second)
  expect(book.take()).toBe(second)
  book.give(second)
  expect(book.take()).toBe(second)
})
