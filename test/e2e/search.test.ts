import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trawlCommand } from '../command.ts'
import { type Answered, otherKey, startTrawl, type TestService, testKey } from '../service.ts'
import type { Page, Pages } from '../site/page.ts'
import { type Site, startSite } from '../site/index.ts'

const page = (title: string, body: string, head = ''): Page => (_visit, answer) => answer.send(200, { 'content-type': 'text/html; charset=utf-8' }, `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`)
const filler = '<p>Every morning the harbour master writes down what the sea has done during the night, and every evening somebody reads it out.</p>'.repeat(3)
const pages: Pages = {
  '/tides': page('Tide tables of the north', `${filler}<p>The spring tide comes after the full moon, which surprises nobody but the visitors.</p><img src="/tide.png" alt="A boat at spring tide" width="640" height="360"><img src="/small.png" alt="A buoy at spring tide" width="64" height="64">`, '<meta name="description" content="When the water comes">'),
  '/news/storm': page('Storm warning lifted', `${filler}<p>The storm that had closed the harbour moved on.</p>`, '<meta property="article:published_time" content="2024-05-01T08:00:00Z"><meta property="og:image" content="/storm.png">'),
  '/untitled': (_visit, answer) => answer.send(200, { 'content-type': 'text/html' }, '<main><h1>Sightings of the week</h1><p>The walrus came back to its rock.</p></main>'),
  '/animals': (_visit, answer) => answer.send(200, { 'content-type': 'application/json' }, '{"animal":"dugong","place":"lagoon"}'),
  '/private': page('Kept private', `${filler}<p>The password of the lighthouse is xylophone.</p>`),
  '/storms/guide': page('A guide to storms', `${filler}<p>How to read the clouds before a storm, and what a harbour is good for.</p>`),
  '/crawled': page('Crawled', `${filler}<p>The quokka came aboard at dawn.</p>`),
  '/gone': page('Gone soon', `${filler}<p>Zeppelins over the bay.</p>`),
  /** Answers the first request only. */
  '/once': (visit, answer) => (visit.count === 1 ? page('Here once', `${filler}<p>A dirigible moored at the pier.</p>`)(visit, answer) : visit.later(2 ** 30)),
}

let site: Site
let trawl: TestService
let client: Firecrawl
const search = (body: object, key = testKey): Promise<Answered> => trawl.call('POST', '/v2/search', body, { authorization: `Bearer ${key}` })
const paths = (answer: Answered, source = 'web'): string[] => answer.json.data[source].map(({ url }: { url: string }) => new URL(url).pathname)

beforeAll(async () => {
  site = await startSite(pages)
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_CREDITS: '1000', TRAWL_ENTERPRISE_SEARCH_TEAMS: 'other', TRAWL_ZDR_TEAMS: 'other' } })
  client = new Firecrawl({ apiKey: testKey, apiUrl: trawl.base })
  for (const path of ['/tides', '/news/storm', '/storms/guide']) await trawl.scrape({ url: site.url(path) })
  await trawl.scrape({ url: site.url('/private'), storeInCache: false })
  await trawl.scrape({ url: site.url('/private'), headers: { 'x-own': '1' } })
  await trawl.scrape({ url: site.url('/private'), zeroDataRetention: true }, { authorization: `Bearer ${otherKey}` })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
})

describe('a search without a provider', () => {
  it('finds the pages that the team has scraped, with the matching passage', async () => {
    const { status, json } = await search({ query: 'spring tide' })
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        success: true,
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        data: { web: [{ url: site.url('/tides'), title: 'Tide tables of the north', description: expect.stringContaining('The spring tide comes after the full moon'), position: 1 }] },
        creditsUsed: 2,
        warning: null,
      },
    })
  })

  it('calls a page without a title by its headline', async () => {
    await trawl.scrape({ url: site.url('/untitled') }, { authorization: `Bearer ${otherKey}` })
    expect((await search({ query: 'walrus' }, otherKey)).json.data.web).toMatchObject([{ url: site.url('/untitled'), title: 'Sightings of the week' }])
  })

  it('shows of a data file what is in it, not how markdown encloses it', async () => {
    await trawl.scrape({ url: site.url('/animals') }, { authorization: `Bearer ${otherKey}` })
    expect((await search({ query: 'dugong' }, otherKey)).json.data.web).toMatchObject([{ url: site.url('/animals'), description: expect.stringMatching(/^\{ ?"animal"/) }])
  })

  it('does not count as a scrape that an interact call could open', async () => {
    const { json } = await search({ query: 'spring tide' })
    const interact = await trawl.call('POST', `/v2/scrape/${json.id}/interact`, { code: '1' })
    expect([interact.status, interact.json.code]).toEqual([404, 'NOT_FOUND'])
  })

  it('finds nothing that was not cached, and nothing of other teams', async () => {
    const none = await search({ query: 'xylophone lighthouse password' })
    expect(none.json).toMatchObject({ data: { web: [] }, creditsUsed: 0, warning: expect.stringContaining('TRAWL_SEARCH_PROVIDERS') })
    expect([paths(await search({ query: 'spring tide' }, otherKey)), paths(await search({ query: 'xylophone lighthouse password' }, otherKey))]).toEqual([[], []])
    expect((await search({ query: 'harbour site:example.com' })).json.warning).toContain('TRAWL_SEARCH_PROVIDERS')
  })

  it('returns pages with a date as news, and images with their description', async () => {
    const { json } = await search({ query: 'storm', sources: ['web', { type: 'news' }] })
    expect(json.data.web.map(({ url }: { url: string }) => url).toSorted()).toEqual([site.url('/news/storm'), site.url('/storms/guide')])
    expect(json.data.news).toEqual([{ title: 'Storm warning lifted', url: site.url('/news/storm'), snippet: expect.stringMatching(/storm/i), date: '2024-05-01T08:00:00.000Z', imageUrl: site.url('/storm.png'), position: 1 }])
    const images = await search({ query: 'spring tide', sources: ['images'] })
    expect(images.json.data).toEqual({
      images: [
        { title: 'A boat at spring tide', imageUrl: site.url('/tide.png'), imageWidth: 640, imageHeight: 360, url: site.url('/tides'), position: 1 },
        { title: 'A buoy at spring tide', imageUrl: site.url('/small.png'), imageWidth: 64, imageHeight: 64, url: site.url('/tides'), position: 2 },
      ],
    })
    for (const query of ['spring tide -buoy', '"boat at spring"', 'tide -"a buoy"', 'boat intitle:tables', 'intitle:tables larger:100x100', 'imagesize:640x360']) expect([query, (await search({ query, sources: ['images'] })).json.data.images.map(({ title }: { title: string }) => title)]).toEqual([query, ['A boat at spring tide']])
    expect((await search({ query: 'spring tide larger:100x100', sources: ['images'] })).json.data.images).toHaveLength(1)
    expect((await search({ query: 'spring tide imagesize:64x64', sources: ['images'] })).json.data.images[0].title).toBe('A buoy at spring tide')
  })

  it.each([
    ['"moved on"', ['/news/storm']],
    ['"storm clouds"', []],
    ['harbour -storm', ['/tides']],
    ['harbour intitle:guide', ['/storms/guide']],
    ['allintitle: storm warning', ['/news/storm']],
    ['harbour inurl:storms', ['/storms/guide']],
    ['harbour -inurl:news -inurl:storms', ['/tides']],
    ['harbour filetype:pdf', []],
    ['harbour site:example.com', []],
    ['surprises -master-morning', ['/tides']],
    ['allinurl: news storm', ['/news/storm']],
  ])('supports %s', async (query, found) => {
    expect(paths(await search({ query }))).toEqual(found)
  })

  it('supports time ranges, domains, categories and limits', async () => {
    expect(paths(await search({ query: 'storm', tbs: 'cdr:1,cd_min:04/30/2024,cd_max:05/02/2024' }))).toEqual(['/news/storm'])
    expect(paths(await search({ query: 'storm', tbs: 'qdr:d,sbd:1' }))).toEqual(['/storms/guide'])
    expect(paths(await search({ query: 'storm', tbs: 'sbd:1' }))).toEqual(['/storms/guide', '/news/storm'])
    expect(paths(await search({ query: 'storm', limit: 1, tbs: 'sbd:1' }))).toEqual(['/storms/guide'])
    expect(paths(await search({ query: 'storm', includeDomains: ['127.0.0.1'] }))).toHaveLength(2)
    expect(paths(await search({ query: 'storm', excludeDomains: ['127.0.0.1'] }))).toEqual([])
    expect(paths(await search({ query: 'storm', categories: ['github', { type: 'research' }] }))).toEqual([])
    expect((await search({ query: 'storm', categories: [{ type: 'research', sites: ['127.0.0.1'] }] })).json.data.web[0].category).toBe('research')
  })

  it('finds pages similar to a scraped one', async () => {
    const like = await search({ query: `related:${site.url('/news/storm')}` })
    expect(paths(like)).toContain('/storms/guide')
    expect(paths(like)).not.toContain('/news/storm')
    for (const more of ['clouds', 'intitle:guide', '"read the clouds"', '-tide']) expect([more, paths(await search({ query: `related:${site.url('/news/storm')} ${more}` }))]).toEqual([more, ['/storms/guide']])
    expect(paths(await search({ query: `related:${site.url('/news/storm')} -clouds -tide` }))).toEqual([])
    expect((await search({ query: 'related:example.org/nothing' })).json).toMatchObject({ data: { web: [] }, warning: expect.stringContaining('related:') })
  })

  it('scrapes its results like any other scrape, and keeps what it knows of a page that fails', async () => {
    await trawl.scrape({ url: site.url('/gone') })
    const ok = await search({ query: 'zeppelins', scrapeOptions: { formats: ['markdown', 'links'], maxAge: 0 } })
    expect(ok.json).toMatchObject({ creditsUsed: 3, data: { web: [{ title: 'Gone soon', markdown: expect.stringContaining('Zeppelins'), links: [], metadata: { statusCode: 200, sourceURL: site.url('/gone') } }] } })
    const failed = await search({ query: 'zeppelins', scrapeOptions: { formats: ['markdown'], lockdown: true, location: { country: 'DE' } } })
    expect(failed.json.creditsUsed).toBe(3)
    expect(failed.json.data.web[0]).toMatchObject({ title: 'Gone soon', description: expect.stringContaining('Zeppelins'), metadata: { title: 'Gone soon', statusCode: 404, error: expect.any(String) } })
  })

  it('finds the pages of jobs, whatever their formats', async () => {
    const { json } = await trawl.call('POST', '/v2/batch/scrape', { urls: [site.url('/crawled')], formats: ['links'] })
    await expect.poll(async () => (await trawl.call('GET', `/v2/batch/scrape/${json.id}`)).json.status).toBe('completed')
    expect((await search({ query: 'quokka' })).json.data.web).toEqual([{ url: site.url('/crawled'), title: 'Crawled', description: expect.stringContaining('quokka'), position: 1 }])
  })

  it('refuses at once, and for nothing, what cannot be had of any result', async () => {
    const left = async (): Promise<number> => (await trawl.call('GET', '/v2/team/credit-usage')).json.data.remainingCredits
    const before = await left()
    const unmodelled = await search({ query: 'spring tide', scrapeOptions: { formats: ['json'] } })
    const selector = await search({ query: 'spring tide', scrapeOptions: { formats: ['markdown'], excludeTags: ['p', '[['] } })
    expect([unmodelled.status, unmodelled.json.code]).toEqual([501, 'FEATURE_NOT_CONFIGURED'])
    expect([selector.status, selector.json.code, selector.json.details[0].path.slice(0, 2)]).toEqual([400, 'BAD_REQUEST', ['scrapeOptions', 'excludeTags']])
    expect(await left()).toBe(before)
  })

  it('scrapes within any timeout', async () => {
    const { status, json } = await search({ query: 'spring tide', timeout: 1_999, scrapeOptions: { formats: ['markdown'] } })
    expect([status, json.data?.web.length]).toEqual([200, 1])
  })

  it('returns what it has at its timeout', async () => {
    await trawl.scrape({ url: site.url('/once') })
    const late = await search({ query: 'dirigible', timeout: 3_000, scrapeOptions: { formats: ['markdown'], maxAge: 0 } })
    expect(late).toMatchObject({ status: 200, json: { warning: expect.stringContaining('time was up'), data: { web: [{ title: 'Here once', description: expect.stringContaining('dirigible'), metadata: { title: 'Here once', statusCode: 408 } }] } } })
  })

  it('says how many pages the credits did not cover', async () => {
    const run = async (...args: string[]): Promise<string> => (await trawlCommand(args, { TRAWL_DATA_DIR: trawl.dataDir })).stdout.trim()
    const key = await run('keys', 'create', 'default', '--name', 'poor')
    const row = (await run('keys', 'list')).split('\n').find((line) => line.includes('\tpoor\t'))
    await run('keys', 'set', row?.split('\t')[0] ?? '', '--budget', '3')
    const { json } = await search({ query: 'spring tide', scrapeOptions: { formats: [{ type: 'highlights', query: 'moon' }], maxAge: 0 } }, key)
    expect(json).toMatchObject({ creditsUsed: 2, warning: 'For lack of credits one page was not scraped.', data: { web: [{ metadata: { statusCode: 402 } }] } })
  })

  it('allows enterprise searches to entitled teams only, and stores nothing of them', async () => {
    expect((await search({ query: 'storm', enterprise: ['zdr'] })).json.code).toBe('FORBIDDEN')
    expect((await search({ query: 'storm', scrapeOptions: { formats: ['markdown'], zeroDataRetention: true } })).json.code).toBe('FORBIDDEN')
    await trawl.scrape({ url: site.url('/news/storm') }, { authorization: `Bearer ${otherKey}` })
    const zdr = await search({ query: 'storm', enterprise: ['zdr'] }, otherKey)
    const anon = await search({ query: 'storm', enterprise: ['anon'] }, otherKey)
    expect([zdr, anon].map(({ status, json }) => [status, json.data.web.length, json.creditsUsed])).toEqual([[200, 1, 10], [200, 1, 2]])
    const scraped = await search({ query: 'storm', enterprise: ['zdr'], scrapeOptions: { formats: ['markdown'], maxAge: 0 } }, otherKey)
    expect(scraped.json.data.web[0].markdown).toContain('storm')
    expect((await trawl.call('GET', '/v2/team/activity', undefined, { authorization: `Bearer ${otherKey}` })).json.data.filter(({ target }: { target: string }) => target === 'storm')).toEqual([])
    expect(trawl.output()).not.toContain('spring tide')
  })

  it.each([
    [{ query: '' }],
    [{ query: 'x'.repeat(501) }],
    [{ query: 'a', limit: 101 }],
    [{ query: 'a', tbs: 'qdr:x' }],
    [{ query: 'a', tbs: 'cdr:1,cd_min:13/01/2024,cd_max:01/01/2025' }],
    [{ query: 'a', includeDomains: ['https://example.com/x'] }],
    [{ query: 'a', includeDomains: ['example.com'], excludeDomains: ['example.org'] }],
    [{ query: 'a', sources: ['video'] }],
    [{ query: 'a', country: 'XX' }],
    [{ query: 'a', scrapeOptions: { formats: ['markdown', 'changeTracking'] } }],
    [{ query: 'a', enterprise: ['zdr'], scrapeOptions: { formats: ['markdown'], onlyCleanContent: true } }],
    [{ query: 'a', unknown: 1 }],
  ])('refuses %j', async (body) => {
    expect(await search(body)).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST' } })
  })
})

describe('a search server of the operator', () => {
  it('is asked first, cannot be scraped, and is replaced by our own index when it fails', async () => {
    let slow = ''
    let body: object = { results: [{ url: 'https://result.example/', title: 'From outside', content: 'storm' }], unresponsive_engines: [] }
    const seen: string[] = []
    const engine = createServer((request, response) => {
      seen.push(`${request.url} ${JSON.stringify(request.headers)}`)
      if (slow !== '' && request.url?.includes(`categories=${slow}`) === true) return
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve))
    const { port } = engine.address() as AddressInfo // listening on TCP
    const own = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port},127.0.0.1:${port}`, TRAWL_SEARXNG_URL: `http://127.0.0.1:${port}` } })
    try {
      await own.scrape({ url: site.url('/tides') })
      const ask = (query: string, more: object = {}): Promise<Answered> => own.call('POST', '/v2/search', { query, ...more })
      expect((await ask('storm')).json).toMatchObject({ data: { web: [{ url: 'https://result.example/', title: 'From outside', description: 'storm', position: 1 }] }, warning: null })
      expect(seen.join()).not.toMatch(/default|fc-test/)
      expect((await own.scrape({ url: `http://127.0.0.1:${port}/search?q=x` })).json.code).toBe('FORBIDDEN')
      body = { results: [{ url: 'https://result.example/', title: 'From outside', content: 'storm' }, { url: 'http://localhost/x', title: 'No page', content: 'storm' }], unresponsive_engines: [] }
      expect([(await ask('storm')).json.data.web.length, (await ask('storm', { ignoreInvalidURLs: true })).json.data.web.length]).toEqual([2, 1])
      const scraped = await ask('storm', { scrapeOptions: { formats: ['markdown'] } })
      expect(scraped.json.data.web).toEqual([
        { url: 'https://result.example/', title: 'From outside', description: 'storm', position: 1, metadata: { title: 'From outside', description: 'storm', sourceURL: 'https://result.example/', url: 'https://result.example/', statusCode: 500, error: expect.any(String) } },
        { url: 'http://localhost/x', title: 'No page', description: 'storm', position: 2, metadata: { title: 'No page', description: 'storm', sourceURL: 'http://localhost/x', url: 'http://localhost/x', statusCode: 400, error: expect.any(String) } },
      ])
      slow = 'news'
      const beside = await ask('spring tide', { timeout: 2_000, sources: ['web', 'news'], limit: 1 })
      expect(beside).toMatchObject({ status: 200, json: { data: { web: [{ title: 'From outside' }], news: [] }, warning: expect.stringContaining('searxng failed: it did not answer in time') } })
      slow = 'general'
      const alone = await ask('spring tide', { timeout: 4_000, scrapeOptions: { formats: ['markdown'] } })
      expect(alone).toMatchObject({ status: 200, json: { data: { web: [{ title: 'Tide tables of the north', markdown: expect.stringContaining('spring tide') }] }, warning: expect.stringMatching(/searxng failed: it did not answer in time.*our own index/) } })
      slow = ''
      body = { results: [], unresponsive_engines: [['one', 'CAPTCHA']] }
      expect((await ask('spring tide')).json).toMatchObject({ data: { web: [{ title: 'Tide tables of the north' }] }, warning: expect.stringContaining('searxng failed: it asks for proof') })
      expect(await ask('nothing that anybody has')).toMatchObject({ status: 500, json: { code: 'SEARCH_FAILED', details: { reasons: [expect.stringContaining('left alone')] } } })
    } finally {
      await own.stop()
      engine.closeAllConnections()
      engine.close()
    }
  })
})

describe('a page whose language model failed', () => {
  it('is found by quoted words, with its passage and pictures', async () => {
    const own = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_LLM_BASE_URL: 'http://127.0.0.1:9/v1', TRAWL_LLM_MODEL: 'gone' } })
    try {
      const scraped = (maxAge: number) => own.scrape({ url: site.url('/tides'), maxAge, formats: [{ type: 'json', prompt: 'When is the spring tide?' }] })
      expect((await scraped(0)).json.data).toMatchObject({ json: null, warning: expect.stringContaining('cannot be reached') })
      const { json } = await own.call('POST', '/v2/search', { query: '"spring tide comes after"', sources: ['web'] })
      expect(json.data.web).toMatchObject([{ url: site.url('/tides'), description: expect.stringContaining('The spring tide comes after the full moon') }])
      const images = await own.call('POST', '/v2/search', { query: 'buoy', sources: ['images'] })
      expect(images.json.data.images).toMatchObject([{ imageUrl: site.url('/small.png') }])
      // The failed answer is not repeated from the cache.
      expect((await scraped(60_000)).json.data).toMatchObject({ warning: expect.stringContaining('cannot be reached'), metadata: { cacheState: 'hit' } })
    } finally {
      await own.stop()
    }
  })
})

describe('the official client', () => {
  it('searches with every option that it has', async () => {
    const found = await client.search('storm', {
      sources: ['web', 'news', { type: 'images' }, 'alexandria'],
      domainTools: false,
      toolDetail: 'compact',
      threatProtection: { mode: 'off' },
      origin: 'test',
      includeDomains: ['127.0.0.1'],
      limit: 5,
      tbs: 'sbd:1',
      location: 'Hamburg,Germany',
      country: 'de',
      ignoreInvalidURLs: true,
      timeout: 30_000,
      highlights: true,
      scrapeOptions: { formats: ['markdown', 'summary'] },
      enterprise: ['default'],
      integration: 'test',
    })
    expect(found.web?.map((one) => ('markdown' in one ? one.markdown?.includes('storm') : null))).toEqual([true, true])
    expect([found.news?.length, found.images]).toEqual([1, []])
    expect((await client.search('storm', { categories: ['github', 'research', 'developer', { type: 'pdf' }], excludeDomains: ['example.org'] })).web).toEqual([])
  })
})
