import { createSocket } from 'node:dgram'
import { createServer as createHttp } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { nameServer } from '../net/servers.ts'
import { browserCall, testPool, value } from './pool.ts'
import { departures, vectorPage, vectors } from './vectors.ts'
import { tiers } from '../tiers.ts'

/** Listens at the address until the end of the file. */
async function listen(server: Server, host: string, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  afterAll(() => void server.close())
  return (server.address() as AddressInfo).port // a TCP server's address
}

/** A server that must never be reached: records every connection and every datagram. */
async function canary(port = 0) {
  const contacts: string[] = []
  const note = (socket: Socket) => {
    socket.on('error', () => {})
    socket.once('data', (head) => contacts.push(`tcp ${head.toString('latin1').split('\r\n', 1)[0]?.slice(0, 60)}`))
    contacts.push('tcp')
    socket.end()
  }
  const v4 = await listen(createServer(note), '127.0.0.1', port)
  await listen(createServer(note), '::1', v4).catch(() => 0)
  const udp = createSocket('udp4', () => contacts.push('udp'))
  await new Promise<void>((resolve) => udp.bind(v4, '127.0.0.1', resolve))
  afterAll(() => void udp.close())
  return { port: v4, contacts }
}

const hits = new Set<string>()
let pages: Record<string, string> = {}
let sitePort = 0
let guarded: Awaited<ReturnType<typeof canary>>

beforeAll(async () => {
  const site = createHttp((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site')
    hits.add(url.pathname.slice(1))
    const to = url.searchParams.get('to')
    if (url.pathname === '/redirect' && to !== null) return void response.writeHead(302, { Location: to }).end()
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Content-Type', url.pathname === '/sw.js' ? 'text/javascript' : 'text/html')
    response.end(url.pathname === '/sw.js' ? `fetch('http://${to}/service-worker',{mode:'no-cors'})` : (pages[url.pathname] ?? 'answer'))
  })
  site.on('upgrade', (request, socket: Socket) => {
    hits.add((request.url ?? '').slice(1))
    socket.end()
  })
  sitePort = await listen(site, '127.0.0.1')
  guarded = await canary()
})

beforeEach(() => {
  hits.clear()
  guarded.contacts.length = 0
  pages = {}
})

type Pool = Awaited<ReturnType<typeof testPool>>['pool']

// What Chromium does not do for a page on plain HTTP, or not at all in this build. All the others must be seen to work.
const without = ['service-worker', 'webtransport', 'https', 'webrtc', 'webrtc-candidate', 'dns-prefetch', 'preconnect', 'speculation', 'popup']

describe.each(tiers)('a browser of the %s tier behind the egress guard', (tier) => {
  const terms = tier === 'basic' ? { context: {} } : { context: {}, quiet: true }

  /** Opens a page and lets its scripts run for so many milliseconds, or until something has happened. */
  async function shown(pool: Pool, url: string, until: number | (() => boolean)): Promise<string> {
    return pool.use(terms, async (page) => {
      await page.goto(url, { waitUntil: 'commit' }).catch(() => null)
      if (typeof until === 'number') await page.waitForTimeout(until)
      else await expect.poll(until, { timeout: 10_000 }).toBe(true)
      return page.url()
    }, browserCall())
  }

  it('reaches an allowed site in every way that pages have', async () => {
    const { pool } = await testPool({ allow: [`127.0.0.1:${sitePort}`] })
    pages['/vectors'] = vectorPage([`127.0.0.1:${sitePort}`])
    const missing = (): readonly string[] => Object.keys(vectors).filter((name) => !hits.has(name) && !without.includes(name))
    await pool.use(terms, async (page) => {
      await page.goto(`http://127.0.0.1:${sitePort}/vectors`, { waitUntil: 'commit' }).catch(() => null)
      await expect.poll(missing, { timeout: 10_000 }).toEqual([])
    }, browserCall())
    expect(guarded.contacts).toEqual([])
  })

  it('reaches nothing else, whatever the page does and however it spells the address', async () => {
    const names = await nameServer({ 'inner.test': [['127.0.0.1']], 'mixed.test': [['127.0.0.1', '192.0.2.1']] })
    const { pool } = await testPool({ allow: [`127.0.0.1:${sitePort}`], servers: [names.address] })
    const hosts = ['127.0.0.1', 'localhost', 'x.localhost', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', '2130706433', 'inner.test', 'mixed.test']
    pages['/vectors'] = vectorPage(hosts.map((host) => `${host}:${guarded.port}`))
    await shown(pool, `http://127.0.0.1:${sitePort}/vectors`, 3_000)
    expect(hits.has('redirect')).toBe(true)
    const before = process.cpuUsage()
    await shown(pool, `http://127.0.0.1:${sitePort}/`, 3_000)
    const { user, system } = process.cpuUsage(before)
    // Nothing goes on after the page is closed: a driver in a loop would use several seconds of CPU time.
    expect((user + system) / 1000).toBeLessThan(1_500)
    expect(guarded.contacts).toEqual([])
  })

  it.each(Object.keys(departures))('does not follow %s', async (name) => {
    const { pool } = await testPool({ allow: [`127.0.0.1:${sitePort}`] })
    const page = departures[name] ?? (() => '')
    pages['/there'] = page(`127.0.0.1:${sitePort}`)
    pages['/nowhere'] = page(`127.0.0.1:${guarded.port}`)
    // Where it leads is reached if that is allowed; only this one leads nowhere in any case.
    await shown(pool, `http://127.0.0.1:${sitePort}/there`, name === 'data-page' ? 400 : () => hits.has(name))
    await shown(pool, `http://127.0.0.1:${sitePort}/nowhere`, 400)
    expect(guarded.contacts).toEqual([])
  })

  it.each(['file:///etc/passwd', 'view-source:http://127.0.0.1/', 'chrome://version/', 'devtools://devtools/bundled/inspector.html', 'ftp://127.0.0.1/'])('does not open %s', async (address) => {
    const { pool } = await testPool({ allow: [`127.0.0.1:${sitePort}`] })
    pages['/lead'] = `<iframe src="${address}"></iframe><script>open('${address}');location='${address}'</script>`
    const text = await pool.use(terms, async (page) => {
      await page.goto(`http://127.0.0.1:${sitePort}/lead`, { waitUntil: 'commit' }).catch(() => null)
      await page.waitForTimeout(200)
      // A page that leads nowhere may never answer.
      const held = page.context().pages().map((one) => Promise.race([value(one, 'document.documentElement.outerHTML').catch(() => ''), page.waitForTimeout(500).then(() => '')]))
      return (await Promise.all(held)).join('')
    }, browserCall())
    expect(text).not.toContain('root:')
    await expect(pool.use(terms, (page) => page.goto(address), browserCall())).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('is not fooled by a name that changes its address', async () => {
    let now = Date.now()
    const names = await nameServer({ 'rebind.test': [['127.0.0.2'], ['127.0.0.1']] })
    const other = createHttp((_, response) => response.end('<h1>first address</h1>'))
    const port = await listen(other, '127.0.0.2')
    const target = await canary(port)
    const { pool } = await testPool({ allow: [`127.0.0.2:${port}`], servers: [names.address], clock: { now: () => now } })
    const seen = await pool.use(terms, async (page) => {
      await page.goto(`http://rebind.test:${port}/`)
      const first = await value(page, 'document.querySelector("h1").textContent')
      now += 3_600_000
      const second = await value(page, 'fetch("/again").then((answer) => answer.status, () => 0)')
      const third = await page.goto(`http://rebind.test:${port}/again`)
      return [first, second, third?.status()]
    }, browserCall())
    expect(seen).toEqual(['first address', 0, 403])
    expect(names.questions.filter((line) => line.endsWith(' A'))).toHaveLength(2)
    expect(target.contacts).toEqual([])
  })

  it('lets nobody else use its proxy, and nobody at all after the page is closed', async () => {
    const { pool, proxy } = await testPool({ allow: [`127.0.0.1:${sitePort}`] })
    await shown(pool, `http://127.0.0.1:${sitePort}/`, 0)
    const socket = (await import('node:net')).connect(proxy.port, proxy.host)
    onTestFinished(() => void socket.destroy())
    socket.write(`GET http://127.0.0.1:${sitePort}/stolen HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic ${Buffer.from('trawl-1:x').toString('base64')}\r\n\r\n`)
    const head = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString('latin1'))))
    expect(head.split('\r\n', 1)).toEqual(['HTTP/1.1 407 Proxy Authentication Required'])
    expect(hits.has('stolen')).toBe(false)
  })
})
