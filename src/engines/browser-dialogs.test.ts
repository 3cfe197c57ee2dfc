import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Call } from '../domain/call.ts'
import type { Engine, Order } from '../domain/pages/capture.ts'
import { type TestPages, testPages } from '../../test/pages.ts'
import { type Site, startSite } from '../../test/site/index.ts'
import { browserEngine } from './browser.ts'

const files: Engine = { name: 'http', can: new Set(), cost: 1, fetch: async () => Promise.reject(new Error('no file is here')) }
const callOf = (): Call => ({ id: 'call', team: 'team', signal: AbortSignal.timeout(30_000), deadline: Date.now() + 30_000, retention: 'normal', log: () => undefined })
const words = 'Low water is at one, high water at seven. '.repeat(20)

let site: Site
let pages: TestPages
let engine: Engine
beforeAll(async () => {
  site = await startSite({
    // A banner that says it was refused and stays.
    '/stubborn': async (_visit, answer) =>
      answer.send(200, { 'content-type': 'text/html' }, `<!doctype html><title>Tides</title><main><h1>Tides</h1><p>${words}</p></main><div class="cookie-banner" style="position: fixed; bottom: 0; width: 100%; height: 120px"><p>We use cookies to improve your visit.</p><button>Accept all</button><button onclick="fetch('/refused')">Reject all</button></div>`),
    '/refused': async (_visit, answer) => answer.send(204, {}, ''),
  })
  pages = await testPages(site.port)
  engine = browserEngine(pages, { clock: { now: Date.now }, maxBytes: 50_000_000, files })
})
afterAll(async () => {
  await pages.close()
  await site.close()
})

async function visits(count: number, more: Partial<Order> = {}): Promise<number> {
  for (let i = 0; i < count; i++) {
    const answer = await engine.fetch({ url: site.url('/stubborn'), headers: {}, languages: ['en'], skipTlsVerification: true, blockAds: true, ...more }, callOf())
    expect(answer.kind === 'captured' && Buffer.from(answer.capture.body).toString()).toContain(words.trim())
  }
  return site.hits('/refused')
}

it('a cookie dialog that does not close is left alone on the next pages of the host, unless it would be in a picture', async () => {
  const first = await visits(2)
  expect(first).toBeGreaterThan(0)
  expect(await visits(3)).toBe(first)
  expect(await visits(1, { screenshot: { fullPage: false } })).toBeGreaterThan(first)
}, 60_000)
