import { expect, it } from 'vitest'
import { fairQueue } from './fair-queue.ts'

interface Item {
  readonly name: string
}

/** A queue of the items named, each of the team of its first letter. */
function queueOf(...names: string[]) {
  const queue = fairQueue<Item>()
  const items = new Map(names.map((name) => [name, { name }]))
  for (const [name, item] of items) queue.push(name.slice(0, 1), item)
  return { queue, drop: (name: string) => queue.drop(name.slice(0, 1), items.get(name) ?? { name }) }
}

it('lets teams take turns, each its own in order', () => {
  const { queue } = queueOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1')
  expect(Array.from({ length: 7 }, () => queue.next()?.name)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
  expect(queue.size()).toBe(0)
})

it('passes over teams that may not, which keep their turn', () => {
  const { queue } = queueOf('a1', 'b1', 'b2')
  expect(queue.next((team) => team !== 'a')).toEqual({ name: 'b1' })
  expect(queue.next(() => false)).toBe(null)
  expect([queue.next(), queue.next()]).toEqual([{ name: 'a1' }, { name: 'b2' }])
})

it('forgets what is dropped, once, and all when it is cleared', () => {
  const { queue, drop } = queueOf('a1', 'a2', 'b1')
  expect([drop('a1'), drop('a1'), drop('c1'), queue.size()]).toEqual([true, false, false, 2])
  expect([queue.clear(), queue.size(), queue.next()]).toEqual([[{ name: 'a2' }, { name: 'b1' }], 0, null])
})
