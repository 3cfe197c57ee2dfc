import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, dnsServer } from '../dns-server.ts'
import { startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let names: DnsServer
let questions = 0
let trawl: TestService

beforeAll(async () => {
  site = await startSite()
  names = await dnsServer(() => (questions++, null))
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_ZDR_TEAMS: 'default', TRAWL_LOG_LEVEL: 'debug', TRAWL_EGRESS_DNS_SERVERS: names.address } })
})
afterAll(async () => {
  await trawl.stop('SIGKILL')
  names.close()
  await site.close()
})

/** All bytes of the data folder; blobs also in decompressed form. */
async function kept(): Promise<string> {
  const entries = (await readdir(trawl.dataDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  return entries.map((entry) => {
    const bytes = readFileSync(join(entry.parentPath, entry.name))
    try {
      return bytes.toString('latin1') + brotliDecompressSync(bytes.subarray(7)).toString('latin1')
    } catch {
      return bytes.toString('latin1')
    }
  }).join('\n')
}

/** Requests that carry a secret in different places, with their expected status. */
const ways: readonly (readonly [string, (marker: string) => object, string])[] = [
  ['a page', (marker) => ({ url: site.url(`/page/${marker}`), explain: true }), '200'],
  ['a redirect', (marker) => ({ url: site.url(`/redirect/to?url=/page/${marker}`) }), '200'],
  ['a refused redirect', (marker) => ({ url: site.url(`/redirect/to?url=http://10.0.0.1/${marker}`) }), '403'],
  ['a refused address', (marker) => ({ url: `http://10.0.0.1/${marker}` }), '403'],
  ['a name that does not resolve', (marker) => ({ url: `http://${marker}.example.com/${marker}` }), '500'],
  ['a site that hangs up', (marker) => ({ url: site.url(`/fault/closed?${marker}`) }), '500'],
  ['a site that is silent', (marker) => ({ url: site.url(`/slow/never?${marker}`), timeout: 1_000 }), '408'],
  ['a file that cannot be read', (marker) => ({ url: site.url(`/image.png?${marker}`) }), '500'],
  ['a strict request', (marker) => ({ url: site.url(`/walls/challenge?${marker}`), strict: true, proxy: 'basic' }), '500'],
  ['a selector', (marker) => ({ url: site.url('/article'), includeTags: [`.${marker}`] }), '200'],
  ['a selector that is none', (marker) => ({ url: site.url('/article'), includeTags: [`${marker}[`] }), '400'],
  ['headers', (marker) => ({ url: site.url('/echo'), headers: { Cookie: marker, Authorization: marker, [`x-${marker}`]: '1' } }), '200'],
  ['a request that does not fit', (marker) => ({ url: site.url('/article'), [marker]: 1 }), '400'],
]

describe('R26 a request with zero retention', () => {
  it('R26 leaves nothing in the log or the data folder, however it ends', async () => {
    const markers: string[] = []
    for (const [way, body, status] of ways) {
      const marker = `quiet${markers.length}zdr`
      markers.push(marker)
      const answer = await trawl.scrape({ maxAge: 0, ...body(marker), zeroDataRetention: true }, { 'x-idempotency-key': `${marker}` })
      expect([way, String(answer.status)]).toEqual([way, status])
    }
    for (const [way, body] of ways.filter(([, , status]) => status !== '400')) {
      const marker = `quiet${markers.length}lock`
      markers.push(marker)
      const answer = await trawl.scrape({ ...body(marker), lockdown: true })
      expect([way, answer.json.code]).toEqual([way, 'SCRAPE_LOCKDOWN_CACHE_MISS'])
    }
    // An ordinary request leaves a trace in both: this proves that the search works, and that everything before it has
    // been written.
    await trawl.scrape({ url: site.url('/page/loud') })
    await expect.poll(trawl.output).toContain('/page/loud')
    expect(await kept()).toContain('/page/loud')
    const traces = `${trawl.output()}\n${await kept()}`
    expect(markers.filter((marker) => traces.includes(marker))).toEqual([])
  }, 90_000)

  it('R26 leaves nothing of the pages that a search scrapes', async () => {
    await trawl.scrape({ url: site.url('/counter') })
    await expect.poll(trawl.output).toContain('/counter')
    const before = trawl.output().length
    const found = await trawl.call('POST', '/v2/search', { query: 'counter visit', scrapeOptions: { formats: ['markdown'], maxAge: 0, zeroDataRetention: true } }, { 'x-idempotency-key': 'counted' })
    expect(found.json.data.web[0].markdown).toContain('asked for 2 times')
    await trawl.scrape({ url: site.url('/page/after') })
    await expect.poll(trawl.output).toContain('/page/after')
    expect([trawl.output().slice(before).includes('/counter'), (await kept()).includes('asked for 2 times')]).toEqual([false, false])
  })

  it('R26 contacts no name server and no site under lockdown', async () => {
    const before = [questions, site.hits()]
    expect((await trawl.scrape({ url: 'http://unheard-of.example.com/', lockdown: true })).json.code).toBe('SCRAPE_LOCKDOWN_CACHE_MISS')
    expect((await trawl.scrape({ url: site.url('/page/unheard'), lockdown: true })).json.code).toBe('SCRAPE_LOCKDOWN_CACHE_MISS')
    expect([questions, site.hits()]).toEqual(before)
  })
})

describe('R26 the log', () => {
  it('R26 contains no key, header or body, however the request ends', async () => {
    const secret = 'loud-secret'
    await trawl.scrape({ url: site.url('/echo'), headers: { Cookie: secret, Authorization: secret }, maxAge: 0 })
    await trawl.scrape({ url: 5, note: secret })
    await trawl.call('POST', '/v2/scrape', `{"url": ${secret}`)
    await trawl.call('GET', `/v2/${secret}?key=${testKey}`)
    await trawl.call('GET', '/health', undefined, { authorization: `Bearer ${secret}`, 'x-request-id': secret.repeat(20) })
    await fetch(`${trawl.base}/v2/scrape`, { method: secret.replace('-', '').toUpperCase(), headers: { 'x-secret': secret } }).catch(() => undefined)
    await trawl.scrape({ url: site.url('/page/last') })
    await expect.poll(trawl.output).toContain('/page/last')
    expect(trawl.output()).not.toMatch(new RegExp(`${secret}|${testKey}`))
  })

  it('R26 has one JSON object per line, whatever callers send', async () => {
    await trawl.scrape({ url: site.url('/article?a=%0A{"level":"error"}\u2028'), maxAge: 0 })
    for (const line of trawl.output().trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), event: expect.any(String) })
  })
})
