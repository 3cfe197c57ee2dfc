import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../domain/call.ts'
import type { Capture, Engine, Order } from '../domain/capture.ts'
import { header } from '../domain/capture.ts'
import { chromiumPath, type TestPages, testPages } from '../../test/pages.ts'
import { type Site, startSite } from '../../test/site/index.ts'
import { browserEngine } from './browser.ts'

const path = chromiumPath()
const fetched: Order[] = []

/** Stands for the HTTP engine: says what it was asked for. */
const files: Engine = {
  name: 'http',
  can: new Set(),
  cost: 1,
  fetch: async (order) => {
    fetched.push(order)
    return { kind: 'captured', capture: { requestedUrl: order.url, url: order.url, status: 200, headers: [], body: Buffer.from('file'), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 } }
  },
}

function callOf(ms: number): Call {
  return { id: 'call', team: 'team', signal: AbortSignal.timeout(ms), deadline: Date.now() + ms, retention: 'normal', log: () => undefined }
}

describe.skipIf(path === undefined)('the browser engine', () => {
  let site: Site
  let pages: TestPages
  let engine: Engine
  beforeAll(async () => {
    ;[site, pages] = await Promise.all([startSite(), testPages(path ?? '')])
    engine = browserEngine(pages, { clock: { now: Date.now }, maxBytes: 50_000_000, files })
  })
  afterAll(async () => {
    await pages.close()
    await site.close()
  })

  async function get(page: string, more: Partial<Order> = {}, ms = 30_000): Promise<Capture> {
    const url = page.startsWith('http') ? page : site.url(page)
    const verdict = await engine.fetch({ url, headers: {}, languages: ['en-US', 'en'], skipTlsVerification: true, ...more }, callOf(ms))
    if (verdict.kind !== 'captured') throw new Error(verdict.why)
    return verdict.capture
  }
  const bodyOf = (capture: Capture): string => Buffer.from(capture.body).toString()

  it.each([
    ['/scripts/inline', 'Inline MARK'],
    ['/scripts/fetched', 'Fetched MARK'],
    ['/scripts/fetched-after-load', 'Fetched MARK'],
    ['/scripts/chained', 'Fetched MARK'],
    ['/scripts/timer', 'Timer MARK'],
    ['/scripts/polls-fast', 'Polling MARK'],
    ['/scripts/clock', 'Clock MARK'],
    ['/scripts/traps', 'Trap MARK'],
  ])('brings %s home complete', async (page, mark) => {
    const capture = await get(page)
    expect(bodyOf(capture)).toContain(mark)
    expect({ status: capture.status, engine: capture.engine, truncated: capture.truncated, type: header(capture, 'content-type') }).toEqual({ status: 200, engine: 'browser', truncated: false, type: 'text/html; charset=utf-8' })
  })
})
