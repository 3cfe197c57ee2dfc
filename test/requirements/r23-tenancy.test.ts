import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trawlCommand } from '../command.ts'
import { emptyDnsServer } from '../dns-server.ts'
import { sendRaw } from '../raw-http.ts'
import { type Answered, otherKey, startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let dns: Awaited<ReturnType<typeof emptyDnsServer>>
let trawl: TestService
const other = { authorization: `Bearer ${otherKey}` }
const settings = (): Record<string, string> => ({ TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_EGRESS_DNS_SERVERS: dns.address })

beforeAll(async () => {
  ;[site, dns] = await Promise.all([startSite(), emptyDnsServer()])
  trawl = await startTrawl({ settings: settings() })
})
afterAll(async () => {
  await trawl.stop('SIGKILL')
  await site.close()
  dns.close()
})

describe('R23 teams', () => {
  it("R23 do not see each other's jobs, cached pages or idempotency keys", async () => {
    const headers = { 'x-idempotency-key': 'shared' }
    const mine = await trawl.scrape({ url: site.url('/page/team') }, headers)
    const id: string = mine.json.data.metadata.scrapeId
    const foreign = await trawl.call('GET', `/v2/scrape/${id}`, undefined, other)
    expect([foreign.status, foreign.json.code]).toEqual([403, 'FORBIDDEN'])
    expect(foreign.text).not.toMatch(/page\/team|default/)
    expect((await trawl.scrape({ url: site.url('/page/team'), minAge: 1 }, other)).json.code).toBe('SCRAPE_NO_CACHED_DATA')
    expect((await trawl.scrape({ url: site.url('/page/team'), lockdown: true }, other)).json.code).toBe('SCRAPE_LOCKDOWN_CACHE_MISS')
    const theirs = await trawl.scrape({ url: site.url('/page/team') }, { ...headers, ...other })
    expect([theirs.status, theirs.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect(theirs.json.data.metadata.scrapeId).not.toBe(id)
    expect(site.hits('/page/team')).toBe(2)
  })

  it.each([
    ['no header', []],
    ['an unknown key', ['Authorization: Bearer fc-unknown']],
    ['another scheme', [`Authorization: Basic ${testKey}`]],
    ['the key of an unknown name', [`X-Api-Key: ${testKey}`]],
    ['a bad key before a good one', ['Authorization: Bearer fc-unknown', `Authorization: Bearer ${testKey}`]],
    ['two keys in one header', [`Authorization: Bearer fc-unknown ${testKey}`]],
  ])('R23 are identified by their key alone: %s is 401', async (_what, lines) => {
    for (const start of ['POST /v2/scrape HTTP/1.1', `GET /v2/scrape/00000000-0000-4000-8000-000000000000?key=${testKey} HTTP/1.1`]) {
      const answer = await sendRaw(trawl.base, [start, 'Host: trawl', ...lines, 'Content-Type: application/json', 'Content-Length: 0', '', ''].join('\r\n'))
      expect([answer.status, JSON.parse(answer.text).code]).toEqual([401, 'UNAUTHORIZED'])
    }
  })

  it('R23 never spend more than they have, however many requests come at once', async () => {
    const poor = await startTrawl({ settings: { ...settings(), TRAWL_CREDITS: '5' } })
    const charged = (answer: { readonly status: number }): number => answer.status
    const failed = await Promise.all(['/fault/closed', '/walls/challenge'].map((path) => poor.scrape({ url: site.url(path), maxAge: 0, proxy: 'basic' })))
    expect(failed.map(charged)).toEqual([500, 200])
    // An unknown name costs one credit, which leaves four.
    expect((await poor.scrape({ url: 'http://nowhere.example.com/', maxAge: 0 })).json.code).toBe('SCRAPE_DNS_RESOLUTION_ERROR')
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => poor.scrape({ url: site.url(`/slow/headers?ms=50&n=${n}`), maxAge: 0 })))
    const statuses = all.map(charged).sort()
    expect([statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 402).length]).toEqual([4, 16])
    expect((await poor.scrape({ url: site.url('/article'), maxAge: 0 })).json.code).toBe('INSUFFICIENT_CREDITS')
    expect((await poor.scrape({ url: site.url('/article'), maxAge: 0 }, other)).status).toBe(200)
    await poor.stop('SIGKILL')
  }, 60_000)
})

describe('R23 files of many pages', () => {
  it('R23 are not delivered to a team whose credits do not cover their pages, however many it asks for at once', async () => {
    const poor = await startTrawl({ settings: { ...settings(), TRAWL_CREDITS: '8' } })
    const read = (more: object = {}): Promise<Answered> => poor.scrape({ url: site.url('/files/report.pdf'), maxAge: 0, ...more })
    const left = async (): Promise<number> => (await poor.call('GET', '/v2/team/credit-usage')).json.data.remainingCredits
    const all = await Promise.all([read(), read(), read(), read()])
    expect(all.map(({ json }) => json.code ?? json.data.metadata.creditsUsed).sort()).toEqual([3, 3, 'INSUFFICIENT_CREDITS', 'INSUFFICIENT_CREDITS'])
    expect([await left(), (await read()).json.error]).toEqual([2, 'The credits of the team do not cover the 3 that this file costs (maxPages limits how many of its pages are read).'])
    expect([(await read({ parsers: [{ type: 'pdf', maxPages: 1 }] })).status, await left()]).toEqual([200, 1])
    await poor.stop('SIGKILL')
  }, 60_000)
})

describe('R24 pages fetched with secrets', () => {
  it.each(['Cookie', 'Authorization', 'X-Anything'])('R24 in requests with %s are not cached, nor are these requests served from the cache', async (name) => {
    const path = `/page/secret-${name}`
    const headers = { [name]: 'a=b' }
    await trawl.scrape({ url: site.url(path), headers })
    expect((await trawl.scrape({ url: site.url(path), minAge: 1 })).json.code).toBe('SCRAPE_NO_CACHED_DATA')
    await trawl.scrape({ url: site.url(path) })
    const again = await trawl.scrape({ url: site.url(path), headers })
    expect(again.json.data.metadata.cacheState).toBeUndefined()
    expect(site.hits(path)).toBe(3)
    expect((await trawl.scrape({ url: site.url(path), headers, lockdown: true })).json.code).toBe('SCRAPE_LOCKDOWN_CACHE_MISS')
  })
})

describe('R25 keys', () => {
  it('R25 are stored as hashes in a folder that only its owner can read', async () => {
    const made = await trawlCommand(['keys', 'create', 'secretive'], { TRAWL_DATA_DIR: trawl.dataDir })
    const key = /fc-[A-Za-z0-9]{32}/.exec(made.stdout)?.[0] ?? ''
    expect(key).not.toBe('')
    expect((await trawl.call('GET', '/v2/scrape/00000000-0000-4000-8000-000000000000', undefined, { authorization: `Bearer ${key}` })).status).toBe(404)
    const files = (await readdir(trawl.dataDir, { recursive: true, withFileTypes: true })).map((entry) => ({ path: join(entry.parentPath, entry.name), folder: entry.isDirectory() }))
    const kept = Buffer.concat(files.filter((file) => !file.folder).map((file) => readFileSync(file.path))).toString('latin1')
    for (const secret of [key, testKey, otherKey]) expect(kept).not.toContain(secret)
    expect(kept).toContain(createHash('sha256').update(key).digest('hex'))
    expect(statSync(trawl.dataDir).mode & 0o777).toBe(0o700)
    for (const file of files) expect([file.path, statSync(file.path).mode & 0o077]).toEqual([file.path, 0])
  })

  it('R25 work two at a time for one team, and stop at once when they are revoked', async () => {
    const dir = { TRAWL_DATA_DIR: trawl.dataDir }
    const keys = await Promise.all([0, 1].map(async () => /fc-[A-Za-z0-9]{32}/.exec((await trawlCommand(['keys', 'create', 'rotating'], dir)).stdout)?.[0] ?? ''))
    const ask = (key: string | undefined): Promise<number> => trawl.call('GET', '/v2/scrape/00000000-0000-4000-8000-000000000000', undefined, { authorization: `Bearer ${key}` }).then((answer) => answer.status)
    expect(await Promise.all(keys.map(ask))).toEqual([404, 404])
    const list = (await trawlCommand(['keys', 'list'], dir)).stdout
    for (const key of keys) expect(list).not.toContain(key)
    const row = list.split('\n').find((line) => line.includes('rotating') && line.includes((keys[0] ?? '').slice(0, 7)))
    expect((await trawlCommand(['keys', 'revoke', row?.split('\t')[0] ?? ''], dir)).code).toBe(0)
    expect(await Promise.all(keys.map(ask))).toEqual([401, 404])
  })
})
