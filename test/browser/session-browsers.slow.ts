import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { agentHands, type SessionBrowser } from '../../src/browser/index.ts'
import type { Order } from '../../src/domain/pages/capture.ts'
import { bareClient, part } from './cdp-client.ts'
import { browserCall } from './pool.ts'
import { testSessions } from './sessions.ts'

const html = `<!doctype html><title>site</title><script>
addEventListener('load', () => { const open = indexedDB.open('shop', 1); open.onupgradeneeded = () => open.result.createObjectStore('things'); open.onsuccess = () => open.result.transaction('things', 'readwrite').objectStore('things').put('kept', 'one').onsuccess; localStorage.kept = 'yes'; document.cookie = 'kept=1; max-age=1000' })
</script>`
// Values that are logged to a console are only inspected if a client listens.
const noticed = '<title>quiet</title><script>const trap = new Error(); Object.defineProperty(trap, "stack", { get() { document.title = "driven"; return "" } }); console.debug(trap)</script>'
const pages: Readonly<Record<string, string>> = { '/noticed': noticed, '/popups': '<script>for (let i = 0; i < 30; i++) open("/")</script>', '/loops': '<title>loops</title><script>setInterval(() => { while (true); }, 200)</script>', '/opens': '<title>opens</title><script>onclick = () => open("/busy")</script>', '/booking': '<form><input name="id" value="7"><input name="children" value="2"><button>Search</button><button>Clear</button></form>', '/busy': '<script>while (true);</script>', '/dialogs': '<title>before</title><script>alert(1); document.title = "after"</script>' }

let base = ''
let all: Awaited<ReturnType<typeof testSessions>>
/** The memory use that the browsers report; tests can raise it. */
let held = 0

// Browsers are slow on a busy machine.
vi.setConfig({ testTimeout: 40_000 })

beforeAll(async () => {
  const site = createServer((request, response) => {
    if (request.url === '/never') return
    response.setHeader('content-type', request.url === '/file' ? 'application/zip' : 'text/html')
    response.end(pages[request.url ?? ''] ?? html)
  })
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}` // a TCP server's address
  const gauges = { load: () => 0, held: (pid: number) => [{ id: pid, bytes: held, renderer: false }], kill: () => undefined }
  all = await testSessions(['127.0.0.1'], { gauges, limits: { sessions: 4, spareMs: 300 } })
  return async () => {
    await all.stop()
    site.closeAllConnections()
    site.close()
  }
})

const open = (terms = {}): Promise<SessionBrowser> => all.sessions.open({ languages: ['en-US'], ...terms }, browserCall())
const order = (path: string): Order => ({ url: `${base}${path}`, headers: {}, languages: ['en-US'], skipTlsVerification: true })

/** The pids of processes whose command line contains the folder. */
function running(folder: string): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(folder)
    } catch {
      // Ended in the meantime.
      return false
    }
  })
}

async function left(): Promise<readonly string[]> {
  const [base = ''] = await readdir(all.parent)
  return [...running(all.parent), ...(await readdir(join(all.parent, base)))]
}

describe('the browser of a session', () => {
  it('opens the page of an order, on the requested device, and keeps it open', async () => {
    const session = await open({ languages: ['de-DE', 'en'], country: 'DE', mobile: true })
    await session.show(order('/'), browserCall())
    const page = await session.page()
    expect(await page.evaluate('[location.href, navigator.languages.join(), Intl.DateTimeFormat().resolvedOptions().timeZone, screen.width, /Android/.test(navigator.userAgent)].join(" ")')).toBe(`${base}/ de-DE,de,en Europe/Berlin 412 true`)
    // Tabs of clients use the same device.
    const client = await bareClient(session)
    const opened = page.context().waitForEvent('page')
    await client.ask('Target.createTarget', { url: base }, null)
    const second = await opened
    await second.waitForLoadState()
    expect([await second.evaluate('navigator.languages[0] + screen.width'), session.url()]).toEqual(['de-DE412', `${base}/`])
    await expect(session.show(order('/file'), browserCall())).rejects.toThrow('file')
    await session.close()
  })

  it('keeps the platform of its device, whoever connects to its pages, navigates, or leaves', async () => {
    const session = await open({ mobile: true })
    await session.show(order('/'), browserCall())
    const page = await session.page()
    const seen: unknown[] = []
    const look = async (): Promise<void> => void seen.push(await page.evaluate('navigator.platform'))
    const visit = async (path: string): Promise<void> => {
      await page.goto(`${base}${path}`)
      await look()
    }
    await look()
    await visit('/again')
    const client = await bareClient(session)
    await visit('/watched')
    const agent = 'Agent of the client'
    await client.ask('Emulation.setUserAgentOverride', { userAgent: agent, platform: 'Win32' })
    await visit('/chosen')
    seen.push(await page.evaluate('navigator.userAgent'))
    client.line.close()
    await expect.poll(() => page.evaluate('navigator.platform')).toBe('Linux armv81')
    await visit('/left')
    expect(seen).toEqual(['Linux armv81', 'Linux armv81', 'Linux armv81', 'Win32', agent, 'Linux armv81'])
    await session.close()
  })

  it('keeps one tab when the actions of a scrape opened others', async () => {
    const session = await open()
    const page = await session.page()
    const opens = [{ type: 'executeJavascript', script: 'void open("/other")' }, { type: 'wait', milliseconds: 500 }] as const
    await session.show({ ...order('/'), actions: [...opens] }, browserCall())
    expect([session.url(), (await session.page()) === page, page.context().pages().length]).toEqual([`${base}/`, true, 1])
    await session.close()
  })

  it('shows no driver in the enhanced tier until somebody works with its page', async () => {
    const session = await open({ tier: 'enhanced' })
    await session.show(order('/noticed'), browserCall())
    const noticed = await bareClient(session).then(async (client) => {
      const title = part<readonly { readonly title: string; readonly type: string }[]>(await client.ask('Target.getTargets', {}, null), 'targetInfos').find(({ type }) => type === 'page')?.title
      client.line.close()
      return title
    })
    const page = await session.page()
    expect([noticed, await page.evaluate('1 + 1'), (await session.state(5_000)).state?.cookies]).toEqual(['quiet', 2, []])
    await session.close()
  })

  it('restores and saves its profile', async () => {
    const first = await open()
    await (await first.page()).goto(base)
    await expect.poll(async () => JSON.stringify(await first.state(5_000)), { timeout: 10_000 }).toContain('things')
    const state = (await first.state(5_000)).state ?? undefined
    await first.close()
    const second = await open({ state })
    const page = await second.page()
    await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<title>bare</title>' }))
    await page.goto(base)
    const stored = `new Promise((resolve) => { const open = indexedDB.open('shop', 1); open.onsuccess = () => { open.result.transaction('things').objectStore('things').get('one').onsuccess = (event) => resolve(event.target.result) } })`
    expect([await page.evaluate('localStorage.kept + document.cookie'), await page.evaluate(stored)]).toEqual(['yeskept=1', 'kept'])
    await second.close()
  })

  it('shares nothing with another one', async () => {
    const [one, two] = await Promise.all([open(), open()])
    await (await one.page()).goto(base)
    await (await two.page()).goto(`${base}/dialogs`)
    const client = await bareClient(two)
    const targets = part<readonly { readonly url: string }[]>(await client.ask('Target.getTargets', {}, null), 'targetInfos')
    expect([targets.map(({ url }) => url), await client.evaluate('[localStorage.kept, document.cookie].join()')]).toEqual([[`${base}/dialogs`], '{"result":{"type":"string","value":","}}'])
    expect(part<unknown>(await client.ask('Storage.getCookies', {}, null), 'cookies')).toEqual([])
    await Promise.all([one.close(), two.close()])
  })

  it('continues with another page when its page is closed, crashes, or opens too many windows', async () => {
    const session = await open()
    const first = await session.page()
    await first.close()
    const second = await session.page()
    expect([second.isClosed(), second.url()]).toEqual([false, 'about:blank'])
    const crashed = new Promise((resolve) => second.once('close', resolve))
    const raw = await second.context().newCDPSession(second)
    raw.send('Page.crash').catch(() => undefined)
    await crashed
    expect([session.news(), session.news()]).toEqual([['The page about:blank crashed or used up its memory, and was closed.'], []])
    const third = await session.page()
    await third.goto(`${base}/popups`)
    await expect.poll(() => third.context().pages().length, { timeout: 10_000 }).toBeLessThanOrEqual(20)
    // Nobody answers the dialogs: the page goes on.
    const fourth = await session.page()
    await fourth.goto(`${base}/dialogs`)
    expect(await fourth.title()).toBe('after')
    await session.close()
  })

  it('continues with the window that a click opens, as soon as it is asked', async () => {
    const session = await open()
    const page = await session.page()
    await page.goto(`${base}/`)
    await page.setContent(`<a href=/ target=_blank>New</a><button onclick="for (let i = 0; i < 3; i++) window.open('/?' + i)">More</button><i onclick="window.open('/').close()">Shut</i>`)
    for (const [what, windows] of [['a', 2], ['button', 5]] as const) {
      await page.click(what)
      const current = await session.page()
      expect([current === page, page.context().pages().length]).toEqual([false, windows])
    }
    session.use(page)
    await page.click('i')
    expect((await session.page()).isClosed()).toBe(false)
    await session.close()
  })

  it('stops endless scripts, and closes pages that start again', async () => {
    const session = await open()
    const first = await session.page()
    await first.goto(`${base}/`)
    expect(await session.free()).toEqual([])
    const hung = first.evaluate('while (true);').catch(() => undefined)
    await new Promise((go) => setTimeout(go, 500))
    expect(await session.free()).toEqual([`A script of the page ${base}/ did not end and was stopped.`])
    await hung
    expect([await first.title(), await session.free()]).toEqual(['site', []])
    await first.goto(`${base}/loops`)
    await new Promise((go) => setTimeout(go, 500))
    expect(await session.free()).toEqual([`The page ${base}/loops did not answer any more and was closed.`])
    const second = await session.page()
    expect([first.isClosed(), second.url()]).toEqual([true, 'about:blank'])
    // A page that was busy before any client connected to it.
    await second.goto(`${base}/opens`)
    await second.mouse.click(5, 5)
    await expect.poll(() => second.context().pages().length, { timeout: 10_000 }).toBe(2)
    await expect.poll(async () => (await session.free()).length, { timeout: 10_000 }).toBeGreaterThan(0)
    await expect.poll(async () => (await session.free()).length, { timeout: 10_000 }).toBe(0)
    expect(await (await session.page()).evaluate('1 + 1')).toBe(2)
    await session.close()
  })

  it('keeps a page that waits for its site, and stops the waiting only for a client that connects', async () => {
    const session = await open()
    const page = await session.page()
    await page.goto(`${base}/`)
    await page.evaluate('window.filled = "in"')
    await expect(page.goto(`${base}/never`, { timeout: 300 })).rejects.toThrow('Timeout')
    expect([await session.free(), page.isClosed()]).toEqual([[], false])
    expect(await session.free(true)).toEqual([`The page ${base}/ was going to another that did not come, and stays.`])
    expect(await page.evaluate('filled')).toBe('in')
    await session.close()
  })

  it('ends when it uses too much memory, and when its browser crashes', async () => {
    const fat = await open()
    held = 2 ** 40
    expect(await fat.closed).toBe('memory')
    held = 0
    const broken = await open()
    const browser = (await broken.page()).context().browser()
    await Promise.all([broken.closed, browser?.newBrowserCDPSession().then((cdp) => cdp.send('Browser.crash').catch(() => undefined))])
    expect(await broken.closed).toBe('crashed')
    await expect(broken.page()).rejects.toMatchObject({ code: 'BROWSER_FAILURE' })
    await expect(broken.page()).rejects.toThrow('gone')
  })

  it('is not opened when its browser dies while its profile is put into it', async () => {
    const dying = { origin: base, get localStorage() { for (const pid of running(all.parent)) process.kill(Number(pid), 'SIGKILL'); return [] } }
    const origins = [dying, { origin: base.replace('127.0.0.1', 'localhost'), localStorage: [] }]
    await expect(open({ state: { cookies: [], origins } })).rejects.toMatchObject({ code: 'BROWSER_FAILURE' })
    expect(all.sessions.size).toBe(0)
  })

  it('is not opened beyond the slots of the process, nor for callers who have left', async () => {
    const four = await Promise.all([open(), open(), open(), open()])
    await expect(open()).rejects.toMatchObject({ code: 'OVERLOADED' })
    await Promise.all(four.map((one) => one.close()))
    const gone = new AbortController()
    const opening = all.sessions.open({ languages: ['en-US'] }, { ...browserCall(), signal: gone.signal })
    gone.abort(new Error('left'))
    await expect(opening).rejects.toThrow('left')
    await expect.poll(() => all.sessions.size, { timeout: 10_000 }).toBe(0)
  })

  it('tells agents a way to an element of a form whose fields are named like what elements have', async () => {
    const session = await open()
    await session.show(order('/booking'), browserCall())
    const hands = await agentHands({ now: Date.now })(await session.page(), browserCall())
    const ref = /button "Clear".*\[ref=(\w+)\]/.exec((await hands.look()).text)?.[1] ?? ''
    expect(await hands.find(ref)).toMatchObject({ selector: 'button:nth-of-type(2)' })
    await session.close()
  })

  it('keeps no context that could not be made ready for a client', async () => {
    const session = await open()
    const browser = (await session.page()).context().browser()
    if (browser === null) throw new Error('no browser')
    const client = await bareClient(session)
    const before = browser.contexts().length
    const make = browser.newContext.bind(browser)
    vi.spyOn(browser, 'newContext').mockImplementation(async (options) => Object.assign(await make(options), { newPage: () => Promise.reject(new Error('no page')) }))
    const { error } = await client.ask('Target.createBrowserContext', {}, null)
    await expect.poll(() => browser.contexts().length).toBe(before)
    expect(error).toMatchObject({ message: 'The session could not do this' })
    await session.close()
  })

  it('leaves no process, folder or descriptor behind', async () => {
    await expect.poll(left, { timeout: 10_000 }).toEqual([])
    const descriptors = (): number => readdirSync('/proc/self/fd').length
    const before = descriptors()
    const visit = async (): Promise<void> => {
      const session = await open()
      const page: Page = await session.page()
      await page.goto(base)
      const client = await bareClient(session)
      await client.ask('Target.createBrowserContext', {}, null)
      const view = session.watch({ frame: async () => undefined, tell: () => undefined, ended: () => undefined }, 'control')
      view.input({ type: 'new-tab' })
      await session.close()
    }
    for (let round = 0; round < 2; round++) await Promise.all([visit(), visit(), visit()])
    await expect.poll(left, { timeout: 10_000 }).toEqual([])
    expect([descriptors() - before <= 2, existsSync(all.parent)]).toEqual([true, true])
  })
})
