import { EventEmitter } from 'node:events'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
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

it('closes a page that comes to a shared context when its visit is over', async () => {
  const close = vi.fn(async () => undefined)
  const cdp = Object.assign(new EventEmitter(), { send: async () => ({ targetInfo: { targetId: 't' } }) })
  const browser = {} as Browser // only told apart
  let open = (_page: Page): void => undefined
  const context = { browser: () => browser, newPage: () => new Promise<Page>((resolve) => (open = resolve)), newCDPSession: async () => cdp } as unknown as BrowserContext // what is used of it
  const page = Object.assign(new EventEmitter(), { context: () => context, goto: async () => null, close }) as unknown as Page // what is used of it
  rememberWire(browser, { opening: async (opening: () => Promise<Page>) => ({ opened: await opening(), targetId: null }) } as unknown as Wire) // what is used of it
  const room = { context, key: 'crawl', quiet: true, credentials: null, guests: 2, closed: false, gone: new Promise<void>(() => undefined) } as unknown as Room // what is used of it
  const places: Rooms = { enter: async () => room, leave: async () => undefined, end: async () => undefined }
  const over = new AbortController()
  const work = vi.fn(async () => undefined)
  const { answer, cleared } = attempt(places, { terms: { context: {} }, work, alone: false }, { id: 'c', team: 't', signal: over.signal, deadline: 10_000, retention: 'normal', log: () => undefined })
  await new Promise((resolve) => setImmediate(resolve))
  over.abort(new Error('over'))
  await expect(answer).rejects.toThrow('over')
  await cleared
  expect(close).not.toHaveBeenCalled()
  open(page)
  await vi.waitFor(() => expect(close).toHaveBeenCalledTimes(1))
  expect(work).not.toHaveBeenCalled()
})
