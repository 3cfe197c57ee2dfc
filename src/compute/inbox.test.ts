import { expect, it } from 'vitest'
import { Inbox } from './inbox.ts'

const piece = (...bytes: readonly number[]): Uint8Array => Uint8Array.from(bytes)

it('puts bodies together, one after the other', () => {
  const inbox = new Inbox()
  for (const own of [piece(1, 2), piece(3)]) inbox.take({ piece: own, of: 3 })
  expect([...inbox.whole()]).toEqual([1, 2, 3])
  inbox.take({ piece: piece(4), of: 1 })
  expect([...inbox.whole()]).toEqual([4])
})

it('tells of a body that there is no room for once, when it is asked for, and reads the next one', () => {
  const inbox = new Inbox()
  for (const own of [piece(1, 2), piece(3)]) inbox.take({ piece: own, of: 2 ** 52 })
  expect(() => inbox.whole()).toThrow(RangeError)
  inbox.take({ piece: piece(4), of: 1 })
  expect([...inbox.whole()]).toEqual([4])
})
