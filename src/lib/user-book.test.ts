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
