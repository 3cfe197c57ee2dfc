import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answered, startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let trawl: TestService

beforeAll(async () => {
  site = await startSite()
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_ZDR_TEAMS: '*' } })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
})
beforeEach(() => site.reset())

const data = async (body: object): Promise<Answered['json']> => {
  const answer = await trawl.scrape({ maxAge: 0, explain: true, ...body })
  expect(answer.text).toContain('"success":true')
  return answer.json.data
}
const bytesOf = async (url: string): Promise<{ type: string | null; bytes: Buffer; headers: Headers }> => {
  const answer = await fetch(url)
  expect(answer.status).toBe(200)
  return { type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()), headers: answer.headers }
}

describe('the choice of an engine', () => {
  it('starts no browser for pages that need none', async () => {
    for (const path of ['/article', '/rich/meta', '/status/404', '/files/data.json', '/soft-404', '/walls/login']) {
      expect((await data({ url: site.url(path) })).explain.engine).toBe('http')
    }
    expect(trawl.output()).not.toContain('browser-started')
  })

  it('renders a page that is empty without its scripts, and says why', async () => {
    const { markdown, explain, metadata } = await data({ url: site.url('/scripts/fetched') })
    expect(explain).toMatchObject({ engine: 'browser', reason: 'the page is an empty shell', tried: [{ engine: 'http', outcome: 'the page is an empty shell' }, { engine: 'browser', outcome: 'captured' }] })
    expect(markdown).toContain('MARK')
    expect(metadata).toMatchObject({ verdict: 'ok', statusCode: 200, creditsUsed: 1 })
  })

  it('follows a page that redirects its visitors, even if a crawl has stored that page', async () => {
    const job = await trawl.call('POST', '/v2/crawl', { url: site.url('/redirect/stub'), maxDiscoveryDepth: 0, sitemap: 'skip' })
    await expect.poll(async () => (await trawl.call('GET', `/v2/crawl/${job.json.id}`)).json.status, { timeout: 10_000 }).toBe('completed')
    for (const path of ['/redirect/stub', '/redirect/meta-refresh', '/redirect/refresh-header', '/redirect/refresh-empty']) {
      const { markdown, metadata, explain } = await data({ url: site.url(path), maxAge: 3_600_000 })
      expect([metadata.url, explain.reason]).toEqual([site.url('/redirect/landing'), 'the page sends its visitors on'])
      expect(markdown).toContain('You have arrived')
    }
  })

  it.each(['/fault/truncated', '/fault/truncated-chunk'])('reports that a page broke off in the browser, too, and does not cache it: %s', async (path) => {
    for (const cached of [false, true]) {
      const { markdown, warning, explain } = await data({ url: site.url(path), ...(cached ? { maxAge: 3_600_000 } : {}), waitFor: 1 })
      expect([markdown, warning, explain.cache]).toEqual([path === '/fault/truncated' ? expect.stringContaining('Cut short') : expect.any(String), expect.stringContaining('broke off'), cached ? 'miss' : expect.any(String)])
    }
  })

  it('waits for as long as half of a short time limit', async () => {
    await data({ url: site.url('/article'), waitFor: 1 }) // starts the browser
    const { warning, explain } = await data({ url: site.url('/article'), waitFor: 2_000, timeout: 4_000 })
    expect(warning).toBeUndefined()
    expect(explain.tried[0].ms).toBeGreaterThan(2_000)
  })

  it('says when the time limit cut a wait short, and does not cache that page', async () => {
    for (let i = 0; i < 2; i++) {
      const { warning, explain } = await data({ url: site.url('/slow/headers?ms=1500'), maxAge: 3_600_000, waitFor: 1_500, timeout: 3_000 })
      expect([warning, explain.cache]).toEqual([expect.stringMatching(/^waitFor: the page was read after \d+ of 1500 milliseconds/), 'miss'])
    }
  })

  it.each([['/redirect/without-location', 302], ['/redirect/choices', 300]])('reports the status of a redirect without a target: %s', async (path, status) => {
    for (const waitFor of [0, 1]) {
      const { markdown, metadata, explain } = await data({ url: site.url(path), waitFor })
      expect([explain.engine, metadata.statusCode, metadata.url, markdown]).toEqual([waitFor === 0 ? 'http' : 'browser', status, site.url(path), expect.stringContaining('nobody says')])
    }
  })

  it('gives up on a page that reloads itself endlessly after a few times', async () => {
    const { metadata, warning } = await data({ url: site.url('/redirect/reload') })
    expect([metadata.verdict, warning]).toEqual(['empty', expect.stringContaining('rendering it failed (SCRAPE_SITE_ERROR)')])
    expect(site.hits('/redirect/reload')).toBeGreaterThan(20)
    expect(site.hits('/redirect/reload')).toBeLessThan(40)
  })

  it('detects a challenge that shows nothing in a browser', async () => {
    const { metadata, explain } = await data({ url: site.url('/walls/silent') })
    expect([metadata.verdict, explain.tried.some(({ engine }: { engine: string }) => engine === 'browser')]).toEqual(['challenge', true])
  })

  it('shows declarative shadow trees over HTTP as the browser does', async () => {
    const url = site.url('/scripts/declared-shadow')
    const [plain, rendered] = [await data({ url, formats: ['markdown', 'links'], onlyMainContent: false }), await data({ url, formats: ['markdown', 'links'], onlyMainContent: false, waitFor: 100 })]
    expect([plain.explain.engine, rendered.explain.engine]).toEqual(['http', 'browser'])
    expect(plain.markdown).toMatch(/^## Declared shadow MARK\n\n[^#]+\n\nSigned: nobody MARK\n\nPlain host MARK\. \[Onward\]\(\S+\/articles\/1\)\n?$/)
    expect([plain.markdown, plain.links]).toEqual([rendered.markdown, rendered.links])
  })

  it('returns a page without those of its frames that no browser shows', async () => {
    const { markdown, metadata } = await data({ url: site.url('/scripts/frames/broken'), waitFor: 300 })
    expect([markdown, metadata.statusCode]).toEqual(['# Around frames MARK\n', 200])
  })

  it('reports the error of a page that forwards to where nobody answers', async () => {
    const { status, json } = await trawl.scrape({ url: site.url('/scripts/goes-nowhere'), maxAge: 0, waitFor: 1_000 })
    expect([status, json.code, json.error]).toEqual([500, 'SCRAPE_SITE_ERROR', 'The page leads to an address that cannot be reached, or is not allowed.'])
  })

  it('returns the page as fetched, with a warning, when no browser is available', async () => {
    const bare = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_CHROMIUM_PATH: '/nowhere/chromium' } })
    try {
      const answer = await bare.scrape({ url: site.url('/scripts/fetched'), maxAge: 0 })
      expect(answer.json.data.warning).toMatch(/may not be complete: the page is an empty shell, and no browser is set up \(trawl setup browser\)/)
      expect(answer.json.data.metadata.verdict).toBe('empty')
      const twice = async (path: string): Promise<unknown> => [await bare.scrape({ url: site.url(path) }), await bare.scrape({ url: site.url(path) })].map(({ json: { data: { metadata, warning } } }) => [metadata.verdict, metadata.cacheState, warning])
      // From the cache, it would be taken for the whole page.
      const incomplete = ['ok', 'miss', expect.stringContaining('may not be complete: the page demands scripts, and no browser is set up')]
      expect(await twice('/scripts/in-part')).toEqual([incomplete, incomplete])
      expect(await twice('/article')).toEqual([['ok', 'miss', undefined], ['ok', 'hit', undefined]])
      const asked = await bare.scrape({ url: site.url('/article'), formats: ['screenshot'] })
      expect([asked.status, asked.json.code]).toEqual([503, 'BROWSER_NOT_CONFIGURED'])
    } finally {
      await bare.stop()
    }
  })

  it('does not time out scrapes as slow pages when they waited for the browser all the time', async () => {
    const narrow = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_BROWSER_CONCURRENCY: '1' } })
    try {
      const placed = narrow.scrape({ url: site.url('/slow/never'), maxAge: 0, waitFor: 1, timeout: 14_000 })
      await expect.poll(() => site.hits('/slow/never'), { timeout: 12_000 }).toBe(1)
      const late = await Promise.all(Array.from({ length: 8 }, () => narrow.scrape({ url: site.url('/article'), maxAge: 0, waitFor: 1, timeout: 1500 })))
      expect(late.map(({ status, json }) => [status, json.code])).toEqual(late.map(() => [408, 'CONCURRENCY_QUEUE_TIMEOUT']))
      expect((await placed).json.code).toBe('SCRAPE_TIMEOUT')
    } finally {
      await narrow.stop()
    }
  }, 60_000)

  it('uses the browser at once after three similar pages that needed it', async () => {
    const engines = []
    for (let i = 0; i < 4; i++) engines.push((await data({ url: site.url(`/scripts/fetched?n=${i}`) })).explain.tried.map((one: { engine: string }) => one.engine).join('+'))
    expect(engines.at(-1)).toBe('browser')
  })

  it('omits invisible parts of a rendered page, also from the cache', async () => {
    const page = { url: site.url('/scripts/unseen'), waitFor: 1, onlyMainContent: false, maxAge: 60_000 }
    const { rawHtml } = await data({ ...page, formats: ['rawHtml'] })
    const { html, metadata } = await data({ ...page, formats: ['html'] })
    const ids = (text: string): readonly string[] => [...text.split('<script>')[0]?.matchAll(/ id="((?:un)?seen-[\w-]+)"/g) ?? []].map(([, id = '']) => id)
    expect([metadata.cacheState, ids(html)]).toEqual(['hit', ids(rawHtml).filter((id) => id.startsWith('seen-') && id !== 'seen-within')])
  })

  it('encodes the queries of links in the encoding of their page, rendered or not', async () => {
    const page = { url: site.url('/charset/query'), formats: ['markdown', 'links'] }
    for (const one of [page, { ...page, waitFor: 1 }]) {
      const { markdown, links } = await data(one)
      expect([markdown, links]).toEqual([expect.stringContaining('Привет'), [site.url('/search?q=%CF%F0%E8%E2%E5%F2')]])
    }
  })

  it('caches a rendered page', async () => {
    const url = site.url('/scripts/fetched?cached')
    await data({ url, maxAge: 60_000 })
    const hits = site.hits()
    const again = await data({ url, maxAge: 60_000, formats: ['markdown', 'links'] })
    expect(again.metadata.cacheState).toBe('hit')
    expect(again.markdown).toContain('MARK')
    expect(site.hits()).toBe(hits)
  })
})

describe('browser options', () => {
  it('waitFor adds to the waiting time', async () => {
    const started = performance.now()
    const { explain } = await data({ url: site.url('/article'), waitFor: 1200 })
    expect(performance.now() - started).toBeGreaterThan(1200)
    expect(explain).toMatchObject({ engine: 'browser', reason: 'asked for: javascript' })
  })

  it('mobile emulates a phone', async () => {
    await data({ url: site.url('/echo'), mobile: true })
    expect(site.lastRequest('/echo')?.headers).toMatchObject({ 'user-agent': expect.stringMatching(/Android.*Mobile/), 'sec-ch-ua-mobile': '?1' })
  })

  it('headers are sent to the site', async () => {
    await data({ url: site.url('/echo'), waitFor: 1, headers: { 'X-Tide': 'high' } })
    expect(site.lastRequest('/echo')?.headers['x-tide']).toBe('high')
  })
})

describe('a page that a browser should fetch but cannot', () => {
  const actions = [{ type: 'wait', milliseconds: 1 }]

  it.each([
    ['an address that is not allowed', 'https://10.0.0.1/', { waitFor: 1 }, 403, 'FORBIDDEN'],
    ['an address that is not allowed', 'http://10.0.0.1/', { actions }, 403, 'FORBIDDEN'],
    ['a name that nobody knows', 'https://nobody.invalid/', { waitFor: 1 }, 500, 'SCRAPE_DNS_RESOLUTION_ERROR'],
    ['a name that nobody knows', 'http://nobody.invalid/', { actions }, 500, 'SCRAPE_DNS_RESOLUTION_ERROR'],
  ])('fails as it does without a browser: %s, %s %j', async (_, url, wish, status, code) => {
    const answer = await trawl.scrape({ url, maxAge: 0, ...wish })
    expect([answer.status, answer.json.code]).toEqual([status, code])
  })

  it('is not reported as a file without actions when its site breaks off', async () => {
    const answer = await trawl.scrape({ url: site.url('/fault/closed'), maxAge: 0, actions })
    expect([answer.status, answer.json.code]).toEqual([500, 'SCRAPE_SITE_ERROR'])
    const file = await trawl.scrape({ url: site.url('/files/doc.pdf'), maxAge: 0, actions })
    expect([file.status, file.json.code]).toEqual([400, 'SCRAPE_ACTIONS_NOT_SUPPORTED'])
  })
})

describe('screenshots', () => {
  it('are served at an address of ours that needs no key', async () => {
    const { screenshot, markdown } = await data({ url: site.url('/article'), formats: ['markdown', 'screenshot'] })
    expect(screenshot).toMatch(new RegExp(`^${trawl.base}/v2/artifacts/[A-Za-z0-9_-]{32}\\.png$`))
    const { type, bytes, headers } = await bytesOf(screenshot)
    expect([type, bytes.subarray(1, 4).toString()]).toEqual(['image/png', 'PNG'])
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1280, 800])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(markdown).toContain('# How harbours measure the tide')
  })

  it('have the requested size and quality', async () => {
    const { screenshot } = await data({ url: site.url('/article'), formats: [{ type: 'screenshot', quality: 50, viewport: { width: 500, height: 400 } }] })
    const { type, bytes } = await bytesOf(screenshot)
    expect([type, bytes.readUInt16BE(0)]).toEqual(['image/jpeg', 0xffd8])
    const full = await data({ url: site.url('/links/all?count=2000'), formats: ['screenshot@fullPage'] })
    const png = (await bytesOf(full.screenshot)).bytes
    expect(png.readUInt32BE(20)).toBeGreaterThan(2000)
    expect(png.readUInt32BE(20)).toBeLessThanOrEqual(16_384)
  })

  it.each([
    ['/files/report.pdf', 'No picture is taken of a PDF: screenshot is left out.'],
    ['/scripts/json', 'No picture is taken of a file: screenshot is left out.'],
    ['/status/204', 'The site sent no page to be shown: screenshot is left out.'],
  ])('are reported as missing for %s, also from the cache', async (path, text) => {
    for (let n = 0; n < 2; n++) {
      const { screenshot, warning } = await data({ url: site.url(path), formats: ['markdown', 'screenshot'] })
      expect([screenshot, warning]).toEqual([undefined, expect.stringContaining(text)])
    }
    expect((await data({ url: site.url('/files/report.pdf') })).warning ?? '').not.toContain('screenshot')
  })

  it('are inline under zero retention', async () => {
    const { screenshot } = await data({ url: site.url('/article'), formats: ['screenshot'], zeroDataRetention: true })
    expect(screenshot).toMatch(/^data:image\/png;base64,iVBOR/)
  })

  it('have the host name by which the client reached the service', async () => {
    const answer = await trawl.scrape({ url: site.url('/article'), formats: ['screenshot'] }, { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'trawl.example' })
    expect(answer.json.data.screenshot).toMatch(/^https:\/\/trawl\.example\/v2\/artifacts\//)
  })
})

it('the official client takes screenshots, waits, emulates a phone and chooses a location', async () => {
  const client = new Firecrawl({ apiKey: testKey, apiUrl: trawl.base })
  const document = await client.scrape(site.url('/echo'), { formats: ['markdown', { type: 'screenshot', fullPage: true }], mobile: true, waitFor: 100, location: { country: 'DE', languages: ['de-DE'] }, proxy: 'basic', parsers: ['pdf'] })
  expect((await bytesOf(document.screenshot ?? '')).type).toBe('image/png')
  expect(site.lastRequest('/echo')?.headers).toMatchObject({ 'accept-language': expect.stringMatching(/^de-DE/), 'user-agent': expect.stringContaining('Android') })
})
