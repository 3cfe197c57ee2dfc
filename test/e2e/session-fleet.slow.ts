import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { endMeanings } from '../../src/domain/sessions/sessions.ts'
import { type TestPostgres, testPostgres } from '../postgres.ts'
import { otherKey, startTrawl, type TestService } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let postgres: TestPostgres
let url: string
let port: number
let api: TestService
let mute: TestService
let worker: TestService
const folder = mkdtempSync(join(tmpdir(), 'trawl-session-fleet-'))
const secret = 'secret-of-the-fleet'

/**
 * Long enough for a process that starts browsers on a busy machine to send its heartbeat in time; without it, its
 * sessions would be lost.
 */
const leaseMs = '8000'
const start = (role: string, more: Record<string, string>): Promise<TestService> =>
  startTrawl({ dataDir: folder, args: ['--roles', role], settings: { TRAWL_DATABASE_URL: url, TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_LEASE_MS: leaseMs, ...more } })
const startWorker = (at = port): Promise<TestService> => start('worker', { TRAWL_PEER_URL: `http://127.0.0.1:${at}`, TRAWL_PEER_SECRET: secret, TRAWL_PORT: String(at) })

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

const scraped = async (): Promise<string> => (await api.scrape({ url: site.url('/article') })).json.data.metadata.scrapeId

beforeAll(async () => {
  ;[site, postgres, port] = await Promise.all([startSite(), testPostgres(), freePort()])
  url = await postgres.database()
  ;[api, mute, worker] = await Promise.all([start('api', { TRAWL_PEER_SECRET: secret }), start('api', {}), startWorker()])
}, 120_000)
afterAll(async () => {
  await Promise.all([api, mute, worker].map((service) => service.stop()))
  await site.close()
  await postgres.dispose()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

describe('sessions of a fleet', () => {
  it('live in a worker and are used through any api process, under its own address', async () => {
    const path = `/v2/scrape/${await scraped()}/interact`
    const first = await api.call('POST', path, { code: 'globalThis.kept = page.url(); kept', timeout: 60 })
    expect(first.json).toMatchObject({ success: true, result: site.url('/article'), liveViewUrl: expect.stringContaining(`${api.base}/v2/browser/`) })
    expect((await api.call('POST', path, { code: 'kept' })).json.result).toBe(site.url('/article'))
    const failed = await api.call('POST', path, { code: 'kept', nothing: 1 })
    expect([failed.status, failed.json.code]).toEqual([400, 'BAD_REQUEST'])
    expect((await api.call('POST', path, { code: '1' }, { authorization: `Bearer ${otherKey}` })).json.code).toBe('FORBIDDEN')
    // Every process knows the session; one without the shared secret says what it lacks.
    expect((await mute.call('GET', `/v2/browser/${first.json.sessionId}`)).json).toMatchObject({ status: 'active' })
    const refused = await mute.call('POST', path, { code: 'kept' })
    expect([refused.status, refused.json.code, refused.json.error.includes('TRAWL_PEER_SECRET')]).toEqual([503, 'BROWSER_NOT_CONFIGURED', true])
    expect((await api.call('DELETE', path)).json).toMatchObject({ success: true, status: 'stopped', creditsBilled: 2 })
    expect((await mute.call('POST', path, { code: 'kept' })).json.code).toBe('SESSION_DESTROYED')
  }, 120_000)

  it('can be watched and driven through any api process that shares the secret', async () => {
    const made = (await api.call('POST', '/v2/browser', { activityTtl: 60 })).json
    const browser = await chromium.connectOverCDP(made.cdpUrl)
    const page = browser.contexts()[0]?.pages()[0]
    await page?.goto(site.url('/article'))
    expect(await page?.title()).toContain('How harbours measure the tide')
    expect((await fetch(made.liveViewUrl)).status).toBe(200)
    const viewer = new WebSocket(made.liveViewUrl.replace('http', 'ws'))
    const hello = await new Promise((resolve, reject) => {
      viewer.addEventListener('message', ({ data }) => resolve(data))
      viewer.addEventListener('error', () => reject(new Error('no live view')))
    })
    expect(JSON.parse(String(hello))).toEqual({ type: 'hello', control: false })
    viewer.close()
    const wrong = made.cdpUrl.replace(/token=.*/, `token=${'x'.repeat(43)}`)
    await expect(chromium.connectOverCDP(wrong)).rejects.toThrow()
    await browser.close()
    expect((await api.call('DELETE', `/v2/browser/${made.id}`)).status).toBe(200)
    expect((await fetch(made.liveViewUrl)).status).toBe(404)
  }, 120_000)

  it('cannot be reached by anybody who does not prove to belong to it', async () => {
    const made = await api.call('POST', '/v2/browser', { activityTtl: 60 })
    const at = `/v2/browser/${made.json.id}`
    expect((await worker.call('GET', '/health')).status).toBe(200)
    const plain = await worker.call('GET', at)
    expect([plain.status, plain.json.code]).toEqual([404, 'NOT_FOUND'])
    const forged = await worker.call('GET', at, undefined, { 'x-trawl-peer': `${Date.now()}.nonce.${Buffer.from('default').toString('base64url')}.x.y.z` })
    expect([forged.status, forged.json.code]).toEqual([401, 'UNAUTHORIZED'])
    expect((await api.call('DELETE', at)).status).toBe(200)
  }, 120_000)

  it('stay with their worker when another one is started at its address by mistake', async () => {
    const made = (await api.call('POST', '/v2/browser', { activityTtl: 60 })).json
    await expect(startWorker()).rejects.toThrow(`Port ${port} is in use`)
    // Longer than others need to notice that a process is gone.
    await new Promise((resolve) => setTimeout(resolve, 1.2 * Number(leaseMs)))
    expect((await api.call('POST', `/v2/browser/${made.id}/execute`, { code: '1 + 1' })).json).toMatchObject({ success: true, result: '2' })
    expect((await api.call('DELETE', `/v2/browser/${made.id}`)).status).toBe(200)
  }, 120_000)

  it('end as stopped, even if another worker takes over their address before they have', async () => {
    const made = (await api.call('POST', '/v2/browser', { activityTtl: 60 })).json
    const at = `/v2/browser/${made.id}/execute`
    expect((await api.call('POST', at, { code: '1' })).json.success).toBe(true)
    // The stop waits a while for this call.
    const busy = api.call('POST', at, { code: 'await new Promise(() => {})', timeout: 60 })
    await new Promise((resolve) => setTimeout(resolve, 500))
    const old = worker
    const stopped = old.stop()
    await expect.poll(() => startWorker().then((next) => (worker = next), () => null), { timeout: 20_000, interval: 20 }).not.toBeNull()
    expect(await stopped).toBe(0)
    expect([502, 503]).toContain((await busy).status)
    expect(old.output()).toContain('"end":"stopped"')
    const after = await api.call('POST', at, { code: '1' })
    expect([after.status, after.json.error]).toEqual([410, endMeanings.stopped])
  }, 120_000)

  it('open on another worker if the least busy one is stopping or does not accept the connection', async () => {
    const [stopping, killed] = await Promise.all([freePort().then(startWorker), freePort().then(startWorker)])
    const made: string[] = []
    const create = async (body: object = {}): Promise<string> => {
      const answer = await api.call('POST', '/v2/browser', { activityTtl: 60, ...body })
      expect(answer.json.error).toBeUndefined()
      expect(answer.json).toMatchObject({ success: true })
      made.push(answer.json.id)
      return answer.json.id
    }
    try {
      // One on each of the three workers.
      const ids = [await create(), await create(), await create()]
      const busy = ids.map((id) => api.call('POST', `/v2/browser/${id}/execute`, { code: 'await new Promise(() => {})', timeout: 60 }))
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      const stopped = stopping.stop()
      await killed.stop('SIGKILL')
      await create()
      const scrape = await scraped()
      expect((await api.call('POST', `/v2/scrape/${scrape}/interact`, { code: '1 + 1' })).json).toMatchObject({ success: true, result: '2' })
      expect((await api.call('DELETE', `/v2/scrape/${scrape}/interact`)).status).toBe(200)
      expect(await stopped).toBe(0)
      for (const id of made) await api.call('DELETE', `/v2/browser/${id}`)
      const statuses = (await Promise.all(busy)).map(({ status }) => status)
      expect(statuses.filter((status) => ![410, 502, 503].includes(status))).toEqual([])
    } finally {
      await Promise.all([stopping.stop('SIGKILL'), killed.stop('SIGKILL')])
    }
  }, 120_000)

  it('end with their worker: a running call fails, and later ones report the end', async () => {
    const path = `/v2/scrape/${await scraped()}/interact`
    const first = await api.call('POST', path, { code: '1' })
    expect(first.json.success).toBe(true)
    const waiting = api.call('POST', path, { code: 'await new Promise(() => {})', timeout: 300 })
    await worker.stop('SIGKILL')
    expect([410, 502]).toContain((await waiting).status)
    await expect.poll(async () => (await api.call('POST', path, { code: '1' })).status, { timeout: 20_000, interval: 200 }).toBe(410)
    const none = await api.call('POST', '/v2/browser', {})
    expect([none.status, none.json.code]).toEqual([503, 'BROWSER_NOT_CONFIGURED'])
    worker = await startWorker()
    await expect.poll(async () => (await api.call('POST', '/v2/browser', { activityTtl: 10 })).status, { timeout: 20_000, interval: 500 }).toBe(200)
  }, 120_000)
})
