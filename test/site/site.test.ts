import { connect } from 'node:http2'
import { request } from 'node:https'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Site, startSite, startTlsSite } from './index.ts'
import { paths } from './table.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())
beforeEach(() => site.reset())

/** Pages that do not answer with valid HTTP, or never end. */
const untame = ['/slow/never', '/slow/stuck', '/large/endless', '/fault/', '/encoding/bomb']
/** Pages with a deliberately wrong coding: the answer starts, but reading it fails. */
const misread = ['/encoding/false-gzip', '/encoding/cut-gzip']
const tame = paths.filter((path) => !untame.some((start) => path.startsWith(start)) && !misread.includes(path))

describe('the site', () => {
  it.each(tame)('answers for %s', async (path) => {
    const answer = await fetch(site.url(`${path.replace('*', '3')}?ms=1&mb=1`), { redirect: 'manual' })
    await answer.arrayBuffer()
    expect(answer.status === 404).toBe(path === '/status/404' || path === '/status/bare')
  })

  it('counts requests and keeps the last one', async () => {
    await fetch(site.url('/echo?a=1'), { method: 'POST', body: 'words', headers: { 'X-Tide': 'high' } })
    expect([site.hits('/echo'), site.hits('/other'), site.hits()]).toEqual([1, 0, 1])
    expect(site.lastRequest('/echo')).toMatchObject({ method: 'POST', url: '/echo?a=1', body: 'words', headers: { 'x-tide': 'high' } })
    site.reset()
    expect([site.hits(), site.lastRequest('/echo')]).toEqual([0, undefined])
  })

  it('increments the counter with each visit', async () => {
    const first = await (await fetch(site.url('/counter'))).text()
    const second = await (await fetch(site.url('/counter'))).text()
    expect([first.includes('Visit 1'), second.includes('Visit 2')]).toEqual([true, true])
  })

  it('answers 404 for unknown paths', async () => {
    expect((await fetch(site.url('/nowhere'))).status).toBe(404)
  })

  it('sends a bomb that is small on the wire and valid', async () => {
    const answer = await fetch(site.url('/encoding/bomb?mb=20'), { headers: { 'accept-encoding': 'identity' } })
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(40_000)
    expect((await answer.text()).length).toBeGreaterThan(20 * 2 ** 20)
  })

  it.each(['/fault/truncated', '/fault/truncated-chunk', '/fault/reset-in-body', '/fault/closed', '/fault/not-http', '/encoding/false-gzip'])('makes reading %s fail', async (path) => {
    await expect(fetch(site.url(path)).then((answer) => answer.text())).rejects.toThrow(TypeError)
  })

  it('closes while clients wait', async () => {
    const short = await startSite()
    const waiting = fetch(short.url('/slow/never')).catch((error: unknown) => error)
    while (short.hits('/slow/never') === 0) await new Promise((resolve) => setImmediate(resolve))
    await short.close()
    expect(await waiting).toBeInstanceOf(Error)
  })
})

describe('the site over TLS', () => {
  it.each([false, true])('answers HTTP/1.1 clients that trust its certificate (http2: %s)', async (http2) => {
    const secure = await startTlsSite({ http2 })
    const status = await new Promise((resolve, reject) => {
      request(secure.url('/encoding/gzip'), { ca: secure.certificate }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve(gunzipSync(Buffer.concat(chunks)).includes('Compressed')))
      }).on('error', reject).end()
    })
    await secure.close()
    expect([status, secure.hits('/encoding/gzip')]).toEqual([true, 1])
  })

  it('is refused by clients that do not trust its certificate', async () => {
    const secure = await startTlsSite()
    await expect(fetch(secure.url('/'))).rejects.toThrow('fetch failed')
    await secure.close()
  })

  it('answers HTTP/2 clients', async () => {
    const secure = await startTlsSite({ http2: true })
    const client = connect(secure.origin, { ca: secure.certificate })
    const text = await new Promise((resolve, reject) => {
      const stream = client.request({ ':path': '/echo.json' }).setEncoding('utf8')
      let all = ''
      stream.on('data', (part: string) => (all += part)).on('end', () => resolve(all)).on('error', reject)
    })
    client.destroy()
    await secure.close()
    expect(JSON.parse(String(text))).toMatchObject({ method: 'GET', url: '/echo.json', httpVersion: '2.0' })
  })
})
