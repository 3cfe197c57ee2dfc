import { EventEmitter } from 'node:events'
import type { BrowserContext } from 'playwright-core'
import { expect, it } from 'vitest'
import type { PageSession } from '../protocol/page-session.ts'
import { limitRequests } from './requests.ts'

it.each([
  ['http://shop.example/basket', 'Bearer secret'],
  ['https://shop.example/basket', 'Bearer secret'],
  ['https://shop.example:8443/basket', undefined],
  ['https://www.shop.example/basket', undefined],
])("sends the caller's headers for http://shop.example/ to %s: %s", async (url, sent) => {
  const cdp = new EventEmitter()
  const continued: { readonly headers: readonly { readonly name: string; readonly value: string }[] }[] = []
  const send = async (method: string, parameters: (typeof continued)[number]): Promise<unknown> => {
    if (method === 'Fetch.continueRequest') continued.push(parameters)
    return { frameTree: { frame: { id: 'main' } } }
  }
  // The rules need no more of a connection than this.
  await limitRequests(Object.assign(cdp, { send }) as unknown as PageSession, { pageUrl: 'http://shop.example/', blockAds: false, visible: true, matcher: null, headers: { Authorization: 'Bearer secret' }, mayGo: null }, {} as BrowserContext)
  cdp.emit('Fetch.requestPaused', { requestId: '1', frameId: 'main', resourceType: 'Document', request: { url, headers: { Authorization: 'Bearer secret', Accept: '*/*' } } })
  expect(continued[0]?.headers.find(({ name }) => name === 'Authorization')?.value).toBe(sent)
})
