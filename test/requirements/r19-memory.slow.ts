import { readFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Meanwhile, meanwhile } from '../cpu.ts'
import { openSocket } from '../raw-http.ts'
import { otherKey, startTrawl, testKey, type TestService } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

const megabyte = 2 ** 20

let site: Site
let halves: Server
let origin: string
let trawl: TestService
/** Responses that have sent two megabytes and wait. */
const open: ServerResponse[] = []

beforeAll(async () => {
  site = await startSite()
  halves = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write(`<!doctype html><title>Half</title><main><h1>Half</h1>${' '.repeat(2 * megabyte)}`)
    open.push(response)
  })
  await new Promise<void>((resolve) => halves.listen(0, '127.0.0.1', resolve))
  const { port }: AddressInfo = halves.address() as AddressInfo // a listening TCP server
  origin = `http://127.0.0.1:${port}`
  // Memory for two pages of the maximum size.
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port},127.0.0.1:${port}`, TRAWL_BODY_MEMORY_BYTES: String(100 * megabyte) } })
})
afterAll(async () => {
  await trawl.stop('SIGKILL')
  await site.close()
  halves.closeAllConnections()
  await new Promise((resolve) => halves.close(resolve))
})

/** The peak memory of the service so far, in megabytes. */
const peak = (): number => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${trawl.pid}/status`, 'utf8'))?.[1]) / 1024

async function gauge(name: string): Promise<number> {
  const { text } = await trawl.call('GET', '/metrics')
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

const scraped = async (url: string, more: object = {}, key?: string): Promise<string> => {
  const { status, json } = await trawl.scrape({ url, maxAge: 0, ...more }, key === undefined ? {} : { authorization: `Bearer ${key}` })
  return status === 200 ? '200' : `${status} ${json.code}`
}

describe('R19 large bodies', () => {
  it('R19 wait for each other within their own timeout, while small ones pass, whoever holds the memory', async () => {
    const holding = [scraped(`${origin}/1`), scraped(`${origin}/2`, {}, otherKey)]
    await expect.poll(() => gauge('trawl_body_bytes'), { timeout: 10_000 }).toBe(100 * megabyte)
    expect(await scraped(`${origin}/3`, { timeout: 1500 })).toBe('408 SCRAPE_TIMEOUT')
    expect(await scraped(site.url('/article'))).toBe('200')
    const next = scraped(`${origin}/4`)
    await expect.poll(() => gauge('trawl_bodies_waiting'), { timeout: 10_000 }).toBe(1)
    for (const response of open.splice(0)) response.end('</main>')
    expect(await Promise.all(holding)).toEqual(['200', '200'])
    await expect.poll(() => gauge('trawl_bodies_waiting'), { timeout: 10_000 }).toBe(0)
    for (const response of open.splice(0)) response.end('</main>')
    expect(await next).toBe('200')
    await expect.poll(() => gauge('trawl_body_bytes'), { timeout: 10_000 }).toBe(0)
  })

  it('R19 that come in large numbers take bounded memory, and delay neither small pages nor other requests', { timeout: 180_000 }, async () => {
    const count = 10
    const ended: string[] = []
    const large = Array.from({ length: count }, (_, n) => scraped(`${site.url('/encoding/bomb')}?mb=49&n=${n}`, { timeout: 60_000 }, n % 2 === 0 ? undefined : otherKey).then((answer) => void ended.push(answer)))
    await expect.poll(() => gauge('trawl_bodies_waiting'), { timeout: 10_000 }).toBeGreaterThan(5)
    const asked = meanwhile(trawl, Promise.all(large))
    const small: string[] = []
    for (let n = 0; n < 10; n++) small.push(await scraped(`${site.url('/article')}?n=${n}`))
    expect(new Set(small)).toEqual(new Set(['200']))
    expect(ended.length).toBeLessThan(count)
    const { answers, loopMs }: Meanwhile = await asked
    expect(ended).toEqual(Array.from({ length: count }, () => '200'))
    expect(answers).toBeGreaterThan(count)
    expect(loopMs).toBeLessThan(500)
    // Two at a time fit; ten at once would take over 1,100.
    expect(peak()).toBeLessThan(900)
    expect(await gauge('trawl_body_bytes')).toBe(0)
  })

  it('R19 in answers that nobody reads count until they are sent, and make further ones wait', { timeout: 60_000 }, async () => {
    const { json } = await trawl.scrape({ url: `${site.url('/encoding/bomb')}?mb=12`, formats: ['rawHtml'], maxAge: 0, timeout: 60_000 })
    const path = `/v2/scrape/${json.data.metadata.scrapeId}`
    const { hostname, port } = new URL(trawl.base)
    const readers = Array.from({ length: 12 }, () => {
      const socket = connect(Number(port), hostname)
      socket.pause()
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${testKey}\r\n\r\n`)
      return socket
    })
    await expect.poll(() => gauge('trawl_bodies_waiting'), { timeout: 20_000 }).toBeGreaterThan(3)
    expect(await gauge('trawl_body_bytes')).toBeLessThan(200 * megabyte)
    for (const socket of readers) socket.destroy()
    await expect.poll(() => gauge('trawl_body_bytes'), { timeout: 20_000 }).toBe(0)
    expect((await trawl.call('GET', path)).status).toBe(200)
  })

  it.each([
    ['a length', 'Content-Length: 10000000\r\n\r\n'],
    ['no length', `Transfer-Encoding: chunked\r\n\r\n${(9_000_000).toString(16)}\r\n`],
  ])('R19 of requests with %s count while they are sent slowly, and make further ones wait', { timeout: 60_000 }, async (_what, head) => {
    const senders = await Promise.all(Array.from({ length: 5 }, () => openSocket(trawl.base)))
    const lines = ['POST /v2/scrape HTTP/1.1', 'Host: trawl', `Authorization: Bearer ${testKey}`, 'Content-Type: application/json']
    for (const socket of senders) socket.on('error', () => undefined).write(`${lines.join('\r\n')}\r\n${head}{"url":"${'a'.repeat(8_900_000)}`)
    await expect.poll(() => gauge('trawl_bodies_waiting'), { timeout: 20_000 }).toBe(3)
    expect(await gauge('trawl_body_bytes')).toBeLessThanOrEqual(50 * megabyte)
    expect(await scraped(site.url('/article'))).toBe('200')
    for (const socket of senders) socket.destroy()
    await expect.poll(() => gauge('trawl_body_bytes'), { timeout: 20_000 }).toBe(0)
    expect(await gauge('trawl_bodies_waiting')).toBe(0)
  })

  it('R19 of requests without a length arrive whole', async () => {
    const body = { url: site.url('/article'), headers: { 'x-long': 'a' }, formats: ['markdown'] }
    const text = JSON.stringify(body).padEnd(3_000_000)
    const answer = await fetch(`${trawl.base}/v2/scrape`, { method: 'POST', headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }, body: new Blob([text]).stream(), duplex: 'half' } as RequestInit)
    expect(answer.status).toBe(200)
    expect((await fetch(`${trawl.base}/v2/scrape`, { method: 'POST', headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }, body: new Blob([text.padEnd(11_000_000)]).stream(), duplex: 'half' } as RequestInit)).status).toBe(413)
    await expect.poll(() => gauge('trawl_body_bytes'), { timeout: 20_000 }).toBe(0)
  })
})
