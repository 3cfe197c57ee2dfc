import { expect, it } from 'vitest'
import { fairQueue } from './fair-queue.ts'

interface Item {
  readonly name: string
}

/** A queue with these items; the first letter is the team. */
function queueOf(...names: string[]) {
  const queue = fairQueue<Item>()
  const items = new Map(names.map((name) => [name, { name }]))
  for (const [name, item] of items) queue.push(name.slice(0, 1), item)
  return { queue, drop: (name: string) => queue.drop(name.slice(0, 1), items.get(name) ?? { name }) }
}

it('a fair queue lets teams take turns, with the items of each in order', () => {
  const { queue } = queueOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1')
  expect(Array.from({ length: 7 }, () => queue.next()?.name)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
  expect(queue.size()).toBe(0)
})

it('a fair queue skips teams that may not run, which keep their turn', () => {
  const { queue } = queueOf('a1', 'b1', 'b2')
  expect(queue.next((team) => team !== 'a')).toEqual({ name: 'b1' })
  expect(queue.next(() => false)).toBe(null)
  expect([queue.next(), queue.next()]).toEqual([{ name: 'a1' }, { name: 'b2' }])
})

it('a fair queue forgets a dropped item, once, and all items when it is cleared', () => {
  const { queue, drop } = queueOf('a1', 'a2', 'b1')
  expect([drop('a1'), drop('a1'), drop('c1'), queue.size()]).toEqual([true, false, false, 2])
  expect([queue.clear(), queue.size(), queue.next()]).toEqual([[{ name: 'a2' }, { name: 'b1' }], 0, null])
})

it('a fair queue gives every fifth turn to background items while others wait, and all turns otherwise', () => {
  const { queue } = queueOf('a1', 'a2', 'a3', 'a4', 'a5', 'a6')
  const later = ['x1', 'x2', 'y1'].map((name) => ({ name }))
  for (const item of later) queue.push(item.name.slice(0, 1), item, true)
  const waiting = queue.size()
  expect(Array.from({ length: 10 }, () => queue.next()?.name)).toEqual(['a1', 'a2', 'a3', 'a4', 'x1', 'a5', 'a6', 'y1', 'x2', undefined])
  expect([waiting, queue.size()]).toEqual([9, 0])
})

it('a fair queue gives the turn of a blocked background to others, and drops and clears background items', () => {
  const { queue } = queueOf('a1', 'a2', 'a3', 'a4', 'a5', 'a6')
  const [gone, kept] = [{ name: 'x1' }, { name: 'x2' }]
  for (const item of [gone, kept]) queue.push('x', item, true)
  expect(Array.from({ length: 5 }, () => queue.next((team) => team === 'a')?.name)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
  expect([queue.drop('x', gone), queue.drop('x', gone), queue.clear(), queue.size()]).toEqual([true, false, [{ name: 'a6' }, kept], 0])
})
