import { expect, it } from 'vitest'
import { toldShelf } from './told.ts'

it('remembers no more URLs than it may, and forgets those of the job heard of longest ago', () => {
  const shelf = toldShelf(4)
  const [first, second, third] = [shelf.open(), shelf.open(), shelf.open()]
  first.add(['a', 'b'])
  second.add(['c'])
  first.add(['b'])
  third.add(['d', 'e'])
  expect([first.has('a'), first.has('b'), second.has('c'), third.has('d'), third.has('e'), shelf.size()]).toEqual([true, true, false, true, true, 4])
})

it('forgets everything of a job that alone has more', () => {
  const shelf = toldShelf(2)
  const only = shelf.open()
  only.add(['a', 'b', 'c'])
  expect([only.has('a'), shelf.size()]).toEqual([false, 0])
  only.add(['d'])
  expect([only.has('d'), shelf.size()]).toEqual([true, 1])
})
