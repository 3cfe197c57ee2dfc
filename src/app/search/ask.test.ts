import { expect, it } from 'vitest'
import type { Call } from '../../domain/call.ts'
import { type Found, ProviderFault, type SearchProvider } from '../../domain/search/search.ts'
import type { IndexHit } from '../../domain/search/search-index.ts'
import { SearchRequest } from '../../spec/search.ts'
import { assertAnswered, type Sourced, sourced } from './ask.ts'
import { providerHealth } from './health.ts'
import { categoryOf, planSearch } from './plan.ts'
import type { SearchPorts } from './ports.ts'

let clock = 1_000_000
const now = (): number => clock

const result = (url: string, more: Partial<Found> = {}): Found => ({ url, title: `About ${url}`, description: 'tide', date: null, image: null, width: null, height: null, ...more })
const all = ['exact', 'not', 'site', 'filetype', 'inurl', 'intitle'] as const

function provider(name: string, answer: () => Promise<readonly Found[]>, more: Partial<SearchProvider> = {}): SearchProvider & { readonly asked: () => number } {
  let asked = 0
  return { name, sources: new Set(['web', 'news', 'images']), knows: new Set(all), can: new Set(['hour', 'spans', 'days', 'order', 'country', 'location', 'language', 'safe']), ...more, search: () => (asked++, answer()), asked: () => asked }
}
const failing = (name: string, fault: ProviderFault): ReturnType<typeof provider> => provider(name, () => Promise.reject(fault))

function ports(providers: readonly SearchProvider[], pages: readonly string[] = []): SearchPorts {
  const hits = pages.map((url): IndexHit => ({ url, title: 'Own', description: 'ours', language: 'en', publishedAt: null, fetchedAt: 0, image: null, score: 1, memo: null }))
  // Only the ports that `ask` uses.
  return { providers, health: providerHealth(now), index: { search: async () => hits, languages: async () => ['en'], pages: async () => hits.length }, blobs: { get: async () => null }, now } as unknown as SearchPorts // parts of the ports
}

const call = (deadline = clock + 60_000): Call => ({ id: 'i', team: 't', signal: new AbortController().signal, deadline, retention: 'normal', log: () => undefined })

async function search(given: SearchPorts, body: object, on = call()): Promise<Sourced> {
  const plan = planSearch(SearchRequest.parse({ query: 'tide', ...body }), { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] }, 't', now())
  const [source] = plan.sources
  if (source === undefined) throw new Error('no source')
  return sourced(source, body !== null && 'ignoreInvalidURLs' in body, given, on)
}
const urls = ({ found }: Sourced): string[] => found.map(({ url }) => url)

it.each([['""', ['web']], ['-""', ['web']], ['site:""', ['web']], ['imagesize:640x480', ['web']], ['larger:640x480', ['images']], ['imagesize:640x480', ['images', 'web']]])('refuses the query %s, in which there is nothing to search for (%s)', (query, sources) => {
  expect(() => planSearch(SearchRequest.parse({ query, sources }), { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] }, 't', 0)).toThrow('Bad Request: query: The query is empty')
})

it('searches for pictures of a size alone', () => {
  expect(planSearch(SearchRequest.parse({ query: 'imagesize:640x480', sources: ['images'] }), { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] }, 't', 0).warnings).toEqual([])
})

it('uses the web if no other available source was requested, and reports ignored ones', () => {
  const plan = (sources: readonly object[]) => planSearch(SearchRequest.parse({ query: 'tide', sources }), { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] }, 't', now())
  const warnings = ['Ignored, not supported here: the source alexandria.']
  expect(plan([{ type: 'alexandria' }])).toMatchObject({ sources: [{ source: 'web', limit: 10, country: 'US' }], warnings })
  const both = plan([{ type: 'alexandria' }, { type: 'news' }])
  expect([both.sources.map(({ source }) => source), both.warnings]).toEqual([['news'], warnings])
})

it('asks for PDF files where they are the only category, also within domains', () => {
  const filesOf = (body: object): unknown => planSearch(SearchRequest.parse({ query: 'tide', ...body }), { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] }, 't', now()).sources.map(({ hosts, files, query }) => [hosts, files, query.files])
  const pdf = { ending: 'pdf', not: false }
  expect(filesOf({ categories: ['pdf'] })).toEqual([[[], ['pdf'], []]])
  expect(filesOf({ categories: ['pdf'], includeDomains: ['a.example'] })).toEqual([[['a.example'], [], [pdf]]])
  expect(filesOf({ categories: ['pdf'], includeDomains: ['a.example'], query: 'tide filetype:txt' })).toEqual([[['a.example'], [], [{ ending: 'txt', not: false }]]])
  expect(filesOf({ categories: ['pdf', { type: 'research', sites: ['b.example'] }], includeDomains: ['a.example'] })).toEqual([[['a.example'], [], []]])
})

it('says that results are not scraped where scrape options name no formats', () => {
  const warnings = (scrapeOptions?: object) => planSearch(SearchRequest.parse({ query: 'tide', scrapeOptions }), { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] }, 't', now()).warnings
  expect(warnings({ onlyMainContent: true })).toEqual(['Results are not scraped, as scrapeOptions names no formats.'])
  expect([warnings(), warnings({ formats: ['markdown'] })]).toEqual([[], []])
})

it('asks the first provider, then the next if it fails, and names those that failed', async () => {
  const [first, second] = [failing('first', new ProviderFault('captcha')), provider('second', async () => [result('https://a.example/')])]
  const parts = ports([first, second])
  const answer = await search(parts, { limit: 1 })
  expect(answer).toMatchObject({ warnings: ['The search provider first failed: it asks for proof that a person is searching.'], failed: false })
  expect(urls(answer)).toEqual(['https://a.example/'])
  expect((await search(parts, { limit: 1 })).warnings).toEqual(['The search provider first is left alone for now, because it failed before.'])
  expect([first.asked(), second.asked()]).toEqual([1, 2])
})

it('leaves a failing provider alone for as long as it demands, and longer with each failure', async () => {
  const limited = failing('limited', new ProviderFault('limited', 120_000))
  const parts = ports([limited, provider('other', async () => [result('https://a.example/')])])
  await search(parts, {})
  clock += 119_999
  await search(parts, {})
  expect(limited.asked()).toBe(1)
  clock += 1
  await search(parts, {})
  expect(limited.asked()).toBe(2)
  const flaky = failing('flaky', new ProviderFault('broken'))
  const others = ports([flaky, provider('other', async () => [result('https://a.example/')])])
  const askedAfter = async (ms: number): Promise<number> => {
    clock += ms
    await search(others, {})
    return flaky.asked()
  }
  expect([await askedAfter(0), await askedAfter(0), await askedAfter(29_999), await askedAfter(1), await askedAfter(30_000), await askedAfter(30_000)]).toEqual([1, 2, 2, 3, 3, 4])
})

it('prefers providers that answered recently', async () => {
  let works = false
  const moody = provider('moody', () => (works ? Promise.resolve([result('https://moody.example/')]) : Promise.reject(new ProviderFault('broken'))))
  const steady = provider('steady', async () => [result('https://steady.example/')])
  const parts = ports([moody, steady])
  for (const _ of [1, 2, 3, 4]) {
    await search(parts, { limit: 1 })
    clock += 130_000
  }
  works = true
  expect(urls(await search(parts, { limit: 1 }))).toEqual(['https://steady.example/'])
  clock += 3 * 3_600_000
  expect(urls(await search(parts, { limit: 1 }))).toEqual(['https://moody.example/'])
})

it('adds results of its own index, and says so if no provider answered', async () => {
  const few = await search(ports([provider('few', async () => [result('https://a.example/')])], ['https://own.example/', 'https://a.example/']), {})
  expect([urls(few), few.warnings]).toEqual([['https://a.example/', 'https://own.example/'], []])
  const enough = ports([provider('enough', async () => [result('https://a.example/')])])
  expect(urls(await search({ ...enough, index: { ...enough.index, search: () => Promise.reject(new Error('asked')) } }, { limit: 1 }))).toEqual(['https://a.example/'])
  const none = await search(ports([failing('down', new ProviderFault('late'))], ['https://own.example/']), {})
  expect(none).toMatchObject({ warnings: ['The search provider down failed: it did not answer in time.', 'The results are those of our own index: pages that this team has scraped.'], failed: true })
  expect(() => assertAnswered([none])).not.toThrow()
})

it('says of results by date that those of its own index are not among the others', async () => {
  const some = (found: readonly Found[]): SearchPorts => ports([provider('some', async () => found)], ['https://own.example/'])
  expect((await search(some([result('https://a.example/')]), { tbs: 'sbd:1' })).warnings).toEqual(['tbs (sbd:1): the pages of our own index come after those of the provider, whatever their dates.'])
  expect((await search(some([]), { tbs: 'sbd:1' })).warnings).toEqual([])
})

it('never returns an empty answer if no provider answered', async () => {
  const none = await search(ports([failing('down', new ProviderFault('refused')), provider('odd', () => Promise.reject(new TypeError('a bug')))]), {})
  expect(none.warnings).toEqual(['The search provider down failed: it refuses our key.', 'The search provider odd failed: it did not give a usable answer.'])
  expect(() => assertAnswered([none])).toThrow(expect.objectContaining({ code: 'SEARCH_FAILED', message: expect.stringContaining('The search provider down failed'), details: { reasons: none.warnings } }))
  expect(() => assertAnswered([none, { found: [], warnings: [], failed: false }])).not.toThrow()
})

it('limits the time of a provider so that another one can still be asked', async () => {
  const slow = provider('slow', () => new Promise(() => undefined))
  const answer = await search(ports([slow, provider('quick', async () => [result('https://a.example/')])]), { limit: 1 }, call(clock + 200))
  expect([urls(answer), answer.warnings]).toEqual([['https://a.example/'], ['The search provider slow failed: it did not answer in time.']])
})

it('gives a provider its share of the time where that is no whole number of milliseconds', async () => {
  const quick = provider('quick', async () => [result('https://a.example/')])
  expect((await search(ports([quick]), { limit: 1 }, call(clock + 10_001))).warnings).toEqual([])
})

it('takes results of any of several sites that are asked for, and of none that is left out', async () => {
  const found = ['https://a.example/x', 'https://b.example/docs/y', 'https://b.example/z', 'https://sub.a.example/old/', 'https://c.example/'].map((url) => result(url))
  const parts = ports([provider('plain', async () => found, { knows: new Set() })])
  expect(urls(await search(parts, { query: 'tide site:a.example site:b.example/docs' }))).toEqual(['https://a.example/x', 'https://b.example/docs/y', 'https://sub.a.example/old/'])
  expect(urls(await search(parts, { query: 'tide site:a.example -site:sub.a.example' }))).toEqual(['https://a.example/x'])
})

it('asks a provider for twice as many results as are wanted, at most a hundred, and ends its requests when its time is up', async () => {
  const asked: { limit: number; signal: AbortSignal }[] = []
  const slow = { ...provider('slow', async () => []), search: (plan: { readonly limit: number }, { signal }: Pick<Call, 'signal'>) => (asked.push({ limit: plan.limit, signal }), new Promise<never>(() => undefined)) }
  for (const limit of [3, 80]) await search(ports([slow]), { limit }, call(clock + 20))
  expect(asked.map(({ limit, signal }) => [limit, signal.aborted])).toEqual([[6, true], [100, true]])
})

it('blames a provider for a failure that has nothing to do with how little time there was', async () => {
  const limited = failing('limited', new ProviderFault('limited', 60_000))
  const parts = ports([limited, provider('other', async () => [result('https://a.example/')])])
  for (const _ of [1, 2]) await search(parts, { limit: 1 }, call(clock + 200))
  expect(limited.asked()).toBe(1)
})

it('says where no provider is configured for a source, if nothing of its own fits', async () => {
  const warning = 'No search provider for news is configured (TRAWL_SEARCH_PROVIDERS): only pages that this team has scraped are searched, and none fits.'
  const webOnly = provider('web', async () => [], { sources: new Set(['web']) })
  expect((await search(ports([webOnly]), { sources: ['news'] })).warnings).toEqual([warning])
  expect((await search(ports([webOnly], ['https://own.example/']), { sources: ['web'] })).warnings).toEqual([])
  expect((await search(ports([webOnly]), { sources: ['web'] })).warnings).toEqual([])
})

it('logs what broke in a provider, which is not told to the caller', async () => {
  const log: unknown[] = []
  const parts = ports([provider('broken', () => Promise.reject(new Error('at line 7'))), provider('picky', () => Promise.reject(new ProviderFault('unfit')))])
  const { warnings } = await search(parts, {}, { ...call(), log: (event, fields) => void log.push([event, fields]) })
  expect(log).toEqual([
    ['search-provider-broke', { provider: 'broken', reason: 'Error: at line 7' }],
    ['search-provider-failed', { provider: 'broken', reason: 'broken' }],
    ['search-provider-failed', { provider: 'picky', reason: 'unfit' }],
  ])
  expect(warnings.join()).not.toContain('line 7')
})

it('keeps the results that a provider gave before it failed, and reports the fault', async () => {
  const half = provider('half', () => Promise.reject(new ProviderFault('limited', 60_000, [result('https://a.example/')])))
  const next = provider('next', async () => [result('https://b.example/')])
  const parts = ports([half, next])
  const answer = await search(parts, { limit: 5 })
  expect([urls(answer), answer.warnings]).toEqual([['https://a.example/'], ['The search provider half failed: its rate limit is reached.']])
  expect([urls(await search(parts, { limit: 5 })), half.asked(), next.asked()]).toEqual([['https://b.example/'], 1, 1])
})

it('applies operators that a provider does not know, and reports what cannot be applied', async () => {
  const found = [result('https://a.example/docs/x.pdf', { title: 'Coast' }), result('https://a.example/docs/y.html', { title: 'Coast' }), result('https://b.example/z.pdf', { title: 'Coast' }), result('https://a.example/docs/z.pdf', { title: 'Other' }), result('https://a.example/docs/n.pdf', { title: 'Coast of the moon' }), result('https://a.example/docs/old/x.pdf', { title: 'Coast' })]
  const simple = provider('simple', async () => found, { knows: new Set(), can: new Set() })
  const answer = await search(ports([simple]), { query: 'tide site:a.example/docs -site:a.example/docs/old filetype:pdf intitle:coast -moon "spring tide"', tbs: 'qdr:w,sbd:1', location: 'Bonn' })
  expect(urls(answer)).toEqual(['https://a.example/docs/x.pdf'])
  expect(answer.warnings).toEqual(['simple cannot see to: quotes, tbs (qdr), tbs (sbd:1), location.'])
})

it('applies operators for addresses and image sizes, and asks only capable providers for related pages', async () => {
  const pages = provider('pages', async () => ['https://a.example/docs/tide', 'https://a.example/old/docs'].map((url) => result(url)), { knows: new Set() })
  expect(urls(await search(ports([pages]), { query: 'allinurl: docs -inurl:old' }))).toEqual(['https://a.example/docs/tide'])
  const pictures = provider('pictures', async () => [[640, 480], [64, 64], [1_280, 960], [null, null]].map(([width = null, height = null]) => result('https://a.example/', { image: `https://a.example/${width}.png`, width, height })))
  const sizes = async (query: string): Promise<unknown> => (await search(ports([pictures]), { query, sources: ['images'] })).found.map(({ width }) => width)
  expect([await sizes('tide imagesize:640x480'), await sizes('tide larger:100x100'), await sizes('tide larger:640x100')]).toEqual([[640], [640, 1_280], [1_280]])
  const knowing = provider('knowing', async () => [result('https://like.example/')], { knows: new Set(['related']) })
  expect(urls(await search(ports([pages, knowing]), { query: 'related:a.example', limit: 1 }))).toEqual(['https://like.example/'])
  expect(pages.asked()).toBe(1)
})

it.each([
  [{ tbs: 'qdr:h' }, 'tbs (qdr:h)'],
  [{ tbs: 'qdr:d' }, null],
  [{ tbs: 'cdr:1,cd_min:01/31/2024' }, 'tbs (cdr)'],
  [{ country: 'DE' }, 'country'],
  [{ lang: 'de' }, 'lang'],
  [{ safe: true }, 'safe'],
  [{ highlights: true }, 'highlights'],
  [{ highlights: true, sources: ['images'] }, null],
  [{ highlights: false }, null],
  [{ includeDomains: ['a.example', 'b.example', 'c.example'] }, 'hosts beyond the first 2'],
  [{ sources: ['images'], tbs: 'qdr:d' }, 'tbs (qdr)'],
  [{ sources: [{ type: 'web', filter: '0' }] }, null],
])('reports %j as not supported', async (body, what) => {
  const plain = provider('plain', async () => [result('https://a.example/', { image: 'https://a.example/p.png' })], { can: new Set(['spans']), cannot: { images: new Set(['spans']) }, maxHosts: 2 })
  expect((await search(ports([plain]), { limit: 1, ...body })).warnings).toEqual(what === null ? [] : [`plain cannot see to: ${what}.`])
})

it.each([[{ country: 'DE' }, ['joined cannot see to: country (without lang).']], [{ country: 'DE', lang: 'de' }, []], [{}, []]])('warns for %j if a provider supports the country only together with a language', async (body, warnings) => {
  const joined = provider('joined', async () => [result('https://a.example/')], { countryNeedsLanguage: true })
  expect((await search(ports([joined]), { limit: 1, ...body })).warnings).toEqual(warnings)
})

it.each([
  [{ tbs: 'sbd:1,cdr:1,cd_min:01/31/2024' }, ['dated cannot see to: tbs (sbd:1 with cdr).']],
  [{ tbs: 'cdr:1,cd_min:01/31/2024' }, []],
  [{ tbs: 'sbd:1,qdr:d' }, []],
  [{ tbs: 'sbd:1' }, []],
])('warns for %j if a provider orders by date only what has no range of days', async (body, warnings) => {
  const dated = provider('dated', async () => [result('https://a.example/')], { orderNeedsAnyDay: true })
  expect((await search(ports([dated]), { limit: 1, ...body })).warnings).toEqual(warnings)
})

it('does not penalize a provider for a caller with too little time or an unsuitable query', async () => {
  const slow = provider('slow', () => new Promise(() => undefined))
  const picky = provider('picky', () => Promise.reject(new ProviderFault('unfit')))
  const parts = ports([slow, picky, provider('other', async () => [result('https://a.example/')])])
  for (const _ of [1, 2, 3]) {
    const { warnings } = await search(parts, { limit: 1 }, call(clock + 200))
    expect(warnings).toEqual(['The search provider slow failed: it did not answer in time.', 'The search provider picky failed: it does not take this search.'])
  }
})

it("filters hosts and categories of any provider's results, removes duplicates, and omits addresses that cannot be scraped", async () => {
  const found = ['https://github.com/a', 'https://www.github.com/a/', 'https://gitlab.com/b', 'https://evilgithub.com/', 'ftp://github.com/x', 'not a url', 'https://arxiv.org/abs/1'].map((url) => result(url))
  const parts = (): SearchPorts => ports([provider('p', async () => found)])
  expect(urls(await search(parts(), { categories: ['github'] }))).toEqual(['https://github.com/a', 'https://gitlab.com/b'])
  expect(urls(await search(parts(), { includeDomains: ['arxiv.org'] }))).toEqual(['https://arxiv.org/abs/1'])
  expect(urls(await search(parts(), { excludeDomains: ['github.com', 'gitlab.com'] }))).toEqual(['https://evilgithub.com/', 'https://arxiv.org/abs/1'])
  expect(urls(await search(parts(), { categories: ['github'], includeDomains: ['gitlab.com'] }))).toEqual(['https://gitlab.com/b'])
  const local = ports([provider('p', async () => [result('http://localhost/x'), result('https://a.example/')])])
  expect(urls(await search(local, { ignoreInvalidURLs: true }))).toEqual(['https://a.example/'])
})

it('knows the PDF files of its own index by their kind, and those of providers by their addresses', async () => {
  const parts = ports([provider('p', async () => ['https://a.example/x.pdf', 'https://a.example/y'].map((url) => result(url)))])
  const hits = [['https://own.example/report', true], ['https://own.example/page', undefined]].map(([url, pdf]) => ({ url, title: 'Own', description: 'ours', language: 'en', publishedAt: null, fetchedAt: 0, image: null, score: 1, memo: null, pdf }) as IndexHit) // the table has both types in one
  const { found } = await search({ ...parts, index: { ...parts.index, search: async () => hits } }, { categories: ['pdf', 'github'] })
  expect(found.map((one) => [one.url, categoryOf(one, [])])).toEqual([['https://a.example/x.pdf', 'pdf'], ['https://own.example/report', 'pdf']])
})
