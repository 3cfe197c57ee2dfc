import { EventEmitter } from 'node:events'
import type { CDPSession, Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { data } from './data.ts'

const url = 'https://site.example/answer'
const request = { url: () => url } as Request // nothing else is asked

it('an answer that stops in the middle has fallen silent, and is forgotten once it ends', async () => {
  const cdp = Object.assign(new EventEmitter(), { send: async () => undefined })
  const { fallenSilent } = await data(cdp as unknown as CDPSession) // what is used of it
  const later = (): boolean => fallenSilent(request, performance.now() + 4_000)
  cdp.emit('Network.responseReceived', { requestId: '1', type: 'Fetch', response: { url } })
  expect(later()).toBe(false)
  cdp.emit('Network.dataReceived', { requestId: '1' })
  expect([fallenSilent(request, performance.now()), later()]).toEqual([false, true])
  cdp.emit('Network.loadingFinished', { requestId: '1' })
  expect(later()).toBe(false)
})
