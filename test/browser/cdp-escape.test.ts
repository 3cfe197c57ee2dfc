import { access, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SessionBrowser } from '../../src/browser/index.ts'
import { browserCall } from './pool.ts'
import { type BareClient, bareClient, part } from './cdp-client.ts'
import { testSessions } from './sessions.ts'

const secret = 'the-secret-of-this-machine'
let base = ''
let file = ''
let downloads = ''
let canary = ''
let contacts = 0
let all: Awaited<ReturnType<typeof testSessions>>
let session: SessionBrowser
let other: SessionBrowser
let client: BareClient

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-escape-'))
  // Readable for everybody, so that file permissions are not what protects the secret.
  await chmod(folder, 0o755)
  file = join(folder, 'secret.html')
  downloads = join(folder, 'downloads')
  await writeFile(file, `<title>${secret}</title><body>${secret}</body>`, { mode: 0o644 })
  await mkdir(downloads)
  await chmod(downloads, 0o777)
  const site = createServer((request, response) => {
    if (request.url === '/file') response.setHeader('content-disposition', 'attachment; filename=got.txt')
    if (request.url?.startsWith('/to?') === true) return void response.writeHead(302, { location: decodeURIComponent(request.url.slice(4)) }).end()
    response.setHeader('content-type', 'text/html')
    response.end('<title>site</title><input type="file" id="file"><div id="drop" style="width:300px;height:300px"></div>')
  })
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve))
  const { port } = site.address() as AddressInfo // a TCP server's address
  base = `http://127.0.0.1:${port}`
  const guarded = createTcp((socket) => {
    contacts++
    socket.destroy()
  })
  await new Promise<void>((resolve) => void guarded.listen(0, '127.0.0.1', resolve))
  canary = `127.0.0.1:${(guarded.address() as AddressInfo).port}`
  all = await testSessions([`127.0.0.1:${port}`])
  ;[session, other] = [await all.sessions.open({ languages: ['en-US'] }, browserCall()), await all.sessions.open({ languages: ['en-US'] }, browserCall())]
  const page = await other.page()
  await page.goto(base)
  await page.context().addCookies([{ name: 'theirs', value: secret, url: base }])
  return async () => {
    await all.stop()
    site.close()
    guarded.close()
    await rm(folder, { recursive: true, force: true })
  }
}, 60_000)

beforeEach(async () => {
  await (await session.page()).goto(base)
  client = await bareClient(session)
  await client.ask('Page.enable')
})

afterEach(() => client.line.close())

const text = 'document.documentElement.outerHTML'
const url = (): string => `file://${file}`

/** Navigates in a way that does not report refusal, and returns what the page shows then. */
async function led(by: Promise<unknown>): Promise<string> {
  await by
  await client.evaluate('new Promise((resolve) => setTimeout(resolve, 150))')
  return (await client.evaluate(text)) + JSON.stringify(await client.ask('Target.getTargets', {}, null))
}

/** Answers the next document request with what the attempt provides. */
async function answering(params: (requestId: unknown) => readonly [string, object]): Promise<string> {
  await client.ask('Fetch.enable', { patterns: [{ urlPattern: '*/next' }] })
  const paused = client.event('Fetch.requestPaused')
  const gone = client.ask('Page.navigate', { url: `${base}/next` })
  const [method, rest] = params((await paused).params?.['requestId'])
  const answer = await client.ask(method, rest)
  if (answer.error !== undefined) await client.ask('Fetch.failRequest', { requestId: (await paused).params?.['requestId'], errorReason: 'Aborted' })
  await gone
  await client.ask('Fetch.disable')
  return JSON.stringify(answer) + (await client.evaluate(text))
}

async function universal(expression: string): Promise<string> {
  const { frame } = part<{ readonly frame: { readonly id: string } }>(await client.ask('Page.getFrameTree'), 'frameTree')
  const world = await client.ask('Page.createIsolatedWorld', { frameId: frame.id, worldName: 'x', grantUniveralAccess: true })
  return client.evaluate(expression, Number(world.result?.['executionContextId']))
}

const refused = (method: string, params: () => object = () => ({}), root = false) => async (): Promise<string> => {
  const answer = await client.ask(method, params(), root ? null : undefined)
  expect(answer.error?.message).toMatch(/not allowed|Only addresses|cannot be given|is its own|Failed to find|No target|No session/)
  return JSON.stringify(answer)
}

const attempts: Record<string, () => Promise<string>> = {
  'navigates to a file': refused('Page.navigate', () => ({ url: url() })),
  'navigates to a file, written in another way': refused('Page.navigate', () => ({ url: ` \tFi\nLe:${file}` })),
  'navigates to the source of a file': refused('Page.navigate', () => ({ url: `view-source:${url()}` })),
  'navigates to a page of the browser': refused('Page.navigate', () => ({ url: 'chrome://version' })),
  'navigates to a page of the browser by another name': refused('Page.navigate', () => ({ url: 'about:version' })),
  'navigates to developer tools': refused('Page.navigate', () => ({ url: 'devtools://devtools/bundled/inspector.html' })),
  'navigates to a blob of a file': refused('Page.navigate', () => ({ url: `blob:${url()}` })),
  'opens a tab with a file': refused('Target.createTarget', () => ({ url: url() }), true),
  'opens a tab with a page of the browser': refused('Target.createTarget', () => ({ url: 'chrome://settings' }), true),
  'opens a tab in a context of somebody else': refused('Target.createTarget', () => ({ url: 'about:blank', browserContextId: 'F'.repeat(32) }), true),
  'leads a page to a file by script': () => led(client.evaluate(`location.href = ${JSON.stringify(url())}`)),
  'leads an empty page to a file by script': async () => {
    await client.ask('Page.navigate', { url: 'about:blank' })
    return led(client.evaluate(`location.href = ${JSON.stringify(url())}`))
  },
  'opens a window with a file by script': () => led(client.evaluate(`String(window.open(${JSON.stringify(url())}))`)),
  'leads a page to a file by a written document': async () => {
    const { frame } = part<{ readonly frame: { readonly id: string } }>(await client.ask('Page.getFrameTree'), 'frameTree')
    return led(client.ask('Page.setDocumentContent', { frameId: frame.id, html: `<meta http-equiv="refresh" content="0;url=${url()}"><iframe src="${url()}"></iframe><object data="${url()}"></object>` }))
  },
  'fetches a file from a page': () => client.evaluate(`Promise.allSettled([fetch(${JSON.stringify(url())}).then((a) => a.text()), import(${JSON.stringify(url())})]).then((all) => JSON.stringify(all.map((one) => one.value ?? String(one.reason))))`),
  'fetches a file from a world with all rights': () => universal(`fetch(${JSON.stringify(url())}).then((a) => a.text(), String)`),
  'loads a file in a frame and reads it from a world with all rights': async () => {
    await client.evaluate(`new Promise((resolve) => { const f = document.createElement('iframe'); f.src = ${JSON.stringify(url())}; f.onload = f.onerror = resolve; document.body.append(f); setTimeout(resolve, 300) })`)
    return universal('String(frames[0]?.document?.documentElement?.outerHTML)')
  },
  'gives a file to a page': async () => {
    const { objectId } = part<{ readonly objectId: string }>(await client.ask('Runtime.evaluate', { expression: 'document.querySelector("#file")' }), 'result')
    const answer = await client.ask('DOM.setFileInputFiles', { objectId, files: [file] })
    return JSON.stringify(answer) + (await client.evaluate('document.querySelector("#file").files[0]?.text()'))
  },
  'drops a file on a page': async () => {
    await client.evaluate(`(() => { const d = document.querySelector('#drop'); d.ondragover = (e) => e.preventDefault(); d.ondrop = async (e) => { e.preventDefault(); window.got = await e.dataTransfer.files[0]?.text() } })()`)
    const data = { items: [], files: [file], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop']) await client.ask('Input.dispatchDragEvent', { type, x: 100, y: 100, data })
    return client.evaluate('new Promise((resolve) => setTimeout(() => resolve(String(window.got)), 100))')
  },
  'loads a file past the page': refused('Network.loadNetworkResource', () => ({ url: url(), options: { disableCache: true, includeCredentials: true } })),
  'sends a request on to a file': () => answering((requestId) => ['Fetch.continueRequest', { requestId, url: url() }]),
  'redirects a request to a file': () => answering((requestId) => ['Fetch.fulfillRequest', { requestId, responseCode: 302, responseHeaders: [{ name: 'Location', value: url() }] }]),
  'redirects a request to a file in packed headers': () => answering((requestId) => ['Fetch.fulfillRequest', { requestId, responseCode: 302, binaryResponseHeaders: Buffer.from(`Location: ${url()}\0`).toString('base64') }]),
  'is redirected to a file by a site': () => led(client.ask('Page.navigate', { url: `${base}/to?${encodeURIComponent(url())}` })),
  'prints a file in the margin of a page': async () => {
    const { result } = await client.ask('Page.printToPDF', { displayHeaderFooter: true, marginTop: 3, headerTemplate: `<b style="font-size:20px">printed</b><iframe src="${url()}"></iframe><img src="http://${canary}/">`, footerTemplate: '<b></b>' })
    const { text: printed } = await extractText(await getDocumentProxy(new Uint8Array(Buffer.from(String(result?.['data']), 'base64'))))
    expect(printed.join()).toContain('printed')
    return printed.join()
  },
  'downloads into a folder of its choice': async () => {
    await client.ask('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: downloads }, null)
    await client.ask('Page.setDownloadBehavior', { behavior: 'allow', downloadPath: downloads })
    await led(client.ask('Page.navigate', { url: `${base}/file` }))
    await expect(access(join(downloads, 'got.txt'))).rejects.toThrow('ENOENT')
    return ''
  },
  'makes a context with a proxy of its own': refused('Target.createBrowserContext', () => ({ proxyServer: `http://${canary}` }), true),
  'makes a context without a proxy': refused('Target.createBrowserContext', () => ({ proxyServer: 'direct://' }), true),
  'reaches what no page may reach, by its own context': async () => {
    const made = await client.ask('Target.createBrowserContext', { proxyBypassList: '*' }, null)
    const tab = await client.ask('Target.createTarget', { url: `http://${canary}/`, browserContextId: made.result?.['browserContextId'] }, null)
    expect(tab.error).toBeUndefined()
    const seen = await led(client.ask('Target.getTargets', {}, null))
    // Otherwise, the next attempt could start in this tab and lose it when this client ends.
    await client.ask('Target.disposeBrowserContext', { browserContextId: made.result?.['browserContextId'] }, null)
    return seen
  },
  'reaches what no page may reach, by navigation': () => led(client.ask('Page.navigate', { url: `http://${canary}/` })),
  'reaches what no page may reach, by scripts': () => client.evaluate(`Promise.allSettled(['fetch', 'socket', 'image'].map((by) => new Promise((resolve) => {
    if (by === 'fetch') fetch('http://${canary}/', { mode: 'no-cors' }).then(resolve, resolve)
    if (by === 'socket') new WebSocket('ws://${canary}/').onerror = resolve
    if (by === 'image') { const i = new Image(); i.onerror = resolve; i.src = 'http://${canary}/' }
  }))).then(() => 'done')`),
  'reaches what no page may reach, through answers of its own': () => answering((requestId) => ['Fetch.continueRequest', { requestId, url: `http://${canary}/` }]),
  'reaches what no page may reach, by a proxy that it asks the tunnel for': async () => {
    await client.ask('Network.enable')
    await client.ask('Network.setExtraHTTPHeaders', { headers: { Host: canary, 'Proxy-Authorization': 'Basic x' } })
    const got = await led(client.ask('Page.navigate', { url: `${base}/headers` }))
    await client.ask('Network.setExtraHTTPHeaders', { headers: {} })
    return got
  },
  'reads who it is at the proxy': async () => {
    await client.ask('Network.enable')
    await client.ask('Fetch.enable', { patterns: [{ urlPattern: '*/proxied' }], handleAuthRequests: true })
    const paused = client.event('Fetch.requestPaused')
    const going = client.ask('Page.navigate', { url: `${base}/proxied` })
    await client.ask('Fetch.continueRequest', { requestId: (await paused).params?.['requestId'] })
    await going
    await client.ask('Fetch.disable')
    const heard = client.heard.join('\n')
    expect([/proxy-auth/i.test(heard), heard.includes('trawl-'), heard.includes(all.proxy.password)]).toEqual([false, false, false])
    return heard
  },
  'reads the cookies of another session': async () => JSON.stringify([await client.ask('Storage.getCookies', {}, null), await client.ask('Network.getAllCookies')]),
  'reads the cookies of a context of somebody else': refused('Storage.getCookies', () => ({ browserContextId: 'F'.repeat(32) }), true),
  'attaches to a target of somebody else': refused('Target.attachToTarget', () => ({ targetId: 'F'.repeat(32), flatten: true }), true),
  'speaks past the filter to a target': refused('Target.sendMessageToTarget', () => ({ sessionId: client.page, message: JSON.stringify({ id: 1, method: 'Page.navigate', params: { url: url() } }) }), true),
  'attaches in a way that speaks past the filter': async () => {
    const [target] = part<readonly { readonly targetId: string }[]>(await client.ask('Target.getTargets', {}, null), 'targetInfos')
    const attached = await client.ask('Target.attachToTarget', { targetId: target?.targetId, flatten: false }, null)
    // It is flattened anyway: its session uses the same connection.
    expect((await client.ask('Page.navigate', { url: url() }, String(attached.result?.['sessionId']))).error?.message).toMatch('Only addresses')
    return ''
  },
  'lays the protocol open to a page': refused('Target.exposeDevToolsProtocol', () => ({ targetId: 'x' }), true),
  'has a second way to the browser, and there the same rights': async () => {
    const attached = await client.ask('Target.attachToBrowserTarget', {}, null)
    const way = String(attached.result?.['sessionId'])
    const answers = [await client.ask('Target.createTarget', { url: url() }, way), await client.ask('SystemInfo.getInfo', {}, way), await client.ask('Fetch.enable', {}, way)]
    expect(answers.map(({ error }) => error !== undefined)).toEqual([true, true, true])
    return JSON.stringify(answers)
  },
  'speaks over a session that is not its own': async () => JSON.stringify(await client.ask('Runtime.evaluate', { expression: '1' }, 'F'.repeat(32))),
  'ends a session that is not its own': refused('Target.detachFromTarget', () => ({ sessionId: 'F'.repeat(32) }), true),
  'asks for requests of the whole browser': refused('Fetch.enable', () => ({ patterns: [{ urlPattern: '*' }] }), true),
  'calls what every object has': refused('__proto__.toString'),
  'calls what every object has, as a command': refused('constructor'),
}

/** Commands that are refused whatever their parameters. */
const never = ['Browser.getBrowserCommandLine', 'Browser.crash', 'Browser.crashGpuProcess', 'Browser.executeBrowserCommand', 'SystemInfo.getInfo', 'SystemInfo.getProcessInfo', 'Tracing.start', 'Tethering.bind', 'Extensions.loadUnpacked', 'FileSystem.getDirectory', 'PWA.install', 'Page.startScreenRecording', 'Page.crash', 'DOM.getFileInfo', 'Storage.overrideQuotaForOrigin', 'Target.setRemoteLocations', 'Target.autoAttachRelated', 'Target.openDevTools', 'Network.setRequestInterception', 'HeadlessExperimental.beginFrame', 'Memory.simulatePressureNotification', 'ServiceWorker.startWorker']

describe('a client of a session that', () => {
  it.each(Object.entries(attempts))('%s gets nothing', async (_name, attempt) => {
    const before = contacts
    const got = await attempt()
    expect([got.includes(secret), contacts - before]).toEqual([false, 0])
    // The session still works.
    const page = await session.page()
    await page.goto(base)
    expect([await page.title(), client.heard.some((one) => one.includes(secret))]).toEqual(['site', false])
  })

  it('sends allowed commands to a page or to the browser is never refused', async () => {
    const answers = await Promise.all(never.flatMap((method) => [client.ask(method), client.ask(method, {}, null)]))
    expect(answers.filter(({ error }) => error?.message.includes('not allowed') !== true)).toEqual([])
  })

  it('connects many times at once gets no more than 20 connections', async () => {
    client.line.close()
    await client.line.closed
    const lines = await Promise.allSettled(Array.from({ length: 40 }, () => session.cdp.connect()))
    const open = lines.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    for (const line of open) line.close()
    expect(open.length).toBe(20)
  })

  it('navigates to another site does not keep the session from navigating where it wants', async () => {
    const page = await session.page()
    for (const path of ['/a', '/b', '/c', '/d', '/e', '/f']) {
      await client.ask('Page.navigate', { url: `${base}/theirs` })
      expect((await page.goto(`${base}${path}`))?.url()).toBe(`${base}${path}`)
      expect(page.url()).toBe(`${base}${path}`)
    }
  })
})
