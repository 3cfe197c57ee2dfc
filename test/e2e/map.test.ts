import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { meanwhile } from '../cpu.ts'
import { type Answered, startTrawl, type TestService, testKey } from '../service.ts'
import type { Pages } from '../site/page.ts'
import { endless, index, harbour, linking, manyUrls, moved, robots, shell, sitemap } from '../site/pages/map.ts'
import { type Site, startSite } from '../site/index.ts'

const gone: Pages = { '/robots.txt': (_visit, answer) => answer.send(404, {}, ''), '/sitemap.xml': (_visit, answer) => answer.send(404, {}, ''), '/wall': (_visit, answer) => answer.send(403, { 'content-type': 'text/html', 'cf-mitigated': 'challenge' }, '<!doctype html><title>Just a moment...</title><div id="challenge-form">Checking your browser before accessing the site.</div><a href="/help">Help</a>') }
const big: Pages = { '/robots.txt': robots('User-agent: *', 'Allow: /'), '/sitemap.xml': manyUrls(50_000), '/': linking('Catalogue', ''), '/more.xml': index('/sitemap.xml', '/second.xml', '/third.xml'), '/second.xml': manyUrls(50_000, 50_000), '/third.xml': manyUrls(1, 100_000) }
const odd: Pages = {
  '/robots.txt': robots('User-agent: *', 'Disallow: /closed', 'Sitemap: ORIGIN/page', 'Sitemap: ORIGIN/missing.xml', 'Sitemap: ORIGIN/loop.xml', 'Sitemap: ORIGIN/good.xml'),
  '/page': linking('No sitemap', '<a href="/x">x</a>'),
  '/loop.xml': index('/loop.xml', '/good.xml'),
  '/good.xml': sitemap('/good', '/Docs/Intro', '/docs/intro/install', '/docs/other'),
  '/closed': linking('Closed', '<a href="/inside">Inside</a>'),
  '/empty': (_visit, answer) => answer.send(200, { 'content-type': 'text/html' }, '<title>Nothing</title>'),
}

let sites: Record<'harbour' | 'shell' | 'big' | 'odd' | 'bare' | 'endless' | 'slow' | 'moved' | 'leading', Site>
let trawl: TestService
let client: Firecrawl

const at = (site: Site, ...paths: readonly string[]): string[] => paths.map((path) => site.url(path))
const map = (body: object): Promise<Answered> => trawl.call('POST', '/v2/map', body)
const urlsOf = (answer: Answered): string[] => answer.json.links.map(({ url }: { url: string }) => url)

beforeAll(async () => {
  const [first, second, third, fourth, fifth] = await Promise.all([startSite(harbour), startSite(shell), startSite(big), startSite(odd), startSite(gone)])
  const [sixth, seventh, eighth, ninth] = await Promise.all([startSite(endless()), startSite(endless(60)), startSite(moved(first.origin)), startSite({ ...gone, ...moved(first.origin, ['/']) })])
  sites = { harbour: first, shell: second, big: third, odd: fourth, bare: fifth, endless: sixth, slow: seventh, moved: eighth, leading: ninth }
  const allowed = Object.values(sites).map(({ port }) => `127.0.0.1:${port}`).join(',')
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: allowed, TRAWL_CREDITS: '1000' } })
  client = new Firecrawl({ apiKey: testKey, apiUrl: trawl.base })
})
afterAll(async () => {
  await trawl.stop()
  await Promise.all(Object.values(sites).map((site) => site.close()))
})
beforeEach(() => Object.values(sites).forEach((site) => site.reset()))

describe('a map by the official client', () => {
  it('lists the URLs of the sitemaps, then the links of the start page, its list and its feeds, with titles', async () => {
    const site = sites.harbour
    const { links } = await client.map(site.url('/'))
    expect(links).toEqual([
      { url: site.url('/a'), title: 'All about tides' },
      { url: site.url('/b/') },
      { url: site.url('/c') },
      { url: site.url('/private/plan') },
      { url: site.url('/'), title: 'Tide tables', description: 'When the water comes' },
      { url: site.url('/d'), title: 'Moon phases' },
      { url: site.url('/private/secret'), title: 'Secret' },
      { url: site.url('/list/2'), title: '2' },
      { url: site.url('/e'), title: 'From page two' },
      { url: site.url('/list/3'), title: 'next' },
      { url: site.url('/news/spring'), title: 'Spring tide report' },
    ])
    expect([site.hits('/list/3'), site.hits('/private/plan'), site.hits('/private/secret')]).toEqual([0, 0, 0])
  })

  it('uses sitemaps only, or none', async () => {
    const site = sites.harbour
    const only = await client.map(site.url('/'), { sitemap: 'only' })
    expect(only.links.map(({ url }) => url)).toEqual(at(site, '/a', '/b/', '/c', '/private/plan'))
    expect(site.hits('/')).toBe(0)
    site.reset()
    const skip = await client.map(site.url('/'), { sitemap: 'skip' })
    expect(skip.links.map(({ url }) => url)).toEqual(at(site, '/', '/a', '/d', '/private/secret', '/list/2', '/e', '/list/3', '/news/spring'))
    expect(site.requests().filter(({ path }) => path.startsWith('/maps/'))).toEqual([])
  })

  it('puts matches of a search first', async () => {
    const { links } = await client.map(sites.harbour.url('/'), { search: 'moon phase', limit: 2 })
    expect(links.map(({ url }) => url)).toEqual(at(sites.harbour, '/d', '/a'))
  })

  it('sees links that scripts create', async () => {
    const { links } = await client.map(sites.shell.url('/'))
    expect(links).toEqual([{ url: sites.shell.url('/'), title: 'Shell' }, { url: sites.shell.url('/made/by/script'), title: 'Made by a script' }])
  }, 60_000)

  it('keeps exactly to the limit', async () => {
    const { links } = await client.map(sites.harbour.url('/'), { limit: 7, ignoreQueryParameters: false })
    expect(links.map(({ url }) => url)).toEqual(at(sites.harbour, '/a', '/b/?page=1', '/b/', '/c', '/private/plan', '/', '/d'))
  })
})

describe('discovery', () => {
  it('follows an endless list for twenty pages', async () => {
    const answer = await map({ url: sites.endless.url('/'), sitemap: 'skip' })
    expect(sites.endless.requests().filter(({ path }) => path.startsWith('/list/')).map(({ path }) => path)).toEqual(Array.from({ length: 20 }, (_, i) => `/list/${i + 1}`))
    expect(urlsOf(answer)).toContain(sites.endless.url('/item/20'))
  })

  it('does not follow a list of a site with a long crawl delay', async () => {
    const answer = await map({ url: sites.slow.url('/'), sitemap: 'skip' })
    expect([urlsOf(answer), sites.slow.hits('/list/1')]).toEqual([at(sites.slow, '/', '/list/1'), 0])
  })

  it('stops when the result is full', async () => {
    expect(urlsOf(await map({ url: sites.endless.url('/'), sitemap: 'skip', limit: 2 }))).toEqual(at(sites.endless, '/', '/list/1'))
    expect(sites.endless.hits('/list/1')).toBe(0)
  })

  it('follows a site that has moved', async () => {
    expect(urlsOf(await map({ url: sites.moved.url('/'), limit: 5 }))).toEqual(at(sites.harbour, '/a', '/b/', '/c', '/private/plan', '/'))
    expect(urlsOf(await map({ url: sites.moved.url('/'), sitemap: 'only' }))).toEqual(at(sites.harbour, '/a', '/b/', '/c', '/private/plan'))
  })

  it('reads the sitemaps of the host that only the start page redirects to', async () => {
    const leading = { url: sites.leading.url('/'), limit: 5 }
    expect(urlsOf(await map(leading))).toEqual(at(sites.harbour, '/a', '/b/', '/c', '/private/plan', '/'))
    await map(leading)
    expect(sites.harbour.hits('/sitemap.xml') + sites.harbour.hits('/maps/index.xml')).toBeLessThan(2)
    expect(urlsOf(await map({ ...leading, sitemap: 'skip' }))).not.toContain(sites.harbour.url('/private/plan'))
  })

  it('takes nothing from a challenge, and reports what the start page was', async () => {
    const answer = await map({ url: sites.bare.url('/status/404'), filterByPath: false })
    expect(answer.json.warning).toContain('The start page answered with status 404.')
    const walled = await map({ url: sites.bare.url('/wall'), sitemap: 'skip', filterByPath: false })
    expect([walled.json.links, walled.json.warning]).toEqual([[], expect.stringContaining('The site answered with a challenge instead of its page.')])
    const login = await map({ url: sites.bare.url('/walls/login'), sitemap: 'skip', filterByPath: false })
    expect(login.json.warning).toContain('The site answered with a login instead of its page.')
  }, 60_000)
})

describe('the options of a map', () => {
  it('restrict it to a path and to patterns', async () => {
    expect(urlsOf(await map({ url: sites.odd.url('/docs'), sitemap: 'only' }))).toEqual(at(sites.odd, '/docs/intro/install', '/docs/other'))
    expect(urlsOf(await map({ url: sites.odd.url('/docs'), sitemap: 'only', filterByPath: false }))).toEqual(at(sites.odd, '/good', '/Docs/Intro', '/docs/intro/install', '/docs/other'))
    expect(urlsOf(await map({ url: sites.odd.url('/'), sitemap: 'only', includePaths: ['(?i)^/docs'], excludePaths: ['install$'] }))).toEqual(at(sites.odd, '/Docs/Intro', '/docs/other'))
  })

  it('send headers and languages to the site, and cache nothing of the answers', async () => {
    const site = sites.harbour
    const wanted = { url: site.url('/'), headers: { 'X-Tide': 'high' }, location: { country: 'DE', languages: ['de'] } }
    await map(wanted)
    for (const path of ['/', '/maps/first.xml', '/list/2', '/feed.xml']) expect(site.lastRequest(path)?.headers).toMatchObject({ 'x-tide': 'high', 'accept-language': 'de' })
    site.reset()
    await map(wanted)
    expect(site.hits('/maps/first.xml')).toBe(1)
  })

  it('without a meaning here are reported', async () => {
    const answer = await map({ url: sites.odd.url('/'), sitemap: 'only', allowExternalLinks: true })
    expect(answer.json.warning).toContain('allowExternalLinks')
  })

  it.each([
    [{ includePaths: ['(?=a)'] }, 'includePaths.0'],
    [{ limit: 100_001 }, 'limit'],
    [{ sitemap: 'sometimes' }, 'sitemap'],
    [{ sitemaps: 'only' }, 'sitemap'],
  ])('%j are refused by name', async (wrong, name) => {
    const answer = await map({ url: 'http://site.example/', ...wrong })
    expect([answer.status, answer.json.code, answer.json.error.includes(name)]).toEqual([400, 'BAD_REQUEST', true])
  })
})

describe('sitemaps', () => {
  it('are fetched once in seven days, unless the cache is ignored', async () => {
    const site = sites.odd
    const first = await map({ url: site.url('/'), ignoreCache: true })
    expect(site.hits('/good.xml')).toBe(1)
    const second = await map({ url: site.url('/') })
    expect([site.hits('/good.xml'), urlsOf(second)]).toEqual([1, urlsOf(first)])
    await map({ url: site.url('/'), ignoreCache: true })
    expect([site.hits('/good.xml'), site.hits('/robots.txt')]).toEqual([2, 2])
  })

  it('that are pages, missing or self-referential do no harm, and unreadable ones are reported', async () => {
    const answer = await map({ url: sites.odd.url('/'), sitemap: 'only', ignoreCache: true })
    expect(urlsOf(answer)).toEqual(at(sites.odd, '/good', '/Docs/Intro', '/docs/intro/install', '/docs/other'))
    expect(answer.json.warning).toBe('Of the sitemaps, 2 of 4 files could not be read to their end.')
  })

  it('of fifty thousand URLs are listed completely, and delay nobody', async () => {
    const site = sites.big
    const mapping = map({ url: site.url('/'), limit: 100_000 })
    const { loopMs } = await meanwhile(trawl, mapping)
    const answer = await mapping
    const urls = urlsOf(answer)
    expect([urls.length, new Set(urls).size, urls[49_999]]).toEqual([50_001, 50_001, site.url('/catalogue/49999.html')])
    // CPU time has a resolution of 10 ms, and garbage is collected now and then.
    expect(loopMs).toBeLessThan(200)
    expect(urlsOf(await map({ url: site.url('/'), limit: 50_001, search: 'catalogue 31415' }))[0]).toBe(site.url('/catalogue/31415.html'))
    expect(site.hits('/sitemap.xml')).toBe(1)
  }, 60_000)

  it('with more URLs than a search examines are reported', async () => {
    const site = await startSite({ ...big, '/robots.txt': robots('Sitemap: ORIGIN/more.xml') })
    const own = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` } })
    const [words, none] = [await own.call('POST', '/v2/map', { url: site.url('/'), limit: 5, search: 'catalogue 100000' }), await own.call('POST', '/v2/map', { url: site.url('/'), limit: 5 })]
    await Promise.all([own.stop(), site.close()])
    expect([words.json.warning, none.json.warning]).toEqual(['The first 100,000 URLs of the site were looked at; what fits best may be beyond them.', undefined])
  }, 60_000)

  it('of which only the first part was needed are read again for a larger limit', async () => {
    const site = sites.big
    expect(urlsOf(await map({ url: site.url('/'), limit: 10, ignoreCache: true }))).toHaveLength(10)
    expect(urlsOf(await map({ url: site.url('/'), limit: 5 }))).toHaveLength(5)
    expect(site.hits('/sitemap.xml')).toBe(1)
    expect(urlsOf(await map({ url: site.url('/'), limit: 40_000 }))).toHaveLength(40_000)
    expect(site.hits('/sitemap.xml')).toBe(2)
  }, 60_000)
})

describe('a site that cannot be mapped', () => {
  it('for lack of links gets an empty result with a warning', async () => {
    const answer = await map({ url: sites.bare.url('/nowhere'), sitemap: 'only' })
    expect([answer.status, answer.json]).toEqual([200, { success: true, id: expect.any(String), links: [], warning: 'No URL was found that fits the request.' }])
    const barred = await map({ url: sites.odd.url('/closed'), sitemap: 'skip' })
    expect([barred.json.links, barred.json.warning]).toEqual([[], 'No URL was found that fits the request. robots.txt does not allow the start page to be fetched.'])
    expect(sites.odd.hits('/closed')).toBe(0)
  })

  it('for lack of a readable page gets an empty result with a warning', async () => {
    const answer = await map({ url: sites.bare.url('/image.png'), sitemap: 'skip' })
    expect([answer.status, answer.json.links, answer.json.warning]).toEqual([200, [], 'No URL was found that fits the request. The start page could not be read (SCRAPE_UNSUPPORTED_FILE_ERROR).'])
  })

  it('because its name is unknown, nothing listens or the connection breaks gets MAP_FAILED', async () => {
    const closed = await startSite()
    await closed.close()
    for (const url of ['http://nowhere.invalid/', sites.bare.url('/fault/closed')]) {
      const answer = await map({ url })
      expect([url, answer.status, answer.json.code]).toEqual([url, 500, 'MAP_FAILED'])
    }
    const only = await map({ url: 'http://nowhere.invalid/', sitemap: 'only' })
    expect([only.status, only.json.code]).toEqual([500, 'MAP_FAILED'])
  })

  it('because its address is not allowed gets FORBIDDEN', async () => {
    for (const sitemaps of ['only', 'include']) {
      const answer = await map({ url: 'http://10.0.0.1/', sitemap: sitemaps })
      expect([answer.status, answer.json.code]).toEqual([403, 'FORBIDDEN'])
    }
  })

  it('in time gets MAP_TIMEOUT', async () => {
    const answer = await map({ url: sites.bare.url('/slow/never'), timeout: 1_000 })
    expect([answer.status, answer.json.code]).toEqual([408, 'MAP_TIMEOUT'])
  })
})

it('a map costs one credit; a repeat under its idempotency key and a failed map are free', async () => {
  const poor = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${sites.odd.port}`, TRAWL_CREDITS: '2' } })
  try {
    const body = { url: sites.odd.url('/'), sitemap: 'only' }
    const key = { 'x-idempotency-key': 'once' }
    const answers = [await poor.call('POST', '/v2/map', body, key), await poor.call('POST', '/v2/map', body, key), await poor.call('POST', '/v2/map', { url: 'http://nowhere.invalid/' })]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 500])
    expect(answers[1]?.text).toBe(answers[0]?.text)
    expect([await poor.call('POST', '/v2/map', body), await poor.call('POST', '/v2/map', body)].map(({ status, json }) => json.code ?? status)).toEqual([200, 'INSUFFICIENT_CREDITS'])
  } finally {
    await poor.stop()
  }
})

it('a map releases its reserved credits when its caller disconnects', async () => {
  const poor = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${sites.bare.port},127.0.0.1:${sites.odd.port}`, TRAWL_CREDITS: '1', TRAWL_MAX_CONCURRENCY: '1' } })
  try {
    const leaving = new AbortController()
    const left = fetch(`${poor.base}/v2/map`, { method: 'POST', headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }, body: JSON.stringify({ url: sites.bare.url('/slow/never') }), signal: leaving.signal })
    await expect.poll(() => sites.bare.hits('/slow/never')).toBe(1)
    leaving.abort()
    await expect(left).rejects.toThrow()
    expect((await poor.call('POST', '/v2/map', { url: sites.odd.url('/'), sitemap: 'only' })).status).toBe(200)
  } finally {
    await poor.stop()
  }
})
