import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Firecrawl } from 'firecrawl'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startProxy, type TestProxy } from '../proxy.ts'
import { environmentOf, startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let other: Site
let [basic, german, stealth]: TestProxy[] = []
let proxied: TestService
let plain: TestService
let client: Firecrawl

const proxy = (one: TestProxy | undefined): TestProxy => {
  if (one === undefined) throw new Error('not started')
  return one
}

const open = { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1' }
const settings = () => ({
  ...open,
  TRAWL_PROXY_BASIC: `http://me:s3cret@127.0.0.1:${proxy(basic).port},http://127.0.0.1:${proxy(german).port}#country=DE`,
  TRAWL_PROXY_ENHANCED: `http://you:hidden@127.0.0.1:${proxy(stealth).port}`,
})

beforeAll(async () => {
  ;[site, other, basic, german, stealth] = await Promise.all([startSite(), startSite(), startProxy({ from: '127.0.0.3' }), startProxy({ from: '127.0.0.4' }), startProxy({ from: '127.0.0.2' })])
  ;[proxied, plain] = await Promise.all([startTrawl({ settings: settings() }), startTrawl({ settings: open })])
  client = new Firecrawl({ apiKey: testKey, apiUrl: proxied.base })
})
afterAll(async () => {
  await Promise.all([proxied.stop(), plain.stop()])
  await Promise.all([site, other].map((one) => one.close()))
  await Promise.all([basic, german, stealth].map((one) => proxy(one).close()))
})
afterEach(() => {
  for (const one of [basic, german, stealth].map(proxy)) {
    one.reset()
    one.manner = 'work'
  }
  site.reset()
})

async function scraped(service: TestService, body: object) {
  const { status, json } = await service.scrape({ maxAge: 0, explain: true, ...body })
  expect([status, json.code]).toEqual([200, undefined])
  const { markdown, warning, explain, metadata } = json.data
  return { marked: markdown.includes('MARK'), warning, tried: explain.tried.map(({ ms: _ms, ...one }: { ms: number }) => one), reason: explain.reason, paid: [metadata.proxyUsed, metadata.creditsUsed], verdict: metadata.verdict }
}

const asked = () => [basic, german, stealth].map((one) => proxy(one).targets.length)

describe('proxies of the operator', () => {
  it('fetch pages of the basic tier, chosen by country, and the page sees nothing of the proxy', async () => {
    const url = site.url('/echo')
    expect((await scraped(proxied, { url, proxy: 'basic' })).paid).toEqual(['basic', 1])
    expect([site.lastRequest('/echo')?.from, asked(), proxy(basic).authorizations]).toEqual(['127.0.0.3', [1, 0, 0], [`Basic ${btoa('me:s3cret')}`]])
    expect(JSON.stringify(site.lastRequest('/echo')?.rawHeaders)).not.toMatch(/proxy|s3cret/i)
    expect((await scraped(proxied, { url, location: { country: 'DE' } })).warning).toBeUndefined()
    expect(site.lastRequest('/echo')?.from).toBe('127.0.0.4')
    expect((await scraped(proxied, { url, location: { country: 'FR' } })).warning).toBe('No proxy of that country (FR) is configured; the page was fetched from elsewhere.')
    expect(site.lastRequest('/echo')?.from).toBe('127.0.0.3')
    expect((await scraped(plain, { url, location: { country: 'FR' } })).warning).toBeUndefined()
  })

  it('of the enhanced tier are used at once on request, for five credits', async () => {
    for (const name of ['enhanced', 'stealth']) {
      site.reset()
      expect(await scraped(proxied, { url: site.url('/walls/address'), proxy: name })).toMatchObject({ marked: true, paid: ['stealth', 5], tried: [{ engine: 'http', outcome: 'captured', proxy: 'enhanced' }] })
      expect(site.hits('/walls/address')).toBe(1)
    }
  })

  it('of the enhanced tier fetch what the basic ones cannot, in automatic mode', async () => {
    expect(await scraped(proxied, { url: site.url('/walls/address?cut') })).toMatchObject({
      marked: true,
      paid: ['stealth', 5],
      reason: 'the site does not answer as a web server should: the enhanced tier',
      tried: [{ engine: 'http', outcome: 'SCRAPE_SITE_ERROR' }, { engine: 'http', outcome: 'captured', proxy: 'enhanced' }],
    })
    const { tried, ...rest } = await scraped(proxied, { url: site.url('/walls/address') })
    expect(rest).toMatchObject({ marked: true, verdict: 'ok', paid: ['stealth', 5], reason: 'the page is a challenge: the enhanced tier' })
    expect(tried.at(-1)).toEqual({ engine: 'http', outcome: 'captured', proxy: 'enhanced' })
    const basicOnly = await proxied.scrape({ url: site.url('/walls/address'), proxy: 'basic', maxAge: 0 })
    expect(basicOnly.json.data.metadata).toMatchObject({ verdict: 'challenge', proxyUsed: 'basic', creditsUsed: 0 })
  })

  it('of the enhanced tier are tried once, and the first result stands if they fail', async () => {
    const answer = await scraped(proxied, { url: site.url('/walls/refused?server=cloudflare') })
    expect(answer).toMatchObject({ paid: ['basic', 1], tried: [{ engine: 'http', outcome: 'captured' }, { engine: 'http', outcome: 'the site refused with status 403', proxy: 'enhanced' }] })
    expect(site.requests().map(({ from }) => from)).toEqual(['127.0.0.3', '127.0.0.2'])
    proxy(stealth).manner = 407
    expect(await scraped(proxied, { url: other.url('/walls/refused?server=cloudflare&status=429') })).toMatchObject({ paid: ['basic', 1], tried: [{ engine: 'http', outcome: 'captured' }, { engine: 'http', outcome: 'SCRAPE_PROXY_SELECTION_ERROR', proxy: 'enhanced' }] })
    expect((await proxied.scrape({ url: site.url('/fault/closed'), maxAge: 0 })).json).toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
  })

  it('of the enhanced tier are only used if the team can pay for it', async () => {
    const poor = await startTrawl({ settings: { ...settings(), TRAWL_CREDITS: '4' } })
    try {
      expect((await poor.scrape({ url: site.url('/walls/address?cut'), maxAge: 0 })).json.code).toBe('SCRAPE_SITE_ERROR')
      expect((await poor.scrape({ url: site.url('/walls/address'), proxy: 'enhanced' })).status).toBe(402)
      expect(site.requests().map(({ from }) => from)).toEqual(['127.0.0.3'])
      expect((await poor.scrape({ url: site.url('/article'), maxAge: 0 })).json.data.metadata.creditsUsed).toBe(1)
    } finally {
      await poor.stop()
    }
  })

  it('cost nothing when the cache answers', async () => {
    const url = site.url('/walls/address?cut&cached')
    expect((await proxied.scrape({ url })).json.data.metadata).toMatchObject({ cacheState: 'miss', proxyUsed: 'stealth', creditsUsed: 5 })
    expect((await proxied.scrape({ url })).json.data.metadata).toMatchObject({ cacheState: 'hit', proxyUsed: 'stealth', creditsUsed: 1 })
  })

  it('are not used after failures that are no refusal', async () => {
    expect(await scraped(proxied, { url: site.url('/walls/refused') })).toMatchObject({ paid: ['basic', 1], tried: [{ engine: 'http', outcome: 'captured' }] })
    expect(site.requests().map(({ from }) => from)).toEqual(['127.0.0.3'])
  })

  it('are never page targets, and never asked for addresses that pages may not reach', async () => {
    for (const url of [`http://127.0.0.1:${proxy(basic).port}/`, 'http://10.0.0.1/', 'http://[::ffff:10.0.0.1]/']) {
      expect((await proxied.scrape({ url, maxAge: 0 })).json.code).toBe('FORBIDDEN')
    }
    expect(asked()).toEqual([0, 0, 0])
  })

  it.each([[{ proxy: 'enhanced' }, '127.0.0.2'], [{ proxy: 'basic', location: { country: 'DE' } }, '127.0.0.4']])('fetch robots.txt and sitemaps of a crawl like its pages: %j', async (scrapeOptions, from) => {
    const { json } = await proxied.call('POST', '/v2/crawl', { url: site.url('/article'), limit: 2, sitemap: 'only', scrapeOptions: { ...scrapeOptions, maxAge: 0 } })
    await expect.poll(async () => (await proxied.call('GET', `/v2/crawl/${json.id}`)).json.status, { timeout: 20_000 }).toBe('completed')
    const requests = site.requests()
    expect(requests.map(({ path }) => path)).toEqual(expect.arrayContaining(['/robots.txt', '/sitemap.xml', '/article']))
    expect([...new Set(requests.map((request) => request.from))]).toEqual([from])
  })

  it('are honoured by the official client', async () => {
    const document = await client.scrape(site.url('/walls/address'), { proxy: 'stealth', maxAge: 0 })
    expect([document.metadata?.['proxyUsed'], document.metadata?.creditsUsed, document.markdown?.includes('MARK')]).toEqual(['stealth', 5, true])
    const cheap = await client.scrape(site.url('/article'), { proxy: 'basic', location: { country: 'DE' }, maxAge: 0 })
    expect([cheap.metadata?.['proxyUsed'], site.lastRequest('/article')?.from]).toEqual(['basic', '127.0.0.4'])
  })

  it('leave no credentials in the log', () => {
    expect(proxied.output()).not.toMatch(/s3cret|hidden/)
  })

  it('stop the start if they are invalid, without revealing their text', () => {
    const bin = fileURLToPath(new URL('../../bin/trawl.js', import.meta.url))
    const ended = spawnSync(process.execPath, [bin, 'serve'], { env: environmentOf({ TRAWL_PORT: '0', TRAWL_PROXY_BASIC: 'http://ok.test:1,socks5://u:s3cret@p:1' }), encoding: 'utf8' })
    expect([ended.status === 0, ended.stderr.trim()]).toEqual([false, 'TRAWL_PROXY_BASIC cannot be used: entry 2 is not of the form http://user:pass@host:port#country=DE.'])
  })

  it('are shown masked', () => {
    const bin = fileURLToPath(new URL('../../bin/trawl.js', import.meta.url))
    const { stdout } = spawnSync(process.execPath, [bin, 'config'], { env: environmentOf({ TRAWL_PROXY_BASIC: 'http://u:s3cret@p:1' }), encoding: 'utf8' })
    expect(stdout).toContain('TRAWL_PROXY_BASIC=********\n')
  })
})

describe('pages in a browser', () => {
  it('use the proxy of their tier for everything that they fetch', async () => {
    await scraped(proxied, { url: site.url('/scripts/fetched'), proxy: 'basic', waitFor: 1 })
    expect([...new Set(site.requests().map(({ from }) => from))]).toEqual(['127.0.0.3'])
    site.reset()
    expect((await scraped(proxied, { url: site.url('/scripts/fetched'), proxy: 'enhanced', waitFor: 1 })).paid).toEqual(['stealth', 5])
    expect([...new Set(site.requests().map(({ from }) => from))]).toEqual(['127.0.0.2'])
  })

  it('report a failing proxy as other scrapes do', async () => {
    proxy(german).manner = 407
    const actions = [{ type: 'wait', milliseconds: 1 }]
    for (const wish of [{ url: site.url('/article'), actions }, { url: 'https://127.0.0.1:8443/', waitFor: 1 }]) {
      const { status, json } = await proxied.scrape({ ...wish, proxy: 'basic', location: { country: 'DE' }, maxAge: 0 })
      expect([status, json.code]).toEqual([500, 'SCRAPE_PROXY_SELECTION_ERROR'])
    }
  })
})

describe('the enhanced tier without proxies of its own', () => {
  const basicTry = { engine: 'browser', outcome: 'captured' }
  const enhancedTry = { engine: 'browser', outcome: 'captured', proxy: 'enhanced' }

  it.each(['enhanced', 'stealth'])('renders pages that refuse automated browsers: %s', async (name) => {
    expect(await scraped(plain, { url: site.url('/walls/driver'), proxy: name })).toMatchObject({ marked: true, verdict: 'ok', paid: ['stealth', 5], tried: [enhancedTry], reason: 'asked for: enhanced-proxy' })
    expect(await scraped(plain, { url: site.url('/walls/driver'), proxy: 'basic' })).toMatchObject({ verdict: 'challenge', paid: ['basic', 0] })
  })

  it('is tried after HTTP and the basic browser in automatic mode, and costs five credits if it helps', async () => {
    const { tried, ...rest } = await scraped(plain, { url: site.url('/walls/driver') })
    expect(rest).toMatchObject({ marked: true, verdict: 'ok', paid: ['stealth', 5], reason: 'the page is a challenge: the enhanced tier' })
    expect([tried.slice(1), tried[0].engine, site.hits('/walls/driver')]).toEqual([[basicTry, enhancedTry], 'http', 3])
  })

  it('is not tried where a browser does not help, and never twice', async () => {
    const challenge = await scraped(plain, { url: site.url('/walls/captcha') })
    expect([challenge.paid, challenge.tried.map(({ engine, proxy: tier }: { engine: string; proxy?: string }) => [engine, tier])]).toEqual([['basic', 0], [['http', undefined], ['browser', undefined], ['browser', 'enhanced']]])
    const refused = await scraped(plain, { url: site.url('/walls/refused?server=cloudflare'), waitFor: 1 })
    expect([refused.paid, refused.tried]).toEqual([['basic', 1], [basicTry]])
    const cut = await plain.scrape({ url: site.url('/fault/closed'), waitFor: 1, maxAge: 0 })
    expect(cut.json).toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
  })

  it('connects through the proxies of the basic tier', async () => {
    const half = await startTrawl({ settings: { ...open, TRAWL_PROXY_BASIC: `http://127.0.0.1:${proxy(german).port}` } })
    try {
      expect((await scraped(half, { url: site.url('/walls/driver'), proxy: 'enhanced' })).paid).toEqual(['stealth', 5])
      expect(site.requests().map(({ from }) => from)).toEqual(['127.0.0.4'])
    } finally {
      await half.stop()
    }
  })

  it('requires a browser', async () => {
    const bare = await startTrawl({ settings: { ...open, TRAWL_CHROMIUM_PATH: '/nowhere/chromium' } })
    const remote = await startTrawl({ settings: { ...open, TRAWL_CDP_URL: 'http://127.0.0.1:9' } })
    try {
      const none = await bare.scrape({ url: site.url('/article'), proxy: 'enhanced' })
      expect([none.status, none.json.code]).toEqual([503, 'BROWSER_NOT_CONFIGURED'])
      const { tried, verdict } = await scraped(bare, { url: site.url('/walls/driver') })
      expect([verdict, tried.map(({ outcome }: { outcome: string }) => outcome)]).toEqual(['challenge', [expect.any(String), 'BROWSER_NOT_CONFIGURED']])
      const foreign = await remote.scrape({ url: site.url('/article'), proxy: 'enhanced' })
      expect([foreign.status, foreign.json.code]).toEqual([500, 'SCRAPE_ALL_ENGINES_FAILED'])
    } finally {
      await Promise.all([bare.stop(), remote.stop()])
    }
  })

  it('takes screenshots, emulates a phone and reads files', async () => {
    const shot = await plain.scrape({ url: site.url('/walls/driver'), proxy: 'enhanced', mobile: true, formats: ['markdown', { type: 'screenshot', fullPage: true }], maxAge: 0 })
    expect(shot.json.data).toMatchObject({ markdown: expect.stringContaining('MARK'), screenshot: expect.stringMatching(/\.png$/), metadata: { proxyUsed: 'stealth', creditsUsed: 5 } })
    expect(site.lastRequest('/walls/driver')?.headers['sec-ch-ua-mobile']).toBe('?1')
    const file = await plain.scrape({ url: site.url('/files/doc.pdf'), proxy: 'enhanced', maxAge: 0 })
    expect(file.json.data).toMatchObject({ metadata: { numPages: expect.any(Number), proxyUsed: 'stealth' } })
  })

  it('is available to the official client', async () => {
    const own = new Firecrawl({ apiKey: testKey, apiUrl: plain.base })
    for (const name of ['enhanced', 'stealth', 'auto'] as const) {
      const { metadata, markdown } = await own.scrape(site.url('/walls/driver'), { proxy: name, maxAge: 0 })
      expect([metadata?.['proxyUsed'], metadata?.creditsUsed, markdown?.includes('MARK')]).toEqual(['stealth', 5, true])
    }
  })
})
