import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawled, leaves, linksTo, numbered, siteWith } from '../crawls.ts'
import { loopbackDnsServer } from '../dns-server.ts'
import { startTrawl, type TestService } from '../service.ts'
import { page, type Page } from '../site/page.ts'

let service: TestService
let names: Awaited<ReturnType<typeof loopbackDnsServer>>
beforeAll(async () => {
  names = await loopbackDnsServer()
  service = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', TRAWL_EGRESS_DNS_SERVERS: names.address } })
}, 60_000)
afterAll(async () => {
  await service.stop()
  names.close()
})

describe('the pages of a crawl', { timeout: 60_000 }, () => {
  it('are those below the path of the start, each once', async () => {
    const site = await siteWith({ '/docs': linksTo('/docs/a', '/docs/b?x=1', '/blog', '/', '/docs/a#part'), ...leaves('/docs/b'), '/docs/a': linksTo('/docs/b?x=1', '/docs', '/docs/c'), ...leaves('/docs/c', '/blog', '/') })
    const job = await crawled(service, { url: site.url('/docs') })
    expect(job).toMatchObject({ status: { status: 'completed', total: 4, completed: 4, creditsUsed: 4, next: null }, paths: ['/docs', '/docs/a', '/docs/b?x=1', '/docs/c'], errors: [], skipped: ['/ path', '/blog path'] })
    expect(site.requests().map(({ url }) => url).sort()).toEqual(['/docs', '/docs/a', '/docs/b?x=1', '/docs/c', '/robots.txt', '/sitemap.xml'])
  })

  it('are all pages of the host with crawlEntireDomain', async () => {
    const site = await siteWith({ '/docs': linksTo('/docs/a', '/blog'), ...leaves('/docs/a', '/'), '/blog': linksTo('/') })
    expect((await crawled(service, { url: site.url('/docs'), crawlEntireDomain: true })).paths).toEqual(['/', '/blog', '/docs', '/docs/a'])
  })

  it.each([
    ['over HTTP', {}],
    ['in the browser', { waitFor: 1 }],
  ])('ask no host for what its robots.txt bars, by way of a redirect neither, %s', async (_how, scrapeOptions) => {
    const robots: Page = (_, answer) => answer.send(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /closed\n')
    const other = await siteWith({ '/robots.txt': robots, ...leaves('/closed', '/open') })
    const to = (path: string): Page => (_, answer) => answer.send(302, { location: other.url(path) }, '')
    const scripted = (status: number, said: string): Page => (_, answer) => answer.send(status, { 'content-type': 'text/html', ...(status === 403 ? { server: 'cloudflare' } : {}) }, `<title>On</title><main>${said}</main><script>location.replace('${other.url('/closed?by=script')}')</script>`)
    const site = await siteWith({ '/': linksTo('/go-closed', '/go-open', '/run-closed', '/wall-closed'), '/go-closed': to('/closed'), '/go-open': to('/open'), '/run-closed': scripted(200, ''), '/wall-closed': scripted(403, '<p>The harbour office does not show this page to everybody who asks for it.</p>'.repeat(9)) })
    const job = await crawled(service, { url: site.url('/'), allowExternalLinks: true, sitemap: 'skip', scrapeOptions: { ...scrapeOptions, proxy: 'auto' } })
    expect([job.status.completed, [...job.skipped].sort(), other.requests().map(({ path }) => path)]).toEqual([2, ['/go-closed robots', '/run-closed robots', '/wall-closed robots'], ['/robots.txt', '/open']])
  })

  it('fail with the cause if a redirect leads to no web page, or a host withholds its robots.txt', { timeout: 60_000 }, async () => {
    const silent = await siteWith({ '/robots.txt': (visit) => visit.later(600_000), ...leaves('/page') })
    const to = (location: string): Page => (_, answer) => answer.send(302, { location }, '')
    const site = await siteWith({ '/': linksTo('/go-file', '/go-silent'), '/go-file': to('ftp://files.example/a'), '/go-silent': to(silent.url('/page')) })
    const job = await crawled(service, { url: site.url('/'), sitemap: 'skip', allowExternalLinks: true })
    const { errors } = (await service.call('GET', `/v2/crawl/${job.status.id}/errors`)).json
    expect(errors.map(({ code, error }: { code: string; error: string }) => `${code}: ${error}`).sort()).toEqual(['SCRAPE_SITE_ERROR: The site did not answer in time for its robots.txt.', 'SCRAPE_SITE_ERROR: The site redirects to something that is not a web page.'])
    expect(silent.hits('/page')).toBe(0)
  })

  it('use up the limit before variants of pages do, which are listed as beyond the limit', async () => {
    const [orders, goods] = [['/c?sort=a', '/c?sort=b', '/c?color=red', '/c?page=2', '/topic?p=7#p7'], numbered(4)]
    const site = await siteWith({ '/': linksTo(...orders, '/c', ...goods), ...leaves('/c', '/topic', ...goods) })
    const job = await crawled(service, { url: site.url('/'), limit: 7, sitemap: 'skip' })
    expect([job.paths, job.skipped]).toEqual([['/', '/c', '/c?page=2', ...goods], ['/c?color=red limit', '/c?sort=a limit', '/c?sort=b limit', '/topic?p=7 limit']])
  })

  it('continue after many redirects to one known page, however low the limit', async () => {
    const [back, good] = [numbered(150, '/back'), numbered(3, '/good')]
    const home: Page = (_, answer) => answer.send(302, { location: '/' }, '')
    const site = await siteWith({ '/': linksTo(...back, ...good), ...Object.fromEntries(back.map((path) => [path, home])), ...leaves(...good) })
    const job = await crawled(service, { url: site.url('/'), limit: 3, sitemap: 'skip' })
    expect([job.status.status, job.status.completed]).toEqual(['completed', 3])
  })

  it('are those whose paths includePaths match and excludePaths do not', async () => {
    const site = await siteWith({ '/docs/': linksTo('/docs/a', '/docs/old/b', '/docs/x'), ...leaves('/docs/a', '/docs/old/b', '/docs/x') })
    const job = await crawled(service, { url: site.url('/docs/'), includePaths: ['^/docs/$', '/a$', '/b$'], excludePaths: ['old'] })
    expect(job).toMatchObject({ paths: ['/docs/', '/docs/a'], skipped: ['/docs/old/b excluded', '/docs/x not-included'] })
  })

  it('are none, with the reason, if includePaths do not match the start', async () => {
    const site = await siteWith({ '/docs': linksTo('/docs/a') })
    const job = await crawled(service, { url: site.url('/docs'), includePaths: ['^/docs/a$'] })
    expect(job).toMatchObject({ status: { status: 'completed', total: 0, completed: 0, data: [], next: null }, paths: [], errors: [], skipped: [`${site.url('/docs')} not-included`] })
    expect(job.status.warning).toContain('includePaths')
    expect(site.hits()).toBe(0)
  })

  it('are matched with host and query with regexOnFullURL', async () => {
    const site = await siteWith({ '/docs/': linksTo('/docs/a?lang=en', '/docs/b?lang=de', '/docs/c'), ...leaves('/docs/a', '/docs/b', '/docs/c') })
    expect((await crawled(service, { url: site.url('/docs/'), regexOnFullURL: true, excludePaths: ['lang=de', '^/docs/c'] })).paths).toEqual(['/docs/', '/docs/a?lang=en', '/docs/c'])
    expect((await crawled(service, { url: site.url('/docs/'), excludePaths: ['lang=de', '^/docs/c'] })).paths).toEqual(['/docs/', '/docs/a?lang=en', '/docs/b?lang=de'])
  })

  it('count once, whatever their query, with ignoreQueryParameters', async () => {
    const site = await siteWith({ '/': linksTo('/a?x=1', '/a?x=2', '/a', '/?y=1'), ...leaves('/a') })
    expect(await crawled(service, { url: site.url('/'), ignoreQueryParameters: true })).toMatchObject({ paths: ['/', '/a?x=1'], skipped: ['/?y=1 duplicate', '/a duplicate', '/a?x=2 duplicate'] })
    expect((await crawled(service, { url: site.url('/'), limit: 20 })).paths).toEqual(['/', '/?y=1', '/a', '/a?x=1', '/a?x=2'])
  })

  it('count once if their URLs are similar, unless deduplicateSimilarURLs is off', async () => {
    const site = await siteWith({ '/': linksTo('/a', '/a#top', '/a?utm_source=x', '/a/', '/a/index.html', '/index.html'), ...leaves('/a', '/a/', '/a/index.html', '/index.html') })
    expect(await crawled(service, { url: site.url('/') })).toMatchObject({ paths: ['/', '/a'], skipped: ['/a/ duplicate', '/a/index.html duplicate', '/index.html duplicate'] })
    expect(await crawled(service, { url: site.url('/'), deduplicateSimilarURLs: false })).toMatchObject({ paths: ['/', '/a', '/a/', '/a/index.html', '/index.html'], skipped: [] })
  })

  it('cannot be selected by invalid patterns, which are refused', async () => {
    const named = [['/v2/crawl', { includePaths: ['(?=a)'] }, ['includePaths', 0], '(?=a)'], ['/v2/crawl', { excludePaths: ['ok', '('] }, ['excludePaths', 1], '('], ['/v2/map', { includePaths: ['(a)\\1'] }, ['includePaths', 0], '(a)\\1'], ['/v2/crawl', { excludePaths: [`\n${'x'.repeat(3_000)}`] }, ['excludePaths', 0], `\\u{a}${'x'.repeat(99)}…`]] as const
    for (const [path, options, at, pattern] of named) {
      const { status, json } = await service.call('POST', path, { url: 'http://site.test/', ...options })
      expect([status, json.code, json.details[0].path, json.error.endsWith(`"${pattern}"`), json.details[0].message.endsWith(`"${pattern}"`)]).toEqual([400, 'BAD_REQUEST', at, true, true])
    }
  })
})

describe('a start page that only contains a refresh', { timeout: 60_000 }, () => {
  it('leads to the page that browsers would show', async () => {
    const site = await siteWith({ '/': page('<!doctype html><meta http-equiv="refresh" content="0; url=/en/">'), '/en/': linksTo('/en/a'), ...leaves('/en/a') })
    expect((await crawled(service, { url: site.url('/') })).paths).toEqual(['/', '/en/', '/en/a'])
  })
})

describe('the hosts of a crawl', { timeout: 60_000 }, () => {
  /** A site with many names. */
  const many = async () => {
    let port = 0
    const site = await siteWith({
      '/': (visit, answer) => (visit.headers.host?.startsWith('harbour.test') ? linksTo(`http://docs.harbour.test:${port}/d`, `http://far.example:${port}/`, `http://far.example:${port}/page`, '/a') : linksTo())(visit, answer),
      '/d': (visit, answer) => linksTo(`http://deep.docs.harbour.test:${port}/e`)(visit, answer),
      '/page': (visit, answer) => linksTo(`http://far.example:${port}/other`, `http://harbour.test:${port}/b`)(visit, answer),
      ...leaves('/a', '/b', '/e', '/other'),
    })
    port = site.port
    return { start: `http://harbour.test:${port}/`, of: (host: string, path: string) => `http://${host}:${port}${path}` }
  }

  it('are only the host of the start by default', async () => {
    const { start, of } = await many()
    expect(await crawled(service, { url: start })).toMatchObject({ paths: ['/', '/a'], skipped: [`${of('docs.harbour.test', '/d')} subdomain`, `${of('far.example', '/')} external`, `${of('far.example', '/page')} external`] })
  })

  it('include the subdomains with allowSubdomains', async () => {
    const { start, of } = await many()
    expect((await crawled(service, { url: start, allowSubdomains: true })).paths).toEqual(['/', '/a', of('deep.docs.harbour.test', '/e'), of('docs.harbour.test', '/d')])
  })

  it('include other hosts for one step with allowExternalLinks; the home page of another host is listed as an error', async () => {
    const { start, of } = await many()
    const job = await crawled(service, { url: start, allowExternalLinks: true })
    expect(job).toMatchObject({ status: { status: 'completed', completed: 4 }, paths: ['/', '/a', of('docs.harbour.test', '/d'), of('far.example', '/page')], errors: [`${of('far.example', '/')} EXTERNAL_LINK`] })
    // Links of external pages are not followed, whatever host they lead to.
    expect(job.skipped).toEqual([of('deep.docs.harbour.test', '/e'), of('far.example', '/'), of('far.example', '/other'), start + 'b'].map((url) => `${url.replace(start, '/')} external`).sort())
  })
})

describe('a page that a redirect leads to on another site', { timeout: 60_000 }, () => {
  it('has no links followed, unless the redirect leads back to the site of the crawl', async () => {
    const leads = (to: () => string): Page => (_, answer) => answer.send(302, { location: to() })
    const far = await siteWith({ '/landing': linksTo('/other', '/more'), ...leaves('/other', '/more'), '/back': leads(() => site.url('/hidden')) })
    const site: Awaited<ReturnType<typeof siteWith>> = await siteWith({ '/': (visit, answer) => linksTo('/out', far.url('/back'))(visit, answer), '/out': leads(() => far.url('/landing')), '/hidden': linksTo('/deep'), ...leaves('/deep') })
    const job = await crawled(service, { url: site.url('/'), sitemap: 'skip', allowExternalLinks: true, scrapeOptions: { maxAge: 0 } })
    expect([job.status.data.map(({ metadata }: { metadata: { url: string } }) => metadata.url).sort(), [far.hits('/other'), far.hits('/more')]]).toEqual([[far.url('/landing'), ...['/', '/deep', '/hidden'].map(site.url)].sort(), [0, 0]])
  })
})

describe('the size of a crawl', { timeout: 60_000 }, () => {
  it('is limited by maxDiscoveryDepth', async () => {
    const chain = { '/': linksTo('/1'), '/1': linksTo('/2'), '/2': linksTo('/3'), ...leaves('/3') }
    const site = await siteWith(chain)
    expect(await crawled(service, { url: site.url('/'), maxDiscoveryDepth: 2 })).toMatchObject({ paths: ['/', '/1', '/2'], skipped: ['/3 depth'] })
    expect(await crawled(service, { url: site.url('/'), maxDiscoveryDepth: 0 })).toMatchObject({ paths: ['/'], skipped: ['/1 depth'] })
  })

  it('is exactly the limit, without pages that fail', async () => {
    const paths = numbered(30)
    const broken = Object.fromEntries(paths.slice(0, 10).map((path) => [path, (_: unknown, answer: { cut(): void }) => answer.cut()]))
    const site = await siteWith({ '/': linksTo(...paths), ...leaves(...paths), ...broken })
    const job = await crawled(service, { url: site.url('/'), limit: 12 })
    expect([job.status.completed, job.paths.length, job.status.creditsUsed]).toEqual([12, 12, 12])
    expect(job.skipped.every((line) => line.endsWith(' limit'))).toBe(true)
    expect(job.paths.length + job.errors.length + job.skipped.length).toBe(31)
    // Nothing was fetched that could not have been delivered.
    expect(paths.slice(10).filter((path) => site.hits(path) > 0).length).toBe(11)
  })

  it('is one page if the limit is one', async () => {
    const site = await siteWith({ '/': linksTo('/a'), ...leaves('/a') })
    expect(await crawled(service, { url: site.url('/'), limit: 1 })).toMatchObject({ paths: ['/'], skipped: ['/a limit'], status: { status: 'completed', total: 1, completed: 1 } })
    expect(site.hits('/a')).toBe(0)
  })
})
