import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { trawlCommand } from '../command.ts'
import { gauge, linksTo } from '../crawls.ts'
import { type TestPostgres, testPostgres } from '../postgres.ts'
import { type Answered, otherKey, startTrawl, type TestService } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let postgres: TestPostgres
let url: string
let api: TestService
let secondApi: TestService
let worker: TestService
const held = gauge(4, 1_000)
const folder = mkdtempSync(join(tmpdir(), 'trawl-fleet-'))

const start = (role: string, more: Record<string, string> = {}): Promise<TestService> =>
  startTrawl({
    dataDir: folder,
    args: ['--roles', role],
    settings: { TRAWL_DATABASE_URL: url, TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_ZDR_TEAMS: '*', TRAWL_LEASE_MS: '2000', TRAWL_TEAM_CONCURRENCY: '4', ...more },
  })

/** All rows of all tables, as text. */
async function everyRow(): Promise<string> {
  const client = new Client(url)
  await client.connect()
  try {
    const tables = await client.query<{ table_name: string }>("select table_name from information_schema.tables where table_schema = 'public'")
    const rows = []
    for (const { table_name: table } of tables.rows) rows.push((await client.query(`select to_jsonb(t)::text as row from "${table}" t`)).rows)
    return JSON.stringify(rows)
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  site = await startSite({ '/held': held.over(linksTo()) })
  postgres = await testPostgres()
  url = await postgres.database()
  // All three start at once on an empty database: their migrations must not collide.
  ;[api, secondApi, worker] = await Promise.all([start('api'), start('api'), start('worker')])
}, 120_000)
afterAll(async () => {
  await Promise.all([api, secondApi, worker].map((service) => service.stop()))
  await site.close()
  await postgres.dispose()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)
beforeEach(() => site.reset())

/** The credits used so far. */
const usedBy = (client: Client) => async (): Promise<unknown> => (await client.query('select sum(credits) as credits from usage_months')).rows[0].credits

describe('separate api and worker processes', () => {
  it('scrape through the queue as one process would', async () => {
    const answer = await api.scrape({ url: site.url('/article') })
    expect(answer.json.data.markdown).toContain('# How harbours measure the tide')
    // No other request was in the queue.
    expect(answer.json.data.metadata).not.toHaveProperty('concurrencyLimited')
    const path = `/v2/scrape/${answer.json.data.metadata.scrapeId}`
    expect((await secondApi.call('GET', path)).text).toBe(answer.text)
    expect((await secondApi.call('GET', path, undefined, { authorization: `Bearer ${otherKey}` })).status).toBe(403)
  })

  it('share the cache, and an api process answers from it by itself under lockdown', async () => {
    await api.scrape({ url: site.url('/page/shared') })
    const hit = await secondApi.scrape({ url: site.url('/page/shared') })
    expect(hit.json.data.metadata.cacheState).toBe('hit')
    await worker.stop('SIGKILL')
    const locked = await secondApi.scrape({ url: site.url('/page/shared'), lockdown: true })
    expect(locked.json.data.metadata).toMatchObject({ cacheState: 'hit', creditsUsed: 5 })
    // Requests that no worker takes stay in the queue.
    const waited = await Promise.all([secondApi.scrape({ url: site.url('/article'), maxAge: 0, timeout: 1000 }), secondApi.call('POST', '/v2/map', { url: site.url('/article'), timeout: 1000 })])
    expect(waited.map(({ status, json }) => [status, json.code])).toEqual(waited.map(() => [408, 'CONCURRENCY_QUEUE_TIMEOUT']))
    worker = await start('worker')
  })

  it('answer a repeat with the result of a first request that died before it could answer, and charge it once', async () => {
    const headers = { 'x-idempotency-key': 'died' }
    const wish = { url: site.url('/page/died'), maxAge: 0 }
    const first = await api.scrape(wish, headers)
    const client = new Client(url)
    await client.connect()
    const used = usedBy(client)
    const after = await used()
    await client.query('update idempotency set status = null, blob = null, expires_at = null, lease_until = 0')
    const again = await secondApi.scrape(wish, headers)
    expect([again.text, again.headers.get('idempotent-replayed'), site.hits('/page/died')]).toEqual([first.text, 'true', 1])
    // Without a stored result, the page is scraped again, free of charge.
    await client.query('delete from results')
    await client.query('update idempotency set status = null, blob = null, expires_at = null, lease_until = 0')
    const anew = await api.scrape(wish, headers)
    expect([anew.json.data.metadata.scrapeId, anew.headers.get('idempotent-replayed'), site.hits('/page/died')]).toEqual([first.json.data.metadata.scrapeId, null, 2])
    expect(await used()).toEqual(after)
    await client.end()
  })

  it('answer a repeated search in the same way, and charge none of its pages twice', async () => {
    const hits = (): number => site.hits('/article')
    const ask = (): Promise<Answered> => secondApi.call('POST', '/v2/search', { query: 'how harbours measure the tide', limit: 1, scrapeOptions: { formats: ['markdown'], maxAge: 0 } }, { 'x-idempotency-key': 'died-searching' })
    await api.scrape({ url: site.url('/article') })
    const first = await ask()
    const pageId = (answer: Answered): string => answer.json.data.web[0].metadata.scrapeId
    const client = new Client(url)
    await client.connect()
    const used = usedBy(client)
    const before = [await used(), hits()]
    const lose = (): Promise<unknown> => client.query('update idempotency set status = null, blob = null, expires_at = null, lease_until = 0')
    // Its process died before it could answer.
    await lose()
    const again = await ask()
    expect([again.text, again.headers.get('idempotent-replayed'), await used(), hits()]).toEqual([first.text, 'true', ...before])
    // Its process died before it stored the answer, but the results of its pages are stored.
    await lose()
    await client.query(`delete from results where id = '${first.json.id}'`)
    const anew = await ask()
    expect([anew.json.id, pageId(anew), anew.json.data, anew.headers.get('idempotent-replayed'), await used(), hits()]).toEqual([first.json.id, pageId(first), first.json.data, null, ...before])
    // The results of the pages are missing, too: they are scraped again, free of charge.
    await lose()
    await client.query('delete from results')
    const last = await ask()
    expect([pageId(last), await used(), hits()]).toEqual([pageId(first), before[0], Number(before[1]) + 1])
    // A request without the key is a new search.
    const other = await secondApi.call('POST', '/v2/search', { query: 'how harbours measure the tide', limit: 1, scrapeOptions: { formats: ['markdown'], maxAge: 0 } })
    expect(pageId(other)).not.toBe(pageId(first))
    expect(Number(await used())).toBe(Number(before[0]) + 3)
    await client.end()
  })

  it('map a site through the queue', async () => {
    const answer = await api.call('POST', '/v2/map', { url: site.url('/article'), filterByPath: false, limit: 1 })
    expect(answer.json).toEqual({ success: true, id: expect.any(String), links: [{ url: site.url('/article'), title: 'How harbours measure the tide | Tidewater Review' }] })
    const failed = await api.call('POST', '/v2/map', { url: 'http://nowhere.invalid/' })
    expect([failed.status, failed.json.code]).toEqual([500, 'MAP_FAILED'])
  })

  it('pass on errors unchanged', async () => {
    const answer = await api.scrape({ url: 'http://10.0.0.1/' })
    expect([answer.status, answer.json.code]).toEqual([403, 'FORBIDDEN'])
    const late = await api.scrape({ url: site.url('/slow/never'), timeout: 1000 })
    expect([late.status, late.json.code]).toEqual([408, 'SCRAPE_TIMEOUT'])
  })

  it('leave nothing of a zero-retention request in the database or a log', async () => {
    const answer = await api.scrape({ url: site.url('/page/unseen'), zeroDataRetention: true })
    expect(answer.status).toBe(200)
    await api.scrape({ url: site.url('/page/seen') })
    await expect.poll(worker.output).toContain('/page/seen')
    const traces = [await everyRow(), api.output(), worker.output()]
    expect(traces.filter((text) => text.includes('/page/unseen'))).toEqual([])
  })

  it('replay an idempotency key in whichever process the repeat arrives', async () => {
    const headers = { 'x-idempotency-key': 'fleet-1' }
    const first = await api.scrape({ url: site.url('/counter'), maxAge: 0 }, headers)
    const again = await secondApi.scrape({ url: site.url('/counter'), maxAge: 0 }, headers)
    expect(again.text).toBe(first.text)
    expect(site.hits('/counter')).toBe(1)
  })

  it('count the slots of a team over the whole fleet', async () => {
    const urls = Array.from({ length: 12 }, (_, i) => site.url(`/held?n=${i}`))
    const answers = await Promise.all(urls.map((url, i) => (i % 2 === 0 ? api : secondApi).scrape({ url, maxAge: 0 })))
    expect(answers.map((answer) => answer.status)).toEqual(urls.map(() => 200))
    // Four at once, and the others after them.
    expect([held.most(), answers.filter((answer) => answer.json.data.metadata.concurrencyLimited === true).length]).toEqual([4, 8])
  })

  it('finish a scrape whose worker is killed', async () => {
    const pending = api.scrape({ url: site.url('/slow/headers?ms=1500'), maxAge: 0, timeout: 30_000 })
    await expect.poll(() => site.hits('/slow/headers')).toBe(1)
    await worker.stop('SIGKILL')
    worker = await start('worker')
    const answer = await pending
    expect(answer.status).toBe(200)
    expect(site.hits('/slow/headers')).toBe(2)
  }, 40_000)

  it('report a process that keeps its blobs elsewhere', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'trawl-elsewhere-'))
    const settings = { TRAWL_DATABASE_URL: url, TRAWL_DATA_DIR: elsewhere }
    const told = await trawlCommand(['doctor'], settings)
    expect([told.code, told.stdout]).toEqual([1, expect.stringMatching(/^BROKEN +blobs \(TRAWL_BLOB_URL\): What other processes of this database keep/m)])
    const apart = await startTrawl({ dataDir: elsewhere, args: ['--roles', 'api'], settings: { TRAWL_DATABASE_URL: url } })
    await expect.poll(() => apart.output()).toContain('"event":"blobs-apart"')
    await apart.stop()
    rmSync(elsewhere, { recursive: true, force: true })
    expect([api, secondApi, worker].filter((service) => service.output().includes('blobs-apart'))).toEqual([])
  }, 60_000)
})
