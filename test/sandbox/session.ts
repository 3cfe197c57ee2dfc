import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { WebSocket } from 'ws'
import { findChromium } from '../../src/browser/index.ts'
import { pageDialogs } from '../../src/browser/session/dialogs.ts'
import type { CdpChannel, Interpreter, Run, SessionBrowser } from '../../src/domain/sessions/sandbox.ts'
import { findOptions } from '../browser/pool.ts'

/**
 * A browser like those of sessions, but without the egress guard: other tests cover what code may do with the network.
 */
export interface TestBrowser extends SessionBrowser<Page> {
  /** The address of a small site. */
  readonly site: string
  /** Resets the page to the start. */
  reset(): Promise<void>
  stop(): Promise<void>
}

const shop = `<!doctype html><title>Shop</title><h1>Shop</h1>
<form onsubmit="event.preventDefault(); document.querySelector('#out').textContent = 'Sent ' + document.querySelector('#name').value + ' ' + document.querySelector('#size').value + ' ' + document.querySelector('#ok').checked">
<label for=name>Name</label><input id=name placeholder="Your name"><select id=size aria-label=Size><option value=s>Small</option><option value=l>Large</option></select>
<label><input type=checkbox id=ok> Agree</label><button type=submit>Send</button></form>
<p id=out></p><ul><li class=item>One</li><li class=item>Two</li><li class=item data-x=3>Three</li></ul><a href=/next>Next page</a>
<button id=late onclick="setTimeout(() => document.querySelector('#later').hidden = false, 100)">Later</button><p id=later hidden>Here now</p>`

const odd = `<!doctype html><title>Odd</title><a href=/file>File</a><a id=kept href=/file download>Kept</a><a id=shown href="data:text/plain,x" download=x.txt>Made here</a>
<button id=ask onclick="document.title = String(confirm('Sure?'))">Ask</button><button id=name onclick="document.title = prompt('Name?', 'Ann')">Name</button>
<button id=fail onclick="setTimeout(() => { throw new Error('boom') })">Fail</button><button id=new onclick="window.open('/next')">New</button>
<iframe id=inside srcdoc="<title>Inside</title><button onclick='this.textContent = 1'>Inner</button>"></iframe><script>console.log('hello', { a: 1 }); fetch('/none').then((answer) => answer.text())</script>`

const pages: Readonly<Record<string, string>> = { '/': shop, '/next': '<!doctype html><title>Next</title><h1>Next</h1><a href=/>Back</a>', '/odd': odd, '/hop': '<!doctype html><title>Hop</title><script>location.replace("/next")</script><img src=/later>' }

async function startSite(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    // As most files do, it comes after the click on its link is done.
    if (request.url === '/file') return void setTimeout(() => response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename=a.csv' }).end('a,b'), 200)
    if (request.url === '/later') return void setTimeout(() => response.writeHead(404).end(), 500)
    if (request.url === '/slow') return void setTimeout(() => response.setHeader('content-type', 'text/html').end('<title>Slow</title><img src=/later>'), 600)
    if (request.url === '/moved') return void response.writeHead(302, { location: '/next' }).end()
    if (request.url === '/headers') return void response.writeHead(200, { 'content-type': 'text/plain' }).end(`x-a: ${request.headers['x-a'] ?? 'none'}`)
    if (request.url === '/none') return void response.writeHead(404, { 'content-type': 'text/plain' }).end('none')
    response.setHeader('content-type', 'text/html; charset=utf-8').end(pages[request.url ?? ''] ?? 'nothing')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close().closeAllConnections() }
}

/** A connection to a DevTools address. */
export async function channelTo(address: string): Promise<CdpChannel> {
  const socket = new WebSocket(address, { perMessageDeflate: false })
  await new Promise<void>((resolve, reject) => void socket.once('open', resolve).once('error', reject))
  let listener: ((message: string) => void) | null = null
  socket.on('message', (data) => listener?.(String(data)))
  return {
    send: (message) => socket.send(message),
    onMessage: (next) => void (listener = next),
    closed: new Promise((resolve) => void socket.once('close', () => resolve())),
    close: () => socket.close(),
  }
}

interface Listening {
  readonly child: ChildProcess
  readonly address: string
  readonly profile: string
}

async function startListening(): Promise<Listening> {
  const { found } = await findChromium(findOptions)
  if (found?.kind !== 'program') throw new Error('These tests need a Chromium.')
  const profile = await mkdtemp(join(tmpdir(), 'trawl-sandbox-test-'))
  await chmod(profile, 0o777)
  const [program = '', ...args] = [...found.confinement.command(found.confinement.users[0] ?? null), found.path, '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank']
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: '/usr/bin:/bin', HOME: profile, ...found.env } })
  const address = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part
      const [, url] = /DevTools listening on (ws:\S+)/.exec(text) ?? []
      if (url !== undefined) resolve(url)
    })
    child.once('close', (code, signal) => reject(new Error(`Chromium ended with ${signal ?? code}: ${text}`)))
  })
  return { child, address, profile }
}

/** Starts a Chromium that listens on loopback, and a site for it. */
export async function testBrowser(): Promise<TestBrowser> {
  // Chromium itself crashes at one start in hundreds; the service also retries then.
  const { child, address, profile } = await startListening().catch((error: Error) => (error.message.includes(' SIG') ? startListening() : Promise.reject(error)))
  const site = await startSite()
  const own = await chromium.connectOverCDP(address)
  const context = own.contexts()[0] as BrowserContext // the browser has one
  // The code may have closed the first page, and this driver may not know the next one yet.
  const order = new Set<Page>(context.pages())
  const use = (page: Page): void => void (order.delete(page), order.add(page))
  context.on('page', (page) => void order.add(page))
  // As in sessions, whose clients may answer.
  let clients = 0
  const dialogs = pageDialogs(() => clients > 0, () => undefined)
  async function showDialogs(page: Page): Promise<void> {
    page.on('dialog', (dialog) => dialogs.show(dialog, page))
    const line = await context.newCDPSession(page)
    line.on('Page.javascriptDialogClosed', () => dialogs.forget(page))
    await line.send('Page.enable')
  }
  await Promise.all(context.pages().map(showDialogs))
  // It may close at once.
  context.on('page', (page) => void showDialogs(page).catch(() => undefined))
  async function connect(): Promise<CdpChannel> {
    const line = await channelTo(address)
    clients += 1
    void line.closed.then(() => void (clients -= 1))
    return line
  }
  const page = async (): Promise<Page> => [...order].findLast((one) => !one.isClosed()) ?? context.waitForEvent('page')
  return {
    site: site.url,
    cdp: { connect },
    page,
    use,
    pageId: () => null,
    answersDialogs: () => undefined,
    async reset() {
      for (const other of context.pages().slice(1)) await other.close()
      // A failed navigation may still be loading its error page.
      await (await page()).goto('about:blank').catch(() => undefined)
      // This driver may not know yet where the code's driver navigated last.
      for (let tries = 0; ; tries++) {
        const shown = await page()
        const failure = await shown.goto(`${site.url}/`).then(() => null, (error: unknown) => error)
        if (failure === null) return
        if (tries === 5 || !String(failure).includes('interrupted by another navigation')) throw failure
        // The interrupting navigation continues, and would interrupt the next attempt.
        await shown.waitForEvent('framenavigated', { timeout: 1_000 }).catch(() => undefined)
      }
    },
    async stop() {
      await own.close()
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      site.close()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Runs code with a timeout that only hanging code reaches. */
export const run = (one: Interpreter, code: string, timeoutMs = 60_000): Promise<Run> => one.run(code, { timeoutMs, signal: new AbortController().signal })

/** A successful run, with these fields. */
export const ran = (said: Partial<Run> = {}): Run => ({ stdout: '', stderr: '', result: null, exitCode: 0, killed: false, error: null, truncated: false, ...said })
