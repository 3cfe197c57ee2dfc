import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawled, dataDirOfTest, gauge, jobEnd, leaves, linksTo, siteWith, startJob } from '../crawls.ts'
import { loopbackDnsServer } from '../dns-server.ts'
import { startTrawl, type TestService } from '../service.ts'
import { startTlsSite } from '../site/index.ts'
import { htmlType, type Page } from '../site/page.ts'

let service: TestService
let names: Awaited<ReturnType<typeof loopbackDnsServer>>
let settings: Readonly<Record<string, string>>
beforeAll(async () => {
  names = await loopbackDnsServer()
  settings = { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', TRAWL_EGRESS_DNS_SERVERS: names.address }
  service = await startTrawl({ settings })
}, 60_000)
afterAll(async () => {
  await service.stop()
  names.close()
})

const to = (location: (host: string) => string): Page => (visit, answer) => answer.send(302, { location: location(visit.headers.host ?? '') })
/** Serves the page under one host name, and redirects to it from the others. */
const only = (name: string, page: Page): Page => (visit, answer) => (visit.headers.host?.startsWith(name) ? page(visit, answer) : answer.send(301, { location: `http://${name}:${visit.port}${visit.url}` }))
const urlsOf = (job: { status: { data: readonly { metadata: { url: string } }[] } }): string[] => job.status.data.map(({ metadata }) => new URL(metadata.url).pathname).sort()

describe('a redirect', { timeout: 60_000 }, () => {
  it('to a page that is also linked returns that page once, without an error', async () => {
    const site = await siteWith({ '/': linksTo('/old', '/new', '/older'), '/old': to(() => '/new'), '/older': to(() => '/old'), ...leaves('/new') })
    const job = await crawled(service, { url: site.url('/'), maxConcurrency: 1 })
    expect([job.status.status, job.status.completed, job.status.total, urlsOf(job), job.errors]).toEqual(['completed', 2, 2, ['/', '/new'], []])
  })

  it('is not followed to a page that the crawl already has, nor to one that robots.txt forbids', async () => {
    const site = await siteWith({ '/': linksTo('/new', '/old', '/hidden'), '/old': to(() => '/new'), '/hidden': to(() => '/secret'), '/robots.txt': (_, answer) => answer.send(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /secret'), ...leaves('/new', '/secret') })
    for (const maxConcurrency of [1, 10]) {
      site.reset()
      const job = await crawled(service, { url: site.url('/'), maxConcurrency, scrapeOptions: { maxAge: 0 } })
      expect([urlsOf(job), [...job.skipped].sort(), site.hits('/new'), site.hits('/secret')]).toEqual([['/', '/new'], ['/hidden robots', '/old duplicate'], 1, 0])
    }
  })

  it('of the start to another site takes the crawl there, but not the headers of the caller', async () => {
    const other = await siteWith({ '/': linksTo('/a'), ...leaves('/a') })
    const site = await siteWith({ '/': to(() => other.url('/')) })
    const job = await crawled(service, { url: site.url('/'), scrapeOptions: { headers: { Authorization: 'Bearer secret', 'X-Key': 'secret' } } })
    expect([urlsOf(job), site.lastRequest('/')?.headers]).toEqual([['/', '/a'], expect.objectContaining({ authorization: 'Bearer secret', 'x-key': 'secret' })])
    expect(JSON.stringify(other.requests().map(({ rawHeaders }) => rawHeaders))).not.toContain('secret')
  })

  it('through a page that redirects itself loses nothing', async () => {
    const ways = ['/c/0', '/c/1', '/c/2', '/c/3', '/c/4', '/c/5']
    const hop: Page = (visit, answer) => answer.send(302, { location: new URL(visit.url, 'http://x').searchParams.get('to') ?? '/' })
    const site = await siteWith({ '/': linksTo('/hop?to=/end', ...ways), '/hop': hop, ...Object.fromEntries(ways.map((way) => [way, to(() => `/hop?to=/real${way}`)])), ...leaves('/end', ...ways.map((way) => `/real${way}`)) })
    for (const maxConcurrency of [1, 10]) {
      const job = await crawled(service, { url: site.url('/'), sitemap: 'skip', maxConcurrency, ignoreQueryParameters: true, scrapeOptions: { maxAge: 0 } })
      expect([urlsOf(job), job.skipped]).toEqual([['/', '/end', ...ways.map((way) => `/real${way}`)], []])
    }
  })

  it('to a page whose own address led elsewhere before returns that page, once', async () => {
    const gate: Page = (visit, answer) => (visit.headers.cookie?.includes('in=1') ? linksTo()(visit, answer) : answer.send(302, { location: '/welcome' }))
    const enter: Page = (_, answer) => answer.send(302, { location: '/gate', 'set-cookie': 'in=1' })
    const site = await siteWith({ '/': linksTo('/gate', '/enter', '/again'), '/gate': gate, '/enter': enter, '/again': enter, ...leaves('/welcome') })
    const job = await crawled(service, { url: site.url('/'), sitemap: 'skip', maxConcurrency: 1 })
    expect([urlsOf(job), job.skipped]).toEqual([['/', '/gate', '/welcome'], ['/again duplicate']])
  })

  it('holds back its target if that is found in the meantime', async () => {
    const held = gauge(2)
    const site = await siteWith({ '/': linksTo('/old', '/a'), '/old': to(() => '/new'), '/new': held.over(linksTo()), '/a': linksTo('/new', '/b'), '/b': held.over(linksTo()) })
    const job = await crawled(service, { url: site.url('/') })
    expect([urlsOf(job), job.errors, site.hits('/new')]).toEqual([['/', '/a', '/b', '/new'], [], 1])
  })

  it('to a page outside of the crawl adds no page', async () => {
    const site = await siteWith({ '/docs/': linksTo('/docs/away', '/docs/blog', '/docs/hidden'), '/docs/away': to((host) => `http://far.example:${host.split(':')[1]}/x`), '/docs/blog': to(() => '/blog'), '/docs/hidden': to(() => '/docs/secret'), '/robots.txt': (_, answer) => answer.send(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /docs/secret'), ...leaves('/x', '/blog', '/docs/secret') })
    const job = await crawled(service, { url: site.url('/docs/') })
    expect(job).toMatchObject({ status: { status: 'completed', completed: 1, creditsUsed: 1 }, paths: ['/docs/'], errors: [], skipped: ['/docs/away external', '/docs/blog path', '/docs/hidden robots'] })
  })

  it('of the start to another site makes that one the site of the crawl, with its sitemaps', async () => {
    const site = await siteWith({
      '/': only('harbour.test', to(() => '/en/')),
      '/en/': linksTo('/en/a', '/about'),
      '/sitemap.xml': only('harbour.test', (visit, answer) => answer.send(200, { 'content-type': 'application/xml' }, `<urlset><url><loc>http://harbour.test:${visit.port}/mapped</loc></url></urlset>`)),
      ...leaves('/en/a', '/about', '/mapped'),
    })
    const job = await crawled(service, { url: `http://short.example:${site.port}/` })
    expect([job.status.status, urlsOf(job), job.errors, job.skipped]).toEqual(['completed', ['/about', '/en/', '/en/a', '/mapped'], [], []])
  })

  it('by a refresh of the start also moves the crawl', async () => {
    const refresh = (location: (port: number) => string): Page => (visit, answer) => answer.send(200, { 'content-type': htmlType }, `<!doctype html><html><head><meta http-equiv="refresh" content="0; url=${location(visit.port)}"></head><body></body></html>`)
    const far = linksTo('/far/a')
    const site = await siteWith({ '/old': refresh(() => '/new/'), '/new/': linksTo('/new/a', '/up'), '/away': refresh((port) => `http://far.example:${port}/far/`), '/far/': far, ...leaves('/new/a', '/up', '/far/a') })
    const [moved, away] = [await crawled(service, { url: site.url('/old') }), await crawled(service, { url: site.url('/away') })]
    expect([urlsOf(moved), moved.skipped]).toEqual([['/new/', '/new/a', '/old'], ['/up path']])
    expect(urlsOf(away)).toEqual(['/away', '/far/', '/far/a'])
  })

  it('of the start to a host whose robots.txt forbids that makes the crawl fail', async () => {
    const robots: Page = (visit, answer) => answer.send(200, { 'content-type': 'text/plain' }, visit.headers.host?.startsWith('harbour.test') ? 'User-agent: *\nDisallow: /' : '')
    const site = await siteWith({ '/robots.txt': robots, '/': only('harbour.test', linksTo('/a')), ...leaves('/a') })
    const job = await crawled(service, { url: `http://short.example:${site.port}/` })
    expect([job.status.status, job.status.completed, job.status.error, site.hits('/a')]).toEqual(['failed', 0, expect.stringContaining('robots.txt'), 0])
  })

  it('of any kind sends no credentials from a URL that the site wrote, and reveals none', async () => {
    const at = (visit: { readonly port: number }, path: string): string => `http://user:hush@127.0.0.1:${visit.port}${path}`
    const html = (body: (to: (path: string) => string) => string): Page => (visit, answer) => answer.send(200, { 'content-type': htmlType }, body((path) => at(visit, path)))
    const site = await siteWith({
      '/': html((to) => `<meta http-equiv="refresh" content="0; url=${to('/start')}">`),
      '/start': (visit, answer) => linksTo(at(visit, '/a'), '/script', '/file', `ftp://user:hush@127.0.0.1/f`)(visit, answer),
      '/script': html((to) => `<div id="root"></div><script>location.href = '${to('/b')}'</script>`),
      '/file': html((to) => `<div id="root"></div><script>location.href = '${to('/files/report.pdf')}'</script>`),
      '/robots.txt': (visit, answer) => answer.send(200, { 'content-type': 'text/plain' }, `Sitemap: ${at(visit, '/map.xml')}`),
      '/map.xml': (visit, answer) => answer.send(200, { 'content-type': 'application/xml' }, `<urlset><url><loc>${at(visit, '/mapped')}</loc></url></urlset>`),
      ...leaves('/a', '/b', '/mapped'),
    })
    const job = await crawled(service, { url: site.url('/') })
    const answers = [await service.scrape({ url: site.url('/') }), await service.scrape({ url: site.url('/script') }), await service.call('POST', '/v2/map', { url: site.url('/') })]
    expect(urlsOf(job)).toEqual(['/', '/a', '/b', '/files/report.pdf', '/mapped', '/start'])
    expect(answers.map(({ json }) => json.data?.metadata.url ?? json.links.length)).toEqual([site.url('/start'), site.url('/b'), 3])
    // Two links in the text of a page appear as the site wrote them; credentials may appear nowhere else.
    const written = [`](${at(site, '/a')})`, '](ftp://user:hush@127.0.0.1/f)']
    const told = [job, ...answers.map(({ json }) => json)].map((one) => JSON.stringify(one)).join('\n')
    expect(written.reduce((left, link) => left.replaceAll(link, ''), told)).not.toContain('hush')
    expect(site.requests().filter(({ headers }) => headers.authorization !== undefined)).toEqual([])
  })

  it('of the start is remembered after the process was killed', async () => {
    const held = gauge(2)
    const site = await siteWith({ '/': only('harbour.test', linksTo('/a')), '/a': held.over(linksTo('/b')), '/b': linksTo('/c'), ...leaves('/c') })
    const dataDir = dataDirOfTest()
    const first = await startTrawl({ settings, dataDir })
    const id = await startJob(first, 'crawl', { url: `http://short.example:${site.port}/`, sitemap: 'skip' })
    await expect.poll(() => site.hits('/a'), { timeout: 20_000 }).toBe(1)
    await first.stop('SIGKILL')
    const second = await startTrawl({ settings, dataDir })
    try {
      const job = await jobEnd(second, id)
      expect([job.status.status, urlsOf(job), job.skipped]).toEqual(['completed', ['/', '/a', '/b', '/c'], []])
    } finally {
      await second.stop()
    }
  })
})

describe('a start', { timeout: 60_000 }, () => {
  it('with an error status is a page', async () => {
    const site = await siteWith({ '/gone': (_, answer) => answer.send(404, { 'content-type': htmlType }, '<main><h1>Gone</h1><p>That page is not here any more, but the harbour is.</p><a href="/gone/a">a</a></main>') })
    const job = await crawled(service, { url: site.url('/gone') })
    expect(job.status).toMatchObject({ status: 'completed', completed: 2, data: [{ metadata: { statusCode: 404 } }, { metadata: { statusCode: 404 } }] })
  })

  it('with an unknown host name makes the crawl fail', async () => {
    const job = await crawled(service, { url: 'http://harbour.nowhere/' })
    expect(job).toMatchObject({ status: { status: 'failed', completed: 0, data: [], error: expect.any(String) }, errors: ['/ SCRAPE_DNS_RESOLUTION_ERROR'] })
  })

  it('with a closed port makes the crawl fail', async () => {
    const job = await crawled(service, { url: 'http://127.0.0.1:9/' })
    expect(job).toMatchObject({ status: { status: 'failed', completed: 0, error: expect.any(String) }, errors: ['/ SCRAPE_SITE_ERROR'] })
  })

  it('with an invalid certificate makes the crawl fail if certificates are verified', async () => {
    const site = await startTlsSite()
    try {
      const strict = await crawled(service, { url: site.url('/redirect/landing'), scrapeOptions: { skipTlsVerification: false } })
      expect(strict).toMatchObject({ status: { status: 'failed', completed: 0, error: expect.any(String) }, errors: ['/redirect/landing SCRAPE_SSL_ERROR'] })
      expect((await crawled(service, { url: site.url('/redirect/landing') })).status).toMatchObject({ status: 'completed', data: [{ metadata: { tlsVerified: false } }] })
    } finally {
      await site.close()
    }
  })

  it('in a private network makes the crawl fail without a request', async () => {
    expect((await crawled(service, { url: 'http://10.1.2.3/' })).status).toMatchObject({ status: 'failed', completed: 0, error: expect.any(String) })
  })
})
