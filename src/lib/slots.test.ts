import { expect, it } from 'vitest'
import { stood } from '../../test/stood.ts'
import { slots } from './slots.ts'

const never = new AbortController().signal

/** Enters the queue and records the order of admission. */
function queue(places: ReturnType<typeof slots>) {
  const order: string[] = []
  const leave: (() => void)[] = []
  const enter = (team: string, name: string): void => void places.enter({ team, signal: never }).then((left) => (order.push(name), leave.push(left)))
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { order, leave, enter, settle }
}

it('slots are granted to teams in turn, and in order within a team', async () => {
  const places = slots(1)
  const { order, leave, enter, settle } = queue(places)
  for (const name of ['a1', 'a2', 'a3']) enter('a', name)
  enter('b', 'b1')
  await settle()
  for (let i = 0; i < 4; i++) {
    leave[i]?.()
    await settle()
  }
  expect([order, places.running, places.waiting]).toEqual([['a1', 'a2', 'b1', 'a3'], 0, 0])
})

it('slots are granted to background work after all others, except for every fifth one', async () => {
  const places = slots(1)
  const { order, leave, settle } = queue(places)
  const enter = (name: string, background: boolean): void => void places.enter({ team: 'a', signal: never, background }).then((left) => (order.push(name), leave.push(left)))
  for (const name of ['x1', 'x2', 'x3']) enter(name, true)
  for (let i = 1; i <= 6; i++) enter(`a${i}`, false)
  for (let i = 0; i <= 9; i++) {
    await settle()
    leave[i]?.()
  }
  expect([order, places.waiting]).toEqual([['x1', 'a1', 'a2', 'a3', 'a4', 'x2', 'a5', 'a6', 'x3'], 0])
})

it('slots forget waiters that gave up, and ignore a second release', async () => {
  const places = slots(1)
  const leave = await places.enter({ team: 'a', signal: never })
  const impatient = new AbortController()
  const waiting = places.enter({ team: 'a', signal: impatient.signal })
  impatient.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  leave()
  leave()
  expect([places.running, places.waiting]).toEqual([0, 0])
  await places.enter({ team: 'a', signal: never })
  expect(places.running).toBe(1)
  await expect(places.enter({ team: 'a', signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late')
})

it('slots pause the clock of a waiter until it has a slot or gives up', async () => {
  const places = slots(1)
  const { said, clock } = stood()
  const leave = await places.enter({ team: 'a', signal: never, clock })
  expect(said.splice(0)).toEqual(['stands', 'goes on'])
  const impatient = new AbortController()
  const [waiting, gone] = [places.enter({ team: 'a', signal: never, clock }), places.enter({ team: 'a', signal: impatient.signal, clock })]
  impatient.abort(new Error('enough'))
  await expect(gone).rejects.toThrow('enough')
  expect(said.splice(0)).toEqual(['stands', 'stands', 'goes on'])
  leave()
  await waiting
  expect(said).toEqual(['goes on'])
})

it('slots keep a spare one for teams that have none', async () => {
  const places = slots(2, 1)
  const { order, leave, enter, settle } = queue(places)
  for (const name of ['a1', 'a2', 'a3']) enter('a', name)
  for (const name of ['b1', 'b2']) enter('b', name)
  enter('c', 'c1')
  await settle()
  expect([order, places.running, places.waiting]).toEqual([['a1', 'a2', 'b1'], 3, 3])
  // The spare one goes to the next team that has none, however long others have waited.
  leave[2]?.()
  await settle()
  expect(order.slice(3)).toEqual(['b2'])
  leave[3]?.()
  await settle()
  expect(order.slice(4)).toEqual(['c1'])
  leave[0]?.()
  await settle()
  expect([order.slice(5), places.running]).toEqual([[], 2])
  leave[1]?.()
  await settle()
  expect([order.slice(5), places.running, places.waiting]).toEqual([['a3'], 2, 0])
})
