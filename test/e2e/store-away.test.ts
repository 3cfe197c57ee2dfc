import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestPostgres, testPostgres } from '../postgres.ts'
import { type Answered, startTrawl, type TestService } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let postgres: TestPostgres
let trawl: TestService
let url: string
beforeAll(async () => {
  ;[site, postgres] = await Promise.all([startSite(), testPostgres()])
  url = await postgres.database()
  trawl = await startTrawl({ settings: { TRAWL_DATABASE_URL: url, TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` } })
}, 120_000)
afterAll(async () => {
  await trawl.stop()
  await Promise.all([site.close(), postgres.dispose()])
}, 60_000)

const scrape = (): Promise<Answered> => trawl.scrape({ url: site.url('/article'), maxAge: 0 })
const asks = (): Promise<Answered[]> => Promise.all([scrape(), trawl.call('GET', '/v2/concurrency-check'), trawl.call('POST', '/v2/crawl', { url: site.url('/article'), limit: 1 }), trawl.call('GET', '/v2/crawl/00000000-0000-4000-8000-000000000000')])

describe('while Postgres is unavailable', () => {
  it('requests get a Retry-After, and the same process serves them when it is back', async () => {
    expect((await scrape()).status).toBe(200)
    await postgres.stop()
    for (const answers of [await asks(), await asks()]) {
      expect(answers.map(({ status, json, headers }) => [status, json.code, headers.get('retry-after')])).toEqual(answers.map(() => [503, 'OVERLOADED', '2']))
      expect(answers.map(({ text }) => text).join()).not.toMatch(/postgres|ECONN|ENOENT|\/tmp/i)
    }
    expect((await trawl.call('GET', '/health')).status).toBe(200)
    expect(trawl.output()).toMatch(/(?:ENOENT|ECONNREFUSED).*"event":"request-failed"/)
    await postgres.start()
    expect((await scrape()).status).toBe(200)
    expect((await trawl.call('GET', '/v2/concurrency-check')).status).toBe(200)
  }, 60_000)

  it('as its logins are refused since the start, requests get one as well, and the log names the reason', async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query('alter role trawl nologin')
    await client.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'trawl'")
    const answers = await asks()
    expect(answers.map(({ status, json, headers }) => [status, json.code, headers.get('retry-after')])).toEqual(answers.map(() => [503, 'OVERLOADED', '2']))
    expect(trawl.output()).toMatch(/is not permitted to log in.*"event":"request-failed"/)
    await client.query('alter role trawl login')
    await client.end()
    expect((await scrape()).status).toBe(200)
  }, 60_000)

  it('running requests get a Retry-After, too', async () => {
    const asked = trawl.scrape({ url: site.url('/slow/headers?ms=1500'), maxAge: 0 })
    await expect.poll(() => site.hits('/slow/headers')).toBe(1)
    await postgres.stop()
    const { status, json, headers } = await asked
    expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'OVERLOADED', '2'])
    await postgres.start()
    expect((await scrape()).status).toBe(200)
  }, 60_000)
})

describe('SIGTERM while Postgres', () => {
  const unwritten = (service: TestService): readonly string[] => service.output().split('\n').filter((line) => line.includes('"event":"stop-unwritten"'))

  /**
   * Stops a service while it fetches a page of a batch; returns its exit code, how long that took, and what it logged.
   */
  async function stopped(away: () => Promise<void>): Promise<{ readonly code: number | null; readonly ms: number; readonly said: readonly string[] }> {
    const service = await startTrawl({ settings: { TRAWL_DATABASE_URL: await postgres.database(), TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` } })
    site.reset()
    await service.call('POST', '/v2/batch/scrape', { urls: [site.url('/slow/headers?ms=2000')], maxAge: 0 })
    await expect.poll(() => site.hits('/slow/headers')).toBe(1)
    await away()
    const started = performance.now()
    const code = await service.stop()
    return { code, ms: performance.now() - started, said: unwritten(service) }
  }

  it('is gone ends the process with status 0, and one line says what was not written', async () => {
    const { code, ms, said } = await stopped(() => postgres.stop())
    await postgres.start()
    expect([code, said.length, said[0]]).toEqual([0, 1, expect.stringContaining('leases of pages')])
    expect(ms).toBeLessThan(15_000)
  }, 60_000)

  it('hangs does the same', async () => {
    const { code, ms, said } = await stopped(() => postgres.freeze(true)).finally(() => postgres.freeze(false))
    expect([code, said.length, said[0]]).toEqual([0, 1, expect.stringContaining('leases of pages')])
    expect(ms).toBeLessThan(14_400)
  }, 60_000)
})
