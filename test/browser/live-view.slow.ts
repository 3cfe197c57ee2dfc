import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { WebSocket as Client } from 'ws'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findChromium, type SessionBrowser } from '../../src/browser/index.ts'
import { type LiveDoor, liveUrls } from '../../src/domain/sessions/live-browser.ts'
import { fakeApp } from '../fakes.ts'
import { browserCall, findOptions } from './pool.ts'
import { testSessions } from './sessions.ts'

const tokens: LiveDoor['tokens'] = { cdp: 'c'.repeat(43), view: 'v'.repeat(43), control: 'i'.repeat(43) }

const html = `<!doctype html><title>Shop</title><body style="margin:0;font:20px sans-serif;height:3000px">
<button id="buy" style="position:absolute;left:40px;top:40px;width:200px;height:60px" onclick="document.title='Bought'+(event.shiftKey?' with shift':'')" ondblclick="document.title='Bought twice'">Buy</button>
<input id="name" style="position:absolute;left:40px;top:140px;width:300px;height:40px">
<a href="/next" target="_blank" style="position:absolute;left:40px;top:220px">next</a>
<button onclick="document.title='Said '+confirm('Sure?')" style="position:absolute;left:40px;top:300px;width:200px;height:40px">Ask</button></body>`

let base = ''
let service = ''
let session: SessionBrowser
let viewers: Browser
let touched = 0

beforeAll(async () => {
  const site = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(request.url === '/next' ? '<title>Next</title><h1>next</h1>' : html)
  })
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}` // a TCP server's address
  const all = await testSessions(['127.0.0.1'])
  session = await all.sessions.open({ languages: ['en-US'] }, browserCall())
  const app = fakeApp({ live: { find: (id) => (id === 'abc' ? { browser: session, tokens, touch: () => void touched++ } : null) } })
  service = await app.listen({ port: 0, host: '127.0.0.1' })
  const { found } = await findChromium(findOptions)
  if (found?.kind !== 'program') throw new Error('no Chromium to look through')
  viewers = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox'], ...(found.env === undefined ? {} : { env: { ...found.env } }) })
  return async () => {
    await viewers.close()
    await app.drain(0)
    await all.stop()
    site.close()
  }
}, 60_000)

async function look(access: 'control' | 'view', options = {}, at = service): Promise<Page> {
  const { liveViewUrl, interactiveLiveViewUrl } = liveUrls(at, 'abc', tokens)
  const context = await viewers.newContext({ viewport: { width: 1100, height: 800 }, ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(access === 'control' ? interactiveLiveViewUrl : liveViewUrl)
  await page.waitForSelector('body[data-state=live]')
  return page
}

/** Waits until the session's page has that title. */
async function titled(title: string): Promise<void> {
  const page = await session.page()
  await page.waitForFunction(`document.title === ${JSON.stringify(title)}`)
}

/**
 * Waits until an expression is true in the view. `waitForFunction` does not work there: the view's policy forbids to
 * evaluate text as script.
 */
async function seen(view: Page, expression: string): Promise<void> {
  await expect.poll(() => view.evaluate(expression), { timeout: 10_000 }).toBe(true)
}

/** The position of the canvas in the view. */
async function boxOf(view: Page): Promise<{ readonly x: number; readonly y: number; readonly width: number; readonly height: number }> {
  await seen(view, "document.querySelector('canvas').width > 16")
  return (await view.locator('#screen').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
}

/** Clicks in the view at a position of the session's page. */
async function clickAt(view: Page, x: number, y: number, how: { modifiers?: 'Shift'[]; clickCount?: number } = {}): Promise<void> {
  const box = await boxOf(view)
  await view.locator('#screen').click({ position: { x: (x / 1280) * box.width, y: (y / 800) * box.height }, ...how })
}

/** The colour at a position of the session's page as the viewer sees it. */
async function colourAt(view: Page, x: number, y: number): Promise<string> {
  return view.evaluate(`(() => {
    const canvas = document.querySelector('canvas')
    const [r, g, b] = canvas.getContext('2d').getImageData((${x} / 1280) * canvas.width, (${y} / 800) * canvas.height, 1, 1).data
    return [r, g, b].map((part) => Math.round(part / 51)).join(' ')
  })()`)
}

describe('the live view of a session', () => {
  it('opens the address of the viewer, and a click in it changes the page of the session', async () => {
    const view = await look('control')
    await view.fill('#address', base)
    await view.press('#address', 'Enter')
    await titled('Shop')
    await seen(view, "document.title.startsWith('Shop')")
    expect(await view.inputValue('#address')).toBe(`${base}/`)
    await clickAt(view, 140, 70)
    await titled('Bought')
    await clickAt(view, 200, 80, { modifiers: ['Shift'] })
    await titled('Bought with shift')
    await clickAt(view, 80, 60, { clickCount: 2 })
    await titled('Bought twice')
  })

  it('forwards keys, pasted text and the wheel', async () => {
    const view = await look('control')
    const page = await session.page()
    await page.goto(base)
    await clickAt(view, 140, 160)
    await view.keyboard.type('Ann Ü')
    await view.keyboard.press('ArrowLeft')
    await view.keyboard.press('Backspace')
    await page.waitForFunction("document.querySelector('input').value === 'AnnÜ'")
    await view.evaluate(`(() => {
      const data = new DataTransfer()
      data.setData('text/plain', 'pasted')
      document.querySelector('#keys').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true }))
    })()`)
    await page.waitForFunction("document.querySelector('input').value === 'AnnpastedÜ'")
    await view.keyboard.press('Control+a')
    await view.keyboard.press('Delete')
    await page.waitForFunction("document.querySelector('input').value === ''")
    await view.mouse.wheel(0, 400)
    await page.waitForFunction('scrollY > 100')
  })

  it('shows tabs as the session opens them, switches between them and closes them', async () => {
    const view = await look('control')
    await (await session.page()).goto(base)
    await clickAt(view, 60, 232)
    await view.waitForSelector('.tab.active:has-text("Next")')
    expect(session.url()).toBe(`${base}/next`)
    await view.click('.tab:has-text("Shop") .name')
    await view.waitForSelector('.tab.active:has-text("Shop")')
    expect(session.url()).toBe(`${base}/`)
    await view.click('[aria-label="Close tab Next"]')
    await seen(view, "document.querySelectorAll('.tab').length === 1")
  })

  it('shows a dialog of the page and forwards the answer', async () => {
    const view = await look('control')
    await (await session.page()).goto(base)
    await clickAt(view, 140, 320)
    await view.waitForSelector('dialog[open] >> text=Sure?')
    await view.click('#dialog-yes')
    await titled('Said true')
  })

  it('goes back and forward, and refuses addresses outside the web', async () => {
    const view = await look('control')
    const page = await session.page()
    await page.goto(base)
    await page.goto(`${base}/next`)
    await view.click('#back:not(:disabled)')
    await titled('Shop')
    await view.click('#forward:not(:disabled)')
    await titled('Next')
    for (const wrong of ['file:///etc/passwd', 'chrome://version', 'view-source:http://example.com', 'javascript:document.title=1']) {
      await view.fill('#address', wrong)
      await view.press('#address', 'Enter')
      await view.waitForSelector('#toast:has-text("not an address")')
    }
    expect(session.url()).toBe(`${base}/next`)
  })

  it('shows several viewers the same, and ignores all input of those who may only watch', async () => {
    const [one, two] = [await look('view'), await look('view')]
    await (await session.page()).setContent('<title>Red</title><body style="background:red">')
    for (const view of [one, two]) await expect.poll(() => colourAt(view, 300, 300)).toBe('5 0 0')
    const before = touched
    const socket = new Client(liveUrls(service, 'abc', tokens).liveViewUrl.replace('http', 'ws'))
    const picture = new Promise<void>((resolve) => void socket.on('message', (_data, binary) => binary && resolve()))
    await new Promise<void>((resolve) => void socket.once('open', resolve))
    const input = [{ type: 'navigate', url: 'http://127.0.0.1:1/' }, { type: 'mouse', event: 'down', x: 9, y: 9, button: 'left', buttons: 1 }, { type: 'text', text: 'x' }, { type: 'new-tab' }, { type: 'reload' }, { type: 'dialog', accept: true }, [], 7]
    for (const message of [...input.map((one) => JSON.stringify(one)), 'ok', '', '{']) socket.send(message)
    await picture
    socket.close()
    const page = await session.page()
    await page.setContent('<title>Blue</title><body style="background:blue">')
    for (const view of [one, two]) await expect.poll(() => colourAt(view, 300, 300)).toBe('0 0 5')
    expect([touched - before, session.url()]).toEqual([1, page.url()])
  })

  it('works with touch on a phone', async () => {
    const view = await look('control', { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true })
    await (await session.page()).goto(base)
    const box = await boxOf(view)
    await view.touchscreen.tap(box.x + (140 / 1280) * box.width, box.y + (70 / 800) * box.height)
    await titled('Bought')
  })

  it('works behind a proxy that serves it under a path', async () => {
    const own = (path: string | undefined): string => (path ?? '').replace(/^\/trawl/, '')
    const { hostname, port } = new URL(service)
    const proxy = createServer((request, response) => {
      forward({ host: hostname, port, path: own(request.url), method: request.method, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }).end()
    })
    proxy.on('upgrade', (request, socket) => {
      const onward = forward({ host: hostname, port, path: own(request.url), headers: request.headers })
      onward.on('upgrade', ({ rawHeaders }, upstream) => {
        const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
        upstream.pipe(socket).pipe(upstream)
        for (const end of [socket, upstream]) end.on('error', () => end.destroy())
      })
      onward.end()
    })
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    const outside = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/trawl` // a TCP server's address
    await (await session.page()).setContent('<title>Green</title><body style="background:lime">')
    const view = await look('control', {}, outside)
    await expect.poll(() => colourAt(view, 300, 300)).toBe('0 5 0')
    await view.fill('#address', base)
    await view.press('#address', 'Enter')
    await titled('Shop')
  })

  it.each([
    ['another id', (url: string) => url.replace('abc', 'abd')],
    ['no token', (url: string) => url.replace(/\?.*/, '')],
    ['the token of drivers', () => `${service}/v2/browser/abc/view?token=${tokens.cdp}`],
    ['half a token', (url: string) => url.slice(0, -10)],
  ])('shows nothing to clients with %s', async (_what, change) => {
    const url = change(liveUrls(service, 'abc', tokens).liveViewUrl)
    const answer = await fetch(url)
    expect([answer.status, (await answer.text()).includes('This session has ended')]).toEqual([404, true])
    const socket = new Client(url.replace('http', 'ws'))
    expect(await new Promise((resolve) => void socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode)).once('open', () => resolve('open')))).toBe(404)
  })

  it('reports the end of the session', async () => {
    const view = await look('view')
    await session.close()
    await view.waitForSelector('body[data-state=ended] >> text=The session has ended.')
  })
})
