import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Call } from '../domain/call.ts'
import type { Engine, Order } from '../domain/pages/capture.ts'
import { type TestPages, testPages } from '../../test/pages.ts'
import { type Site, startSite } from '../../test/site/index.ts'
import { browserEngine } from './browser.ts'

const fetched: Order[] = []
const capture = { requestedUrl: '', url: '', status: 200, headers: [], body: Buffer.from('file'), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 } as const
/** Stands in for the HTTP engine and records its requests. */
const files: Engine = { name: 'http', can: new Set(), cost: 1, fetch: async (order) => (fetched.push(order), { kind: 'captured', capture: { ...capture, requestedUrl: order.url, url: order.url } }) }

let site: Site
let pages: TestPages
let engine: Engine
beforeAll(async () => {
  site = await startSite({
    '/app/page': async (_visit, answer) => answer.send(200, { 'content-type': 'text/html' }, '<!doctype html><p id="p">waiting</p><script>fetch("/api/me").then((r) => r.json()).then(({ headers }) => { p.textContent = headers.cookie })</script>'),
    '/api/me': async ({ headers }, answer) => answer.send(200, { 'content-type': 'application/json' }, JSON.stringify({ headers })),
    '/login': async (_visit, answer) => answer.send(302, { location: '/scripts/json', 'set-cookie': 'entry=new; Path=/' }),
  })
  pages = await testPages(site.port)
  engine = browserEngine(pages, { clock: { now: Date.now }, maxBytes: 50_000_000, files })
})
afterAll(async () => {
  await pages.close()
  await site.close()
})
beforeEach(() => {
  site.reset()
  fetched.length = 0
})

async function get(path: string, headers: Order['headers']): Promise<string> {
  const call: Call = { id: 'call', team: 'team', signal: AbortSignal.timeout(30_000), deadline: Date.now() + 30_000, retention: 'normal', log: () => undefined }
  const answer = await engine.fetch({ url: site.url(path), headers, languages: ['en'], skipTlsVerification: true }, call)
  if (answer.kind !== 'captured') throw new Error(JSON.stringify(answer))
  return Buffer.from(answer.capture.body).toString()
}

const elsewhere = (path: string): string => `/redirect/to?url=${encodeURIComponent(site.url(path).replace('127.0.0.1', 'localhost'))}`

it('fetches a file of another origin without the secrets of the caller', async () => {
  await get(elsewhere('/scripts/json'), { Authorization: 'Bearer secret', 'X-Key': 'secret', Cookie: 'session=secret', 'User-Agent': 'Reader/1.0', 'Accept-Language': 'de' })
  expect(fetched.map((order) => order.headers)).toEqual([{ 'User-Agent': 'Reader/1.0', 'Accept-Language': 'de' }])
})

it("fetches a file of the page's origin with the caller's headers and with all cookies that the browser would send", async () => {
  await get('/login', { Authorization: 'Bearer secret', Cookie: 'session=secret; entry=old' })
  expect(fetched.map((order) => order.headers)).toEqual([{ Authorization: 'Bearer secret', Cookie: expect.stringMatching(/^(?:session=secret; entry=new|entry=new; session=secret)$/) }])
})

it("sends the caller's cookies with every request to the host, not only below the path of the page", async () => {
  expect(await get('/app/page', { Cookie: 'session=secret' })).toContain('<p id="p">session=secret</p>')
})

it('keeps what describes the client when the site redirects elsewhere', async () => {
  await get(elsewhere('/scripts/inline'), { 'Accept-Language': 'de', 'X-Key': 'secret' })
  const got = site.lastRequest('/scripts/inline')?.headers
  expect([got?.['accept-language'], got?.['x-key']]).toEqual(['de', undefined])
})

it('takes cookies whose names ask for https, wherever the page is', async () => {
  await get('/scripts/inline', { Cookie: '__Secure-token=secret; __Host-id=secret; theme=dark' })
  expect(site.lastRequest('/scripts/inline')?.headers.cookie).toBe('__Secure-token=secret; __Host-id=secret; theme=dark')
})

it('refuses a cookie that no browser takes, by its name', async () => {
  await expect(get('/scripts/inline', { Cookie: `small=1; large=${'x'.repeat(5_000)}` })).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('"large"') })
})
