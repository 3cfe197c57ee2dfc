import { expect, it } from 'vitest'
import { toldShelf } from './told.ts'

it('limits the remembered URLs, and forgets those of the least recently used job', () => {
  const shelf = toldShelf(4)
  const [first, second, third] = [shelf.open(), shelf.open(), shelf.open()]
  first.add(['a', 'b'])
  second.add(['c'])
  first.add(['b'])
  third.add(['d', 'e'])
  expect([first.has('a'), first.has('b'), second.has('c'), third.has('d'), third.has('e'), shelf.size()]).toEqual([true, true, false, true, true, 4])
})

it('forgets everything of a job that alone exceeds the limit', () => {
  const shelf = toldShelf(2)
  const only = shelf.open()
  only.add(['a', 'b', 'c'])
  expect([only.has('a'), shelf.size()]).toEqual([false, 0])
  only.add(['d'])
  expect([only.has('d'), shelf.size()]).toEqual([true, 1])
})

it('remembers links up to a quarter of the limit of URLs, and forgets no URL for them', () => {
  const shelf = toldShelf(8)
  const [first, second] = [shelf.open(), shelf.open()]
  first.add(['a'])
  first.addLinks(['/a', '/a?ref=1'])
  expect([first.hasLink('/a'), first.has('/a'), second.hasLink('/a')]).toEqual([true, false, false])
  second.addLinks(['/b'])
  expect([first.hasLink('/a'), second.hasLink('/b'), first.has('a'), shelf.size()]).toEqual([false, true, true, 1])
})
