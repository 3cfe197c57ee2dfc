import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../domain/call.ts'
import type { Found, ProviderRequest, SearchProvider } from '../domain/search/search.ts'
import { parseQuery } from '../domain/search/search-query.ts'
import { nameResolver, operatorHttp, ownEndpoints } from '../net/index.ts'
import { brave, exa, googleCse, type Line, resultPage, resultPages, searxng, serper, tavily } from './index.ts'

/** One server that answers for every provider. */
let reply: { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown; readonly late?: boolean; readonly drop?: boolean } = { body: {} }
let seen: { url: URL; headers: IncomingMessage['headers']; body: unknown }[] = []
const server = createServer((request, response) => {
  let text = ''
  request.on('data', (piece) => (text += piece))
  request.on('end', () => {
    seen.push({ url: new URL(request.url ?? '/', 'http://x'), headers: request.headers, body: text === '' ? null : JSON.parse(text) })
    if (reply.late === true) return
    if (reply.drop === true) return void request.socket.destroy()
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
  })
})
const now = Date.UTC(2026, 10, 22)
const resolver = nameResolver({ servers: [], clock: { now: () => now } })
let line: Line
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening on TCP
  const base = new URL(`http://127.0.0.1:${port}`)
  line = { base, http: operatorHttp(base, { resolver, own: ownEndpoints() }), now: () => now }
})
afterEach(() => void (seen = []))
afterAll(() => {
  line.http.close()
  resolver.close()
  server.closeAllConnections()
  server.close()
})

const call = (signal = new AbortController().signal): Call => ({ id: 'i', team: 'secret-team', signal, deadline: now + 1_000, retention: 'normal', log: () => undefined })

const request = (more: Partial<ProviderRequest> & { readonly text?: string } = {}): ProviderRequest => {
  const { text = 'tide tables', ...rest } = more
  return { source: 'web', query: parseQuery(text), limit: 5, hosts: [], notHosts: [], files: [], country: null, location: null, language: null, safe: null, from: null, to: null, span: null, byDate: false, ...rest }
}

const page = { url: 'https://example.com/a', title: 'Tides & more', description: 'When the water comes', date: '2026-01-02', image: 'https://example.com/p.png', width: null, height: null }
const picture = { url: 'https://example.com/a', title: 'A boat', description: '', date: null, image: 'https://example.com/p.png', width: 640, height: 480 }

const asPage = ({ html = '', status = 200 }: { html?: string; status?: number }) => ({
  fetch: async () => ({ url: 'https://x/', status, headers: [], body: Buffer.from(html), truncated: false, tlsVerified: true }),
  close: async () => undefined,
})

interface Case {
  readonly make: () => SearchProvider
  readonly web: unknown
  readonly news?: unknown
  readonly images?: unknown
  /** The fields of a page that the provider does not return. */
  readonly lacks: Partial<Found>
  readonly lacksOfPicture?: Partial<Found>
  readonly nothing: unknown
}

const cases: Readonly<Record<string, Case>> = {
  searxng: {
    make: () => searxng(line),
    web: { results: [{ url: page.url, title: 'Tides &amp; more', content: page.description, publishedDate: page.date, img_src: page.image }, { title: 'no address' }], unresponsive_engines: [['other', 'timeout']] },
    images: { results: [{ url: picture.url, title: picture.title, img_src: '//example.com/p.png', resolution: '640 x 480' }] },
    lacks: {},
    nothing: { results: [], unresponsive_engines: [] },
  },
  brave: {
    make: () => brave(line, 'k'),
    web: { web: { results: [{ url: page.url, title: 'Tides &amp; <strong>more</strong>', description: page.description, page_age: page.date, thumbnail: { src: page.image } }] } },
    news: { results: [{ url: page.url, title: page.title, description: page.description, age: page.date, thumbnail: { src: page.image } }] },
    images: { results: [{ url: picture.url, title: picture.title, properties: { url: picture.image, width: 640, height: 480 } }] },
    lacks: {},
    nothing: { type: 'search' },
  },
  serper: {
    make: () => serper(line, 'k'),
    web: { organic: [{ link: page.url, title: page.title, snippet: page.description, date: page.date, imageUrl: page.image, position: 1 }] },
    news: { news: [{ link: page.url, title: page.title, snippet: page.description, date: page.date, imageUrl: page.image }] },
    images: { images: [{ link: picture.url, title: picture.title, imageUrl: picture.image, imageWidth: 640, imageHeight: 480 }] },
    lacks: {},
    nothing: { organic: [] },
  },
  tavily: {
    make: () => tavily(line, 'k'),
    web: { results: [{ url: page.url, title: page.title, content: page.description, published_date: page.date, score: 0.9 }] },
    images: { results: [], images: [{ url: picture.image, description: picture.title }] },
    lacks: { image: null },
    lacksOfPicture: { url: picture.image, width: null, height: null },
    nothing: { results: [] },
  },
  exa: {
    make: () => exa(line, 'k'),
    web: { results: [{ url: page.url, title: page.title, highlights: [page.description], publishedDate: page.date, image: page.image }] },
    lacks: {},
    nothing: { results: [] },
  },
  google: {
    make: () => googleCse(line, 'k', 'cx'),
    web: { items: [{ link: page.url, title: page.title, snippet: page.description, pagemap: { cse_image: [{ src: page.image }], metatags: [{ 'article:published_time': page.date }] } }] },
    images: { items: [{ link: picture.image, title: picture.title, image: { contextLink: picture.url, width: 640, height: 480 } }] },
    lacks: {},
    nothing: { searchInformation: { totalResults: '0' } },
  },
}

describe.each(Object.entries(cases))('%s', (_name, { make, web, news = web, images, lacks, lacksOfPicture = {}, nothing }) => {
  it('returns pages, news and images in one form, as far as it has them', async () => {
    const provider = make()
    reply = { body: web }
    expect(await provider.search(request(), call())).toEqual([{ ...page, ...lacks }])
    if (provider.sources.has('news')) {
      reply = { body: news }
      expect(await provider.search(request({ source: 'news' }), call())).toEqual([{ ...page, ...lacks }])
    }
    expect(provider.sources.has('images')).toBe(images !== undefined)
    if (images !== undefined) {
      reply = { body: images }
      expect(await provider.search(request({ source: 'images' }), call())).toEqual([{ ...picture, ...lacksOfPicture }])
    }
  })

  it('returns nothing if there are no results', async () => {
    reply = { body: nothing }
    expect(await make().search(request(), call())).toEqual([])
  })

  it.each([
    [{ status: 429, headers: { 'retry-after': '90' }, body: {} }, { reason: 'limited', waitMs: 90_000 }],
    [{ status: 429, body: 'slow down' }, { reason: 'limited', waitMs: 60_000 }],
    [{ status: 401, body: {} }, { reason: 'refused' }],
    [{ status: 403, body: {} }, { reason: 'refused' }],
    [{ status: 500, body: {} }, { reason: 'broken' }],
    [{ status: 504, body: 'upstream timed out' }, { reason: 'late' }],
    [{ drop: true, body: {} }, { reason: 'broken' }],
    [{ status: 422, body: {} }, { reason: 'unfit' }],
    [{ status: 302, headers: { location: 'http://127.0.0.1/' }, body: {} }, { reason: 'broken' }],
    [{ status: 200, body: '<html>maintenance</html>' }, { reason: 'broken' }],
    [{ status: 200, body: '[1]' }, { reason: 'broken' }],
  ])('reports the fault of %j', async (answer, fault) => {
    reply = answer
    await expect(make().search(request(), call())).rejects.toMatchObject({ name: 'ProviderFault', ...fault })
  })

  it('treats answers of any shape as empty, and never reveals the user', async () => {
    for (const body of [{}, { results: 'none', web: [], organic: null, news: 5, items: {}, images: 'x' }, { results: [null, 5, { url: 7, link: [] }], web: { results: [[]] }, organic: [{}], items: [{ link: null }] }]) {
      reply = { body }
      expect(await make().search(request(), call())).toEqual([])
    }
    expect(JSON.stringify(seen.map(({ url, headers, body }) => [url.href, headers, body]))).not.toContain('secret-team')
  })

  it('aborts the request when nobody waits any more', async () => {
    reply = { body: {}, late: true }
    const stop = new AbortController()
    const asked = make().search(request(), call(stop.signal))
    stop.abort(new Error('gone'))
    await expect(asked).rejects.toThrow('gone')
  })
})

describe('an answer of a provider about our key', () => {
  it.each([
    ['brave', 422, { type: 'ErrorResponse', error: { id: 'x', status: 422, code: 'SUBSCRIPTION_TOKEN_INVALID', detail: 'The provided subscription token is invalid.', meta: { component: 'authentication' } } }, 'refused'],
    ['brave', 429, { type: 'ErrorResponse', error: { status: 429, code: 'RATE_LIMITED' } }, 'limited'],
    ['serper', 403, { message: 'Unauthorized.', statusCode: 403 }, 'refused'],
    ['serper', 400, { message: 'Not enough credits', statusCode: 400 }, 'limited'],
    ['tavily', 432, { detail: { error: "This request exceeds your plan's set usage limit." } }, 'limited'],
    ['tavily', 433, { detail: { error: 'This request exceeds the pay-as-you-go limit.' } }, 'limited'],
    ['exa', 402, { error: 'You have no more credits.', tag: 'NO_MORE_CREDITS' }, 'limited'],
    ['google', 400, { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } }, 'refused'],
    ['google', 403, { error: { errors: [{ domain: 'usageLimits', reason: 'dailyLimitExceeded', message: 'Daily Limit Exceeded' }], code: 403, message: 'Daily Limit Exceeded' } }, 'limited'],
    ['google', 429, { error: { code: 429, message: "Quota exceeded for quota metric 'Queries'", status: 'RESOURCE_EXHAUSTED' } }, 'limited'],
    // The answer repeats the caller's input, which says nothing about the key.
    ['brave', 422, { error: { status: 422, code: 'VALIDATION', meta: { errors: [{ loc: ['query', 'q'], input: 'API_KEY_INVALID', message: 'Not enough credits' }] } } }, 'unfit'],
    ['google', 400, { error: { code: 400, message: 'Request contains an invalid argument: API_KEY_INVALID', status: 'INVALID_ARGUMENT' } }, 'unfit'],
  ])('is recognized: %s, %i %j', async (name, status, body, reason) => {
    reply = { status, body }
    await expect(cases[name]?.make().search(request(), call())).rejects.toMatchObject({ reason })
  })

  /** Searches with a full first page of results and this status for the second. */
  async function secondPage(status: number): Promise<readonly Found[]> {
    reply = { body: { web: { results: Array.from({ length: 20 }, (_, at) => ({ url: `https://example.com/${at}`, title: 'Tides' })) } } }
    const later = (): void => void (seen.length === 1 && (reply = { status, body: {} }))
    server.prependListener('request', later)
    return brave(line, 'k')
      .search(request({ limit: 30 }), call())
      .finally(() => server.off('request', later))
  }

  it('keeps the results of earlier pages, and is reported with them', async () => {
    await expect(secondPage(429)).rejects.toMatchObject({ reason: 'limited', found: { length: 20 } })
    expect(seen).toHaveLength(2)
  })

  it('does not make a missing page of results an error', async () => {
    expect(await secondPage(422)).toHaveLength(20)
    expect(seen).toHaveLength(2)
  })
})

describe('the request to a provider', () => {
  const full = request({ text: '"spring tide" -moon site:example.com filetype:pdf', country: 'DE', language: 'de', location: 'Hamburg', safe: true, span: 'w', byDate: true, notHosts: ['bad.example'] })
  const asked = async (provider: SearchProvider): Promise<(typeof seen)[number]> => {
    reply = { body: {} }
    await provider.search(full, call())
    return seen[0] ?? { url: new URL('http://none'), headers: {}, body: null }
  }
  const q = '"spring tide" -moon site:example.com filetype:pdf -site:bad.example'

  it.each([['tavily', tavily], ['exa', exa]] as const)('are never empty where operators go apart: the sites are asked for, and without any it does not take the search (%s)', async (_name, make) => {
    const provider = make(line, 'k')
    reply = { body: { results: [] } }
    await provider.search(request({ text: 'site:a.example site:b.example -site:c.example' }), call())
    expect(seen.map(({ body }) => (body as { query: string }).query)).toEqual(['a.example b.example']) // what both send
    await expect(provider.search(request({ text: '-tide filetype:pdf' }), call())).rejects.toMatchObject({ reason: 'unfit' })
    expect(seen).toHaveLength(1)
  })

  it("is in the provider's terms", async () => {
    expect(Object.fromEntries((await asked(searxng(line))).url.searchParams)).toEqual({ q, format: 'json', categories: 'general', pageno: '1', language: 'de-DE', time_range: 'week', safesearch: '2' })
    seen = []
    const { url, headers } = await asked(brave(line, 'my-key'))
    expect([url.pathname, Object.fromEntries(url.searchParams), headers['x-subscription-token']]).toEqual(['/res/v1/web/search', { q, count: '5', country: 'DE', search_lang: 'de', safesearch: 'strict', freshness: 'pw' }, 'my-key'])
    seen = []
    expect((await asked(serper(line, 'k'))).body).toEqual({ q, num: 5, gl: 'de', hl: 'de', location: 'Hamburg', safe: 'active', tbs: 'qdr:w,sbd:1' })
    seen = []
    expect((await asked(tavily(line, 'k'))).body).toEqual({ query: 'spring tide', max_results: 5, topic: 'general', include_domains: ['example.com'], exclude_domains: ['bad.example'], time_range: 'week' })
    seen = []
    expect((await asked(exa(line, 'k'))).body).toMatchObject({ query: 'spring tide', includeDomains: ['example.com'], excludeDomains: ['bad.example'], userLocation: 'DE' })
    seen = []
    expect(Object.fromEntries((await asked(googleCse(line, 'k', 'engine'))).url.searchParams)).toEqual({ key: 'k', cx: 'engine', q, num: '10', start: '1', gl: 'de', lr: 'lang_de', safe: 'active', dateRestrict: 'w1', sort: 'date' })
  })

  it.each([
    [{ country: 'JP', language: 'ja' }, { country: 'JP', search_lang: 'jp' }, []],
    [{ country: 'BR', language: 'pt' }, { country: 'BR', search_lang: 'pt-br' }, []],
    [{ country: null, language: 'pt' }, { search_lang: 'pt-pt' }, []],
    [{ country: 'TW', language: 'zh' }, { country: 'TW', search_lang: 'zh-hant' }, []],
    [{ country: 'US', language: 'zh-CN' }, { country: 'US', search_lang: 'zh-hans' }, []],
    [{ country: 'US', language: 'en-GB' }, { country: 'US', search_lang: 'en-gb' }, []],
    [{ country: 'GB', language: 'en' }, { country: 'GB', search_lang: 'en' }, []],
    [{ country: 'NO', language: 'no' }, { country: 'NO', search_lang: 'nb' }, []],
    [{ country: 'AT', language: 'de-AT' }, { country: 'AT', search_lang: 'de' }, []],
    [{ country: 'IE', language: 'ga' }, { country: 'ALL' }, ['country', 'language']],
  ] as const)('gives Brave country and language in its own terms: %j', async (places, sent, missed) => {
    reply = { body: {} }
    const provider = brave(line, 'k')
    await provider.search(request(places), call())
    const { country, search_lang } = Object.fromEntries(seen[0]?.url.searchParams ?? [])
    expect(JSON.parse(JSON.stringify({ country, search_lang }))).toEqual(sent)
    const taken = provider.takes?.(places)
    expect([taken?.country, taken?.language]).toEqual([!missed.some((one) => one === 'country'), !missed.some((one) => one === 'language')])
  })

  it.each([
    ['de-AT', 'lang_de'], ['he', 'lang_iw'], ['nb', 'lang_no'], ['zh', 'lang_zh-CN'], ['zh-Hant', 'lang_zh-TW'], ['zh-HK', 'lang_zh-TW'], ['ga', null],
  ])('gives Google the language %s as %s', async (language, sent) => {
    reply = { body: {} }
    const provider = googleCse(line, 'k', 'engine')
    await provider.search(request({ language }), call())
    expect([seen[0]?.url.searchParams.get('lr') ?? null, provider.takes?.({ country: null, language }).language]).toEqual([sent, sent !== null])
  })

  it('asks Google for a range of days in place of an order, and says so', async () => {
    reply = { body: {} }
    const provider = googleCse(line, 'k', 'engine')
    await provider.search(request({ byDate: true, from: Date.UTC(2026, 9, 1), to: Date.UTC(2026, 9, 31) }), call())
    expect([seen[0]?.url.searchParams.get('sort'), provider.orderNeedsAnyDay]).toEqual(['date:r:20261001:20261031', true])
  })

  it('has no country for a SearXNG server without a language, and says so', async () => {
    reply = { body: {} }
    const server = searxng(line)
    await server.search({ ...full, language: null }, call())
    expect([seen[0]?.url.searchParams.has('language'), server.countryNeedsLanguage]).toEqual([false, true])
  })

  it('contains the operators that the provider knows, and the words of others if they help', async () => {
    const text = 'tide "by the sea" -moon site:a.example filetype:pdf inurl:docs -inurl:old intitle:coast related:b.example imagesize:640x480 larger:100x100'
    const common = 'tide "by the sea" -moon inurl:docs -inurl:old intitle:coast site:a.example filetype:pdf'
    const words: Readonly<Record<string, string>> = { searxng: common, brave: common, serper: `${common} related:https://b.example/ imagesize:640x480`, tavily: 'tide by the sea coast', exa: 'tide by the sea coast', google: `${common} related:https://b.example/` }
    reply = { body: {} }
    const told: Record<string, string> = {}
    for (const [name, { make }] of Object.entries(cases)) {
      seen = []
      await make().search(request({ text }), call())
      const body = seen[0]?.body as Record<string, string> | null | undefined // as it was sent
      told[name] = seen[0]?.url.searchParams.get('q') ?? body?.['q'] ?? body?.['query'] ?? ''
    }
    expect(told).toEqual(words)
    seen = []
    await searxng(line).search(request({ text: 'allintitle: spring tide', source: 'images' }), call())
    await searxng(line).search(request({ text: 'allinurl: docs tide', source: 'news' }), call())
    expect(seen.map(({ url }) => url.searchParams.get('q'))).toEqual(['intitle:spring intitle:tide', 'inurl:docs inurl:tide'])
  })

  it('distinguishes a meta search engine whose engines all failed from one without results', async () => {
    for (const [reason, fault] of [['CAPTCHA', 'captcha'], ['Suspended: too many requests', 'limited'], ['timeout', 'late'], ['HTTP error', 'broken']] as const) {
      reply = { body: { results: [], unresponsive_engines: [['google', reason]] } }
      await expect(searxng(line).search(request(), call())).rejects.toMatchObject({ reason: fault })
    }
  })
})

describe('a scraped result page', () => {
  const results = `<div class="result results_links"><h2><a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.com%2Fa&amp;rut=1">Tides &amp; more</a></h2><a class="result__snippet">When the <b>water</b> comes</a></div>
    <div class="result result--ad"><a class="result__a" href="https://ads.example/">Ad</a></div>`
  const ask = (html: string, status = 200): Promise<readonly Found[]> => resultPage(resultPages.duckduckgo, { fetcher: asPage({ html, status }), now: () => now }).search(request(), call())

  it('is parsed without its advertisements', async () => {
    expect(await ask(results)).toEqual([{ ...page, date: null, image: null }])
    const mojeek = resultPage(resultPages.mojeek, { fetcher: asPage({ html: '<ul class="results-standard"><li><h2><a class="title" href="https://example.com/a">Tides &amp; more</a></h2><p class="s">When the water comes</p></li></ul>' }), now: () => now })
    expect(await mojeek.search(request(), call())).toEqual([{ ...page, date: null, image: null }])
    expect(await ask('<div class="no-results">No results.</div>')).toEqual([])
  })

  it.each([
    [{ country: 'US', language: null }, 'us-en', []],
    [{ country: 'DE', language: null }, 'de-de', []],
    [{ country: 'GB', language: 'en-GB' }, 'uk-en', []],
    [{ country: 'JP', language: 'ja' }, 'jp-jp', []],
    [{ country: 'TW', language: 'zh-TW' }, 'tw-tzh', []],
    [{ country: 'CH', language: 'fr' }, 'ch-fr', []],
    [{ country: 'DE', language: 'en' }, 'de-de', ['language']],
    [{ country: null, language: 'de' }, null, ['language']],
    [{ country: 'FJ', language: 'en' }, null, ['country', 'language']],
    [{ country: 'US', countryGiven: false, language: 'en' }, 'us-en', []],
    [{ country: 'US', countryGiven: false, language: 'de' }, 'de-de', []],
    [{ country: 'US', countryGiven: false, language: 'pt-BR' }, 'br-pt', []],
    [{ country: 'US', countryGiven: false, language: 'en-GB' }, 'us-en', []],
    [{ country: 'US', countryGiven: false, language: 'ja' }, 'jp-jp', []],
    [{ country: 'US', countryGiven: false, language: 'sv' }, 'se-sv', []],
    [{ country: 'US', countryGiven: false, language: 'is' }, 'us-en', ['language']],
    [{ country: 'US', countryGiven: true, language: 'de' }, 'us-en', ['language']],
  ] as const)('of DuckDuckGo is asked for by a region that it has: %j', (places, region, missed) => {
    const { address, takes } = resultPages.duckduckgo
    expect(address(request(places), 'tide').params['kl']).toBe(region)
    expect([takes?.(places).country, takes?.(places).language]).toEqual([!missed.some((one) => one === 'country'), !missed.some((one) => one === 'language')])
  })

  it.each([
    ['<div class="anomaly-modal__modal">Select all squares</div>', 200, 'captcha'],
    ['', 202, 'captcha'],
    ['denied', 403, 'captcha'],
    ['', 429, 'limited'],
    ['<p>a page of another form</p>', 200, 'broken'],
    ['', 500, 'broken'],
  ])('is refused when it is %j (%i)', async (html, status, reason) => {
    await expect(ask(html, status)).rejects.toMatchObject({ reason })
  })
})
