import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trawlCommand } from '../command.ts'
import { environmentOf, startTrawl } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
const folder = mkdtempSync(join(tmpdir(), 'trawl-life-'))
const settings = (): Record<string, string> => ({ TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` })

beforeAll(async () => {
  site = await startSite()
})
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a killed process', { timeout: 90_000 }, () => {
  it('has lost nothing that it had answered', async () => {
    const dataDir = join(folder, 'killed')
    const first = await startTrawl({ dataDir, settings: settings() })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => first.scrape({ url: site.url(`/page/kept-${i}`) })))
    await first.stop('SIGKILL')
    const second = await startTrawl({ dataDir, settings: settings() })
    for (const answer of answers) expect((await second.call('GET', `/v2/scrape/${answer.json.data.metadata.scrapeId}`)).text).toBe(answer.text)
    const cached = await second.scrape({ url: site.url('/page/kept-3'), minAge: 1 })
    expect(cached.json.data.metadata.cacheState).toBe('hit')
    await second.stop()
  })

  it('leaves an idempotency key free for a repeat', async () => {
    const dataDir = join(folder, 'in-flight')
    const headers = { 'x-idempotency-key': 'once' }
    const first = await startTrawl({ dataDir, settings: settings() })
    const lost = first.scrape({ url: site.url('/slow/never') }, headers).catch(() => 'lost')
    await expect.poll(() => site.hits('/slow/never')).toBe(1)
    await first.stop('SIGKILL')
    expect(await lost).toBe('lost')
    const second = await startTrawl({ dataDir, settings: settings() })
    const answer = await second.scrape({ url: site.url('/slow/never'), timeout: 1000 }, headers)
    expect(answer.json.code).toBe('SCRAPE_TIMEOUT')
    await second.stop()
  })
})

describe('one process per embedded store', { timeout: 90_000 }, () => {
  it('refuses a second process with one sentence, and starts it once the first is gone', async () => {
    const dataDir = join(folder, 'one')
    const first = await startTrawl({ dataDir })
    const refused = await trawlCommand(['serve'], { TRAWL_DATA_DIR: dataDir, TRAWL_PORT: '0' })
    expect([refused.code, refused.stderr.trim().split('\n').length]).toEqual([1, 1])
    await first.stop('SIGKILL')
    const second = await startTrawl({ dataDir })
    await second.stop()
  })
})

describe('SIGTERM', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('or another signal to end (%s) lets a running scrape finish, then ends with status 0', async (signal) => { // `const`: names of signals
    const trawl = await startTrawl({ settings: settings() })
    const before = site.hits('/slow/headers')
    const scrape = trawl.scrape({ url: site.url('/slow/headers?ms=1500'), maxAge: 0 })
    await expect.poll(() => site.hits('/slow/headers')).toBe(before + 1)
    const stopped = trawl.stop(signal)
    expect((await scrape).status).toBe(200)
    expect(await stopped).toBe(0)
  })

  it('ends a process with status 0 that is still being loaded', async () => {
    // Signals itself when it loads the first of its files.
    const signal = `const { Module } = require('node:module'); const load = Module._load; Module._load = (id, ...more) => { if (id === './load.js') process.kill(process.pid, 'SIGTERM'); return load(id, ...more) }`
    const preload = join(folder, 'signal.cjs')
    writeFileSync(preload, signal)
    const child = spawn(process.execPath, ['--require', preload, fileURLToPath(new URL('../../bin/trawl.js', import.meta.url)), 'serve'], { env: environmentOf({ TRAWL_PORT: '0', TRAWL_DATA_DIR: join(folder, 'loading') }), stdio: 'ignore' })
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('ends within 15 s, whatever is running', async () => {
    const trawl = await startTrawl({ settings: settings() })
    site.reset()
    const scrape = trawl.scrape({ url: site.url('/slow/never'), maxAge: 0 })
    await expect.poll(() => site.hits('/slow/never')).toBe(1)
    const started = performance.now()
    expect(await trawl.stop()).toBe(0)
    expect(performance.now() - started).toBeLessThan(15_000)
    expect((await scrape).json.code).toBe('SHUTTING_DOWN')
  }, 30_000)
})

describe('SIGTERM during the start', () => {
  it('ends the process with status 0', async () => {
    // A database that accepts the connection and never answers.
    const database = createServer().listen(0, '127.0.0.1')
    await once(database, 'listening')
    const { port } = database.address() as AddressInfo // a listening TCP server
    const env = environmentOf({ TRAWL_PORT: '0', TRAWL_DATA_DIR: join(folder, 'starting'), TRAWL_DATABASE_URL: `postgres://trawl@127.0.0.1:${port}/none` })
    const child = spawn(process.execPath, [fileURLToPath(new URL('../../bin/trawl.js', import.meta.url)), 'serve'], { env, stdio: 'ignore' })
    await once(database, 'connection')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    database.close()
  })
})

describe('authentication off', () => {
  it('maps every request to team default, with or without a header', async () => {
    const trawl = await startTrawl({ settings: { ...settings(), TRAWL_AUTH: 'off', TRAWL_API_KEYS: '' } })
    for (const authorization of ['', 'Bearer whatever']) {
      expect((await trawl.call('POST', '/v2/scrape', { url: site.url('/article') }, { authorization })).status).toBe(200)
    }
    await trawl.stop()
  })

  it('shows visitors of the address what it is', async () => {
    const trawl = await startTrawl({ settings: settings() })
    const get = (path: string) => trawl.call('GET', path, undefined, { authorization: '' })
    const [here, v2, old] = await Promise.all([get('/'), get('/v2'), get('/v1/scrape')])
    expect(here).toMatchObject({ status: 200, json: { name: 'Trawl', version: expect.any(String), docs: `${trawl.base}/docs`, openapi: `${trawl.base}/openapi.json` } })
    expect(v2.text).toBe(here.text)
    expect(old).toMatchObject({ status: 404, json: { code: 'NOT_FOUND', error: 'No such route. Only version 2 of the interface is here: paths begin with /v2.' } })
    await trawl.stop()
  })

  it("does not accept requests of web pages in the operator's browser", async () => {
    const trawl = await startTrawl({ settings: { ...settings(), TRAWL_AUTH: 'off', TRAWL_API_KEYS: '', TRAWL_PUBLIC_URL: 'https://trawl.test/base' } })
    const { port } = new URL(trawl.base)
    // Sent without `fetch`, which does not allow setting the host.
    const asked = (headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => request(`${trawl.base}/v2/crawl/active`, { headers }, (response) => resolve(response.resume().statusCode)).on('error', reject).end())
    const taken: readonly Record<string, string>[] = [{ host: `localhost:${port}` }, { host: `[::1]:${port}` }, { host: 'trawl.test' }, { host: `127.0.0.1:${port}`, origin: `http://localhost:${port}` }, { host: 'trawl.test', origin: 'https://trawl.test' }]
    const refused: readonly Record<string, string>[] = [{ host: 'rebound.test' }, { host: `127.0.0.1.rebound.test:${port}` }, { host: `localhost:${port}`, origin: 'https://elsewhere.test' }, { host: `localhost:${port}`, origin: 'null' }]
    const malformed = [{ host: 'localhost@rebound.test' }]
    const answers = await Promise.all([...taken, ...refused, ...malformed].map(asked))
    expect(answers).toEqual([...taken.map(() => 200), ...refused.map(() => 403), ...malformed.map(() => 400)])
    await trawl.stop()
  })
})

describe('/health', () => {
  it('answers while every slot is taken', async () => {
    const trawl = await startTrawl({ settings: { ...settings(), TRAWL_MAX_CONCURRENCY: '1' } })
    site.reset()
    let ended = false
    const busy = trawl.scrape({ url: site.url('/slow/headers?ms=3000'), maxAge: 0 }).finally(() => (ended = true))
    await expect.poll(() => site.hits('/slow/headers')).toBe(1)
    const waiting = trawl.scrape({ url: site.url('/article'), maxAge: 0 })
    expect((await trawl.call('GET', '/health')).json.status).toBe('ok')
    expect(ended).toBe(false)
    await busy
    expect((await waiting).json.data.metadata).toMatchObject({ concurrencyLimited: true })
    await trawl.stop()
  })
})

describe('the log', () => {
  it('has a line per request with its id, and never contains a key', async () => {
    const trawl = await startTrawl({ settings: settings() })
    const answer = await trawl.scrape({ url: site.url('/article') }, { 'x-request-id': 'my-request-0001' })
    expect(answer.headers.get('x-request-id')).toBe('my-request-0001')
    await trawl.stop()
    const lines = trawl.output().trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>) // one JSON object per line
    expect(lines.filter((line) => line['event'] === 'request')).toMatchObject([{ requestId: 'my-request-0001', method: 'POST', route: '/v2/scrape', status: 200 }])
    expect(trawl.output()).not.toContain('fc-')
  })
})
