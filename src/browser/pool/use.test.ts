import { EventEmitter } from 'node:events'
import type { Browser, BrowserContext } from 'playwright-core'
import { expect, it } from 'vitest'
import { isKept } from '../../../test/kept.ts'
import type { Call } from '../../domain/call.ts'
import { rememberWire, type Wire } from '../protocol/wire.ts'
import { type Room, RoomLost, type Rooms } from './rooms.ts'
import { attempt } from './use.ts'

/** Rooms with a single one, which all uses share, and which goes when the test says so. */
function oneRoom(): { readonly places: Rooms; go(): void } {
  let go = (): void => undefined
  const gone = new Promise<void>((resolve) => (go = resolve))
  const browser = {} as Browser // what knows its wire
  rememberWire(browser, { opening: async (work: () => Promise<unknown>) => ({ opened: await work(), targetId: null }) } as unknown as Wire) // what is used of it
  const line = (): object => Object.assign(new EventEmitter(), { send: async () => ({ targetInfo: { targetId: 't' } }) })
  const context = { browser: () => browser, newCDPSession: async () => line(), newPage: async () => Object.assign(new EventEmitter(), { context: () => context, goto: async () => null, close: async () => undefined }) }
  const room = { context: context as unknown as BrowserContext, key: 'a crawl', quiet: true, credentials: null, guests: 1, closed: false, gone } as unknown as Room // what is used of them
  return { places: { enter: async () => room, leave: async () => undefined, end: async () => undefined }, go }
}

const call = { id: 'c', team: 't', signal: new AbortController().signal, deadline: Infinity, retention: 'normal', log: () => undefined } as unknown as Call // what is used of it

it('a room that others go on to use keeps nothing of what a use has answered', async () => {
  const { places, go } = oneRoom()
  const use = async (): Promise<object> => {
    const { answer, cleared } = attempt(places, { terms: { context: {} }, work: async () => ({ html: 'long' }), alone: false }, call)
    await cleared
    return answer
  }
  expect(await isKept(use)).toBe(false)
  go()
})

it('a use whose room goes is told so', async () => {
  const { places, go } = oneRoom()
  const { answer } = attempt(places, { terms: { context: {} }, work: () => new Promise(() => undefined), alone: false }, call)
  setTimeout(go, 10)
  await expect(answer).rejects.toThrow(RoomLost)
})
