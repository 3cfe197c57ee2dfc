import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chromium } from 'playwright-core'
import { connect } from 'puppeteer-core'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { SessionBrowser } from '../../src/browser/index.ts'
import { type LiveDoor, liveUrls } from '../../src/domain/sessions/live-browser.ts'
import { fakeApp } from '../fakes.ts'
import { browserCall } from './pool.ts'
import { testSessions } from './sessions.ts'

const tokens: LiveDoor['tokens'] = { cdp: 'c'.repeat(43), view: 'v'.repeat(43), control: 'i'.repeat(43) }

const html = (path: string): string => `<!doctype html><title>${path}</title><button onclick="this.textContent='clicked'">go</button><input id="name"><input type="file" id="file">
<a href="/popup" target="_blank">popup</a><iframe src="/frame"></iframe><script>localStorage.seen = '${path}'; document.cookie = 'page=1'</script>`

let base = ''
let broken = 0
let cdpUrl = ''
let session: SessionBrowser
let all: Awaited<ReturnType<typeof testSessions>>

beforeAll(async () => {
  const site = createServer((request, response) => {
    if (request.url === '/locked' && request.headers.authorization !== `Basic ${Buffer.from('ann:x').toString('base64')}`) return void response.writeHead(401, { 'www-authenticate': 'Basic realm="site"' }).end()
    if (request.url === '/broken') return void (broken++, request.socket.destroy())
    if (request.url === '/inwards') return void response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    if (request.url === '/bad') return void response.writeHead(502, { 'content-type': 'text/html' }).end('<title>of the site</title>')
    response.setHeader('content-type', 'text/html')
    response.end(request.url === '/frame' ? '<p id="inner">inside</p>' : html(request.url ?? ''))
  })
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}` // a TCP server's address
  all = await testSessions(['127.0.0.1'])
  session = await all.sessions.open({ languages: ['en-US'] }, browserCall())
  const app = fakeApp({ live: { find: (id) => (id === 'abc' ? { browser: session, tokens, touch: () => undefined } : null) } })
  cdpUrl = liveUrls(await app.listen({ port: 0, host: '127.0.0.1' }), 'abc', tokens).cdpUrl
  return async () => {
    await app.drain(0)
    await all.stop()
    site.close()
  }
}, 60_000)

// The drivers leave different numbers of pages open.
beforeEach(async () => {
  const page = await session.page()
  for (const other of page.context().pages()) if (other !== page) await other.close()
  await page.goto(base)
})

/** An address of this machine at which nobody listens. */
async function closedAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server's address
  await new Promise<void>((resolve) => void server.close(() => resolve()))
  return `127.0.0.1:${port}/`
}

describe('a driver that connects to a session', () => {
  it('learns why a page cannot be opened, as of any browser, also of pages that it has just opened', async () => {
    const browser = await chromium.connectOverCDP(cdpUrl)
    const context = browser.contexts()[0] ?? (await browser.newContext())
    const closed = await closedAddress()
    const addresses = [`http://${closed}`, `https://${closed}`, 'http://no..name/', 'https://no..name/', 'http://10.0.0.1/', 'https://10.0.0.1/', `${base}/inwards`, `${base}/broken`, `${base}/bad`]
    const reasons: unknown[] = []
    for (const address of addresses) {
      const page = await context.newPage()
      reasons.push(await page.goto(address).then((answer) => answer?.status(), (error: Error) => /net::(\w+)/.exec(error.message)?.[1]))
      await page.close()
    }
    await browser.close()
    expect(reasons).toEqual(['ERR_CONNECTION_REFUSED', 'ERR_CONNECTION_REFUSED', 'ERR_NAME_NOT_RESOLVED', 'ERR_NAME_NOT_RESOLVED', 'ERR_BLOCKED_BY_CLIENT', 'ERR_BLOCKED_BY_CLIENT', 'ERR_BLOCKED_BY_CLIENT', 'ERR_CONNECTION_CLOSED', 502])
  }, 60_000)

  it('sees no answer where a page got none, whatever it asked for, and no request twice', async () => {
    const browser = await chromium.connectOverCDP(cdpUrl)
    const [context] = browser.contexts()
    const [page] = context?.pages() ?? []
    const closed = await closedAddress()
    const ask = (address: string): Promise<unknown> | undefined => page?.evaluate((url) => fetch(url, { mode: 'no-cors', method: 'POST' }).then(() => 'an answer', () => 'none'), address)
    // The second time, the connection to the proxy may be one that was used before.
    const before = broken
    const answers = await Promise.all([`${base}/broken`, `${base}/broken`, `http://${closed}`, 'http://10.0.0.1/'].map(ask))
    const [popup] = await Promise.all([page?.waitForEvent('popup'), page?.evaluate(`void open('http://${closed}')`)])
    await expect.poll(() => popup?.url()).toBe('chrome-error://chromewebdata/')
    await popup?.close()
    await browser.close()
    expect([answers, broken - before]).toEqual([['none', 'none', 'none', 'none'], 2])
  }, 60_000)

  it.each([
    ['the address of its socket', () => cdpUrl],
    ['an http address', () => cdpUrl.replace(/^ws/, 'http')],
  ])('finds and uses the page of the session, given %s (Playwright)', async (_what, address) => {
    const browser = await chromium.connectOverCDP(address())
    const [context] = browser.contexts()
    const [page] = context?.pages() ?? []
    expect([browser.contexts().length, context?.pages().length, page?.url()]).toEqual([1, 1, `${base}/`])
    if (context === undefined || page === undefined) return
    await page.goto(`${base}/two`)
    await page.click('button')
    await page.fill('#name', 'Ann')
    expect(await page.evaluate('[document.title, document.querySelector("button").textContent, document.querySelector("#name").value].join(" ")')).toBe('/two clicked Ann')
    expect(await page.frameLocator('iframe').locator('#inner').textContent()).toBe('inside')
    expect([(await page.screenshot()).subarray(1, 4).toString(), (await page.pdf()).subarray(0, 4).toString()]).toEqual(['PNG', '%PDF'])
    const [popup] = await Promise.all([context.waitForEvent('page'), page.click('a')])
    await popup.waitForLoadState()
    expect([await popup.title(), session.url()]).toEqual(['/popup', `${base}/popup`])
    await popup.close()
    await context.addCookies([{ name: 'own', value: '1', url: base }])
    const state = await context.storageState()
    expect([state.cookies.map(({ name }) => name).sort(), state.origins[0]?.localStorage]).toEqual([['own', 'page'], [{ name: 'seen', value: '/popup' }]])
    await context.clearCookies()
    await browser.close()
    expect(await (await session.page()).title()).toBe('/two')
  })

  it('intercepts requests, handles dialogs, uploads files, and authenticates (Playwright)', async () => {
    const browser = await chromium.connectOverCDP(cdpUrl)
    const contexts = (await session.page()).context().browser()?.contexts() ?? []
    const page = await (browser.contexts()[0] ?? (await browser.newContext())).newPage()
    const heard: string[] = []
    page.on('console', (message) => heard.push(message.text()))
    page.on('dialog', (dialog) => {
      heard.push(dialog.message())
      return dialog.accept('Ann')
    })
    const dialogs: unknown[] = []
    const view = session.watch({ frame: async () => undefined, tell: (news) => void (news.type === 'dialog' && dialogs.push(news.dialog?.message ?? null)), ended: () => undefined }, 'view')
    await page.route('**/made', (route) => route.fulfill({ contentType: 'text/html', body: '<title>made</title>' }))
    await page.goto(`${base}/made`)
    expect(await page.title()).toBe('made')
    await page.goto(`${base}/three`)
    expect(await page.evaluate('console.log("hello"), prompt("name?")')).toBe('Ann')
    expect(heard).toEqual(['hello', 'name?'])
    // Viewers see the dialog open, and close although they did not answer it.
    await expect.poll(() => dialogs, { timeout: 10_000 }).toEqual([null, 'name?', null])
    view.close()
    await page.setInputFiles('#file', { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('content') })
    expect(await page.evaluate('document.querySelector("#file").files[0].text()')).toBe('content')
    // A path belongs to the driver's machine; the driver sends the content of the file.
    const path = join(mkdtempSync(join(tmpdir(), 'trawl-files-')), 'own.txt')
    writeFileSync(path, 'of a file')
    onTestFinished(() => rmSync(dirname(path), { recursive: true }))
    await page.setInputFiles('#file', path)
    expect(await page.evaluate('document.querySelector("#file").files[0].text()')).toBe('of a file')
    expect((await page.goto(`${base}/locked`))?.status()).toBe(401)
    await page.close()
    const other = await browser.newContext({ httpCredentials: { username: 'ann', password: 'x' } })
    const signed = await other.newPage()
    expect((await signed.goto(`${base}/locked`))?.status()).toBe(200)
    expect(await signed.evaluate('document.cookie')).toBe('page=1')
    // Whether or not the page is guarded by then.
    for (const ms of [0, 20, 200]) {
      const later = await (await browser.newContext({ httpCredentials: { username: 'ann', password: 'x' } })).newPage()
      await later.waitForTimeout(ms)
      expect((await later.goto(`${base}/locked`))?.status()).toBe(200)
    }
    // Wrong credentials are tried once.
    const wrong = await (await browser.newContext({ httpCredentials: { username: 'bob', password: 'x' } })).newPage()
    await wrong.waitForTimeout(200)
    expect((await wrong.goto(`${base}/locked`))?.status()).toBe(401)
    await browser.close()
    // Its contexts are closed with it.
    await expect.poll(async () => (await session.page()).context().browser()?.contexts(), { timeout: 10_000 }).toEqual(contexts)
  })

  it('works when two are connected', async () => {
    const [one, two] = await Promise.all([chromium.connectOverCDP(cdpUrl), chromium.connectOverCDP(cdpUrl)])
    const page = one.contexts()[0]?.pages()[0]
    await page?.goto(`${base}/shared`)
    await expect.poll(() => two.contexts()[0]?.pages()[0]?.title(), { timeout: 10_000 }).toBe('/shared')
    await one.close()
    expect(await two.contexts()[0]?.pages()[0]?.title()).toBe('/shared')
    await two.close()
  })

  it('works with Puppeteer', async () => {
    const browser = await connect({ browserWSEndpoint: cdpUrl, defaultViewport: null })
    const [page] = await browser.pages()
    if (page === undefined) throw new Error('no page')
    expect(page.url()).toBe(`${base}/`)
    await page.goto(`${base}/two`)
    await page.click('button')
    await page.type('#name', 'Ann')
    expect(await page.evaluate('[document.title, document.querySelector("button").textContent, document.querySelector("#name").value].join(" ")')).toBe('/two clicked Ann')
    expect([Buffer.from(await page.screenshot()).subarray(1, 4).toString(), Buffer.from(await page.pdf()).subarray(0, 4).toString()]).toEqual(['PNG', '%PDF'])
    const input = (await page.$('#file')) as unknown as { uploadFile(path: string): Promise<void> } | null // its type is that of the page
    await expect(input?.uploadFile('/etc/hostname')).rejects.toThrow('give what is in the file')
    await page.setRequestInterception(true)
    page.on('request', (request) => void (request.url().endsWith('/made') ? request.respond({ contentType: 'text/html', body: '<title>made</title>' }) : request.continue()))
    await page.goto(`${base}/made`)
    expect(await page.title()).toBe('made')
    await page.setRequestInterception(false)
    const fresh = await browser.newPage()
    await fresh.goto(`${base}/fresh`)
    expect([await fresh.title(), session.url(), (await browser.pages()).length]).toEqual(['/fresh', `${base}/fresh`, 2])
    await fresh.close()
    const context = await browser.createBrowserContext()
    const apart = await context.newPage()
    await apart.goto(`${base}/apart`)
    expect(await apart.evaluate('localStorage.seen')).toBe('/apart')
    await context.close()
    expect((await browser.cookies()).map(({ name }) => name)).toEqual(['page'])
    await browser.disconnect()
    await expect.poll(() => session.visitors, { timeout: 10_000 }).toBe(0)
  })

  it('works with Puppeteer that accepts any certificate', async () => {
    const browser = await connect({ browserWSEndpoint: cdpUrl, acceptInsecureCerts: true })
    expect((await browser.pages()).map((page) => page.url())).toEqual([`${base}/`])
    await browser.disconnect()
  })

  it('sets language and time zone of pages, which have those of the session again when it has left', async () => {
    const here = (page: { evaluate(script: string): Promise<unknown> }): Promise<unknown> => page.evaluate('[Intl.NumberFormat().resolvedOptions().locale, Intl.DateTimeFormat().resolvedOptions().timeZone]')
    const page = await session.page()
    const before = await here(page)
    const puppeteer = await connect({ browserWSEndpoint: cdpUrl, defaultViewport: null })
    const [same] = await puppeteer.pages()
    if (same === undefined) throw new Error('no page')
    await same.emulateTimezone('Asia/Tokyo')
    await same.goto(`${base}/two`)
    expect(await here(same)).toEqual(['en-US', 'Asia/Tokyo'])
    const playwright = await chromium.connectOverCDP(cdpUrl)
    const context = await playwright.newContext({ locale: 'de-DE', timezoneId: 'Europe/Berlin' })
    const apart = await context.newPage()
    await apart.goto(`${base}/apart`)
    expect(await here(apart)).toEqual(['de-DE', 'Europe/Berlin'])
    await playwright.close()
    await puppeteer.disconnect()
    await expect.poll(() => here(page), { timeout: 10_000 }).toEqual(before)
    await page.goto(`${base}/three`)
    expect(await here(page)).toEqual(before)
  })

  it('is told that a session has room for 20 pages', async () => {
    const browser = await connect({ browserWSEndpoint: cdpUrl, defaultViewport: null })
    const opened = await Promise.allSettled(Array.from({ length: 25 }, () => browser.newPage()))
    expect(opened.map((one) => (one.status === 'fulfilled' ? one.value.isClosed() : /no more than 20 pages/.test(String(one.reason))))).toEqual([...Array.from({ length: 19 }, () => false), ...Array.from({ length: 6 }, () => true)])
    expect([(await browser.pages()).length, session.news()]).toEqual([20, []])
    await browser.disconnect()
  })

  it('may end the session, which notifies the owner', async () => {
    const last = await all.sessions.open({ languages: ['en-US'] }, browserCall())
    const line = await last.cdp.connect()
    const answers: string[] = []
    line.onMessage((text) => void answers.push(text))
    line.send('{"id":1,"method":"Browser.close"}')
    await last.leaving
    expect(answers).toEqual(['{"id":1,"result":{}}'])
    await last.close('client')
    expect(await last.closed).toBe('client')
    await line.closed
    await expect(last.cdp.connect()).rejects.toThrow('gone')
  })
})
