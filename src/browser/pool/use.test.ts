import { EventEmitter } from 'node:events'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { rememberWire, type Wire } from '../protocol/wire.ts'
import type { Room, Rooms } from './rooms.ts'
import { attempt } from './use.ts'

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
