import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { gather } from './gather.ts'

/** A gatherer whose turns of the event loop have a given duration. */
function gathering(): { readonly groups: (readonly string[])[]; readonly add: (...things: string[]) => void; readonly turn: (ms: number) => Promise<void>; readonly flush: () => void } {
  const groups: (readonly string[])[] = []
  let now = 1_000
  const { add, flush } = gather<string>(
    (things) => groups.push(things),
    () => now,
  )
  return {
    groups,
    add: (...things) => things.forEach(add),
    turn: async (ms) => {
      now += ms
      await setImmediate()
    },
    flush,
  }
}

it('operations of one short turn are passed on together, in order', async () => {
  const { groups, add, turn } = gathering()
  add('a', 'b')
  add('c')
  expect(groups).toEqual([])
  await turn(1)
  expect(groups).toEqual([['a', 'b', 'c']])
  await turn(1)
  add('d')
  await turn(1)
  expect(groups).toEqual([['a', 'b', 'c'], ['d']])
})

it('operations are gathered over long turns, until one is short', async () => {
  const { groups, add, turn } = gathering()
  for (const thing of ['a', 'b', 'c']) {
    add(thing)
    await turn(5)
  }
  expect(groups).toEqual([])
  await turn(1)
  expect(groups).toEqual([['a', 'b', 'c']])
})

it('operations wait for 50 ms at most, however long the turns are', async () => {
  const { groups, add, turn } = gathering()
  for (let i = 0; i < 12; i++) {
    add(String(i))
    await turn(10)
  }
  expect(groups).toEqual([
    ['0', '1', '2', '3', '4'],
    ['5', '6', '7', '8', '9'],
  ])
  await turn(80)
  expect(groups.at(-1)).toEqual(['10', '11'])
})

it('operations are passed on at once on demand, and never twice', async () => {
  const { groups, add, turn, flush } = gathering()
  add('a')
  await turn(5)
  add('b')
  flush()
  flush()
  expect(groups).toEqual([['a', 'b']])
  await turn(5)
  await turn(1)
  expect(groups).toHaveLength(1)
})
