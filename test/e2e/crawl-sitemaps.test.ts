import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawled, leaves, linksTo, siteWith } from '../crawls.ts'
import { startTrawl, type TestService } from '../service.ts'
import type { Page, Visit } from '../site/page.ts'

let service: TestService
beforeAll(async () => {
  service = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', TRAWL_IGNORE_ROBOTS_TEAMS: 'default' } })
}, 60_000)
afterAll(() => service.stop())

const text = (make: (visit: Visit) => string): Page => (visit, answer) => answer.send(200, { 'content-type': 'text/plain' }, make(visit))
const urls = (...paths: readonly string[]) => (origin: string): string => `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('')}</urlset>`
const map = (make: (origin: string) => string): Page => (visit, answer) => answer.send(200, { 'content-type': 'application/xml' }, make(visit.origin))
const index = (...paths: readonly string[]): Page => map((origin) => `<sitemapindex>${paths.map((path) => `<sitemap><loc>${origin}${path}</loc></sitemap>`).join('')}</sitemapindex>`)
const zipped = (make: (origin: string) => string): Page => (visit, answer) => answer.send(200, { 'content-type': 'application/gzip' }, gzipSync(make(visit.origin)))

describe('the sitemaps of a site', { timeout: 60_000 }, () => {
  const pages = { '/': linksTo('/linked'), '/linked': linksTo(), ...leaves('/mapped', '/zipped', '/named'), '/sitemap.xml': index('/sitemap-a.xml', '/sitemap-b.xml.gz'), '/sitemap-a.xml': map(urls('/mapped', '/')), '/sitemap-b.xml.gz': zipped(urls('/zipped', '/mapped')) }

  it('add pages to those found by links', async () => {
    const site = await siteWith(pages)
    expect((await crawled(service, { url: site.url('/') })).paths).toEqual(['/', '/linked', '/mapped', '/zipped'])
  })

  it('and its robots.txt are requested with the headers of the crawl, which no other site gets', async () => {
    const other = await siteWith({ ...leaves('/'), '/robots.txt': text(() => ''), '/theirs.xml': map(urls('/theirs')) })
    const behind = (inner: Page): Page => (visit, answer) => (visit.headers['authorization'] === 'Bearer pass' ? inner(visit, answer) : answer.send(401, {}, ''))
    const robots = text(({ origin }) => `Sitemap: ${origin}/ours.xml\nSitemap: ${other.url('/theirs.xml')}\nUser-agent: *\nDisallow: /closed\n`)
    const site = await siteWith(Object.fromEntries(Object.entries({ '/robots.txt': robots, '/ours.xml': map(urls('/mapped')), '/': linksTo('/closed', other.url('/page')), ...leaves('/mapped', '/closed') }).map(([path, inner]) => [path, behind(inner)])))
    const job = await crawled(service, { url: site.url('/'), allowExternalLinks: true, scrapeOptions: { headers: { Authorization: 'Bearer pass' } } })
    expect([job.paths, job.skipped]).toEqual([expect.arrayContaining(['/', '/mapped']), expect.arrayContaining(['/closed robots'])])
    expect([other.hits('/theirs.xml'), other.requests().filter(({ headers }) => 'authorization' in headers)]).toEqual([1, []])
  })

  it('on a host that cannot be asked for its robots.txt are not read, and the warning does not say that this bars them', async () => {
    const gone = await siteWith({})
    await gone.close()
    const site = await siteWith({ ...leaves('/', '/mapped'), '/sitemap.xml': map((origin) => `<sitemapindex><sitemap><loc>${origin}/ours.xml</loc></sitemap><sitemap><loc>${gone.url('/theirs.xml')}</loc></sitemap></sitemapindex>`), '/ours.xml': map(urls('/mapped')) })
    const { paths, status } = await crawled(service, { url: site.url('/') })
    expect([paths, status.warning]).toEqual([['/', '/mapped'], 'Sitemap files that robots.txt bars, or whose host gave no robots.txt that could be read, were not read.'])
  })

  it('are not requested with skip', async () => {
    const site = await siteWith(pages)
    expect((await crawled(service, { url: site.url('/'), sitemap: 'skip' })).paths).toEqual(['/', '/linked'])
    expect(site.hits('/sitemap.xml')).toBe(0)
  })

  it('are the only source of pages with only, apart from the start', async () => {
    const site = await siteWith(pages)
    // The links of the pages are listed as skipped, unless a sitemap names them, even if later.
    expect(await crawled(service, { url: site.url('/'), sitemap: 'only' })).toMatchObject({ paths: ['/', '/mapped', '/zipped'], skipped: ['/linked not-included'] })
    const both = await siteWith({ ...pages, '/': linksTo('/mapped', '/other'), '/mapped': linksTo('/zipped', '/other') })
    expect(await crawled(service, { url: both.url('/'), sitemap: 'only' })).toMatchObject({ paths: ['/', '/mapped', '/zipped'], skipped: ['/other not-included'] })
  })

  it('do not delay a crawl that has reached its limit', async () => {
    let read = false
    const never: Page = async (visit, answer) => {
      await visit.later(20_000)
      read = true
      await map(urls('/mapped'))(visit, answer)
    }
    const site = await siteWith({ '/': linksTo('/a', '/b'), ...leaves('/a', '/b', '/mapped'), '/sitemap.xml': never })
    expect(await crawled(service, { url: site.url('/'), limit: 2 })).toMatchObject({ status: { status: 'completed', total: 2, completed: 2 }, paths: ['/', '/a'], skipped: ['/b limit'] })
    expect(read).toBe(false)
  })

  it('are those that robots.txt names, wherever they are located', async () => {
    const robots = text(({ origin }) => `User-agent: *\nDisallow:\nSitemap: ${origin}/maps/one.xml\n`)
    const site = await siteWith({ ...pages, '/robots.txt': robots, '/maps/one.xml': map(urls('/named')) })
    expect((await crawled(service, { url: site.url('/') })).paths).toContain('/named')
  })

  it('give their pages depth 0, so that links on these are followed where links on linked pages are not', async () => {
    const site = await siteWith({ '/': linksTo('/a'), '/a': linksTo('/b', '/n/'), '/m': linksTo('/n'), ...leaves('/b', '/n'), '/sitemap.xml': map(urls('/m')) })
    // A page that is too deep by one path but not by another is not listed as skipped; another spelling of it is listed
    // as a duplicate.
    expect(await crawled(service, { url: site.url('/'), maxDiscoveryDepth: 1 })).toMatchObject({ paths: ['/', '/a', '/m', '/n'], skipped: ['/b depth', '/n/ duplicate'] })
  })

  it('give their pages depth 0 even if these are linked as well, however late the sitemaps are read', async () => {
    const late: Page = async (visit, answer) => {
      await visit.later(300)
      await map(urls('/a'))(visit, answer)
    }
    const site = await siteWith({ '/': linksTo('/a', '/side'), '/a': linksTo('/b'), '/b': linksTo('/c'), '/side': linksTo('/d'), ...leaves('/c', '/d'), '/sitemap.xml': late })
    expect(await crawled(service, { url: site.url('/'), maxDiscoveryDepth: 1 })).toMatchObject({ status: { status: 'completed' }, paths: ['/', '/a', '/b', '/side'], skipped: ['/c depth', '/d depth'] })
  })

  it('cause a warning if they cannot be read, or are empty with only', async () => {
    const robots = text(({ origin }) => `Sitemap: ${origin}/gone.xml\n`)
    const site = await siteWith({ '/': linksTo('/a'), ...leaves('/a'), '/robots.txt': robots })
    expect((await crawled(service, { url: site.url('/') })).status).toMatchObject({ status: 'completed', completed: 2, warning: expect.stringContaining('could not be read') })
    expect((await crawled(service, { url: site.url('/'), sitemap: 'only' })).status).toMatchObject({ status: 'completed', completed: 1, warning: expect.stringContaining('No sitemap') })
  })

  const broken: Page = (visit, answer) => answer.send(200, { 'content-type': 'application/xml' }, urls('/mapped')(visit.origin).replace('</urlset>', ''))
  const large = zipped((origin) => urls('/mapped')(origin).replace('</urlset>', `${' '.repeat(51 * 2 ** 20)}</urlset>`))
  const deep = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [i === 0 ? '/sitemap.xml' : `/${i}.xml`, i === 4 ? map(urls('/lost')) : index(`/${i + 1}.xml`)]))
  const unread = 'Of the sitemaps, 1 of 1 files could not be read to their end.'
  const fails: Page = (_, answer) => answer.send(500, {}, '')

  it.each([
    ['breaks off', { '/sitemap.xml': broken }, ['/', '/mapped'], unread],
    ['is too large', { '/sitemap.xml': large }, ['/', '/mapped'], 'Of a sitemap or feed no more than 50,000 URLs and 50 MB are read, and the site has one with more.'],
    ['lies too deep', deep, ['/'], 'Sitemaps nested deeper than 4 levels were not read. No sitemap that could be read names a page of this crawl.'],
    ['cannot be had', { '/sitemap.xml': fails }, ['/'], `${unread} No sitemap that could be read names a page of this crawl.`],
    ['is not there', {}, ['/'], 'No sitemap of the site names a page of this crawl.'],
  ])('cause a warning with only if the one at the usual place %s', async (_, files, paths, warning) => {
    const site = await siteWith({ '/': linksTo('/linked'), ...leaves('/linked', '/mapped', '/lost'), ...files })
    const job = await crawled(service, { url: site.url('/'), sitemap: 'only' })
    expect([job.paths, job.status.warning]).toEqual([paths, warning])
  })

  it('cause a warning with include if the usual one cannot be read, but not if there is none', async () => {
    const pages = { '/': linksTo('/linked'), ...leaves('/linked') }
    const [failing, without] = [await siteWith({ ...pages, '/sitemap.xml': fails }), await siteWith(pages)]
    expect((await crawled(service, { url: failing.url('/') })).status).toMatchObject({ completed: 2, warning: unread })
    expect((await crawled(service, { url: without.url('/') })).status.warning).toBe(undefined)
  })

  it('contribute URLs that follow the same rules as links', async () => {
    const site = await siteWith({ '/docs/': linksTo(), ...leaves('/docs/a', '/docs/b'), '/sitemap.xml': map((origin) => urls('/docs/a', '/blog', '/docs/b', '/docs/picture.png')(origin).replace('</urlset>', '<url><loc>http://elsewhere.test/</loc></url><url><loc>ftp://site.test/f</loc></url><url><loc>http://[</loc></url></urlset>')) })
    expect(await crawled(service, { url: site.url('/docs/'), excludePaths: ['b$'] })).toMatchObject({ paths: ['/docs/', '/docs/a'], skipped: ['/blog path', '/docs/b excluded', '/docs/picture.png excluded', 'ftp://site.test/f scheme', 'http://[ invalid', 'http://elsewhere.test/ external'] })
  })
})

describe('robots.txt', { timeout: 60_000 }, () => {
  const robots = text(() => 'User-agent: *\nDisallow: /private\n\nUser-agent: Trawl\nDisallow: /hidden\n\nUser-agent: Friend\nDisallow: /a\n')
  const pages = { '/robots.txt': robots, '/': linksTo('/a', '/hidden/b', '/private'), ...leaves('/a', '/hidden/b', '/private') }

  it('prevents the fetching of what it forbids, which is reported', async () => {
    const site = await siteWith(pages)
    const job = await crawled(service, { url: site.url('/') })
    expect(job).toMatchObject({ paths: ['/', '/private', '/a'].sort(), robotsBlocked: ['/hidden/b'], skipped: ['/hidden/b robots'], errors: [] })
    expect([job.status.warning !== undefined, site.hits('/hidden/b'), site.hits('/robots.txt')]).toEqual([true, 0, 1])
  })

  it('makes the crawl fail if it forbids the start', async () => {
    const site = await siteWith({ ...pages, '/hidden/b': linksTo('/hidden/c') })
    const job = await crawled(service, { url: site.url('/hidden/b') })
    expect(job).toMatchObject({ status: { status: 'failed', completed: 0, total: 0, error: expect.stringContaining('robots.txt') }, errors: ['/hidden/b CRAWL_DENIAL'], robotsBlocked: ['/hidden/b'] })
    expect(site.hits('/hidden/b')).toBe(0)
  })

  it('may be ignored, or read for another user agent, by teams that are allowed to', async () => {
    const site = await siteWith(pages)
    expect((await crawled(service, { url: site.url('/'), ignoreRobotsTxt: true })).paths).toEqual(['/', '/a', '/hidden/b', '/private'])
    expect((await crawled(service, { url: site.url('/'), robotsUserAgent: 'Friend/1.0' })).paths).toEqual(['/', '/hidden/b', '/private'])
    expect((await crawled(service, { url: site.url('/'), robotsUserAgent: 'Stranger' })).paths).toEqual(['/', '/a', '/hidden/b'])
  })

  it('may not be ignored by other teams', async () => {
    const headers = { authorization: 'Bearer fc-other-key-0123456789' }
    const answers = await Promise.all([{ ignoreRobotsTxt: true }, { robotsUserAgent: 'Friend' }].map((options) => service.call('POST', '/v2/crawl', { url: 'http://site.test/', ...options }, headers)))
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual([[403, 'FORBIDDEN'], [403, 'FORBIDDEN']])
  })

  it('forbids nothing if it redirects endlessly', async () => {
    const site = await siteWith({ ...pages, '/robots.txt': (_, answer) => answer.send(302, { location: '/robots.txt' }) })
    expect((await crawled(service, { url: site.url('/') })).paths).toEqual(['/', '/a', '/hidden/b', '/private'])
  })

  it('is requested again if the connection breaks once, and so is a sitemap', async () => {
    const atSecond = (there: Page): Page => (visit, answer) => (visit.count === 1 ? answer.cut() : there(visit, answer))
    const site = await siteWith({ '/': linksTo('/a', '/hidden'), ...leaves('/a', '/b', '/hidden'), '/robots.txt': atSecond(text(() => 'User-agent: *\nDisallow: /hidden')), '/sitemap.xml': atSecond(map(urls('/b'))) })
    expect(await crawled(service, { url: site.url('/') })).toMatchObject({ status: { status: 'completed' }, paths: ['/', '/a', '/b'], robotsBlocked: ['/hidden'] })
  })

  it('forbids everything if its host keeps failing', async () => {
    const site = await siteWith({ ...pages, '/robots.txt': (_, answer) => answer.send(500, {}, '') })
    const { status, errors, robotsBlocked } = await crawled(service, { url: site.url('/') })
    expect(status).toMatchObject({ status: 'failed', completed: 0, error: 'The site answered with status 500 for its robots.txt: until that can be read, nothing of the site may be fetched.' })
    expect([errors, robotsBlocked, site.hits('/'), site.hits('/sitemap.xml'), site.hits('/robots.txt')]).toEqual([['/ SCRAPE_SITE_ERROR'], [], 0, 0, 4])
    expect((await service.call('POST', '/v2/map', { url: site.url('/'), ignoreCache: true })).json.warning).toContain('status 500 for its robots.txt')
  })

  it.each([503, 429])('is requested again, before any page, if it is temporarily unavailable (%i)', async (status) => {
    let asked = 0
    const site = await siteWith({ ...pages, '/robots.txt': (visit, answer) => (asked++ === 0 ? answer.send(status, {}, '') : pages['/robots.txt']?.(visit, answer)) })
    const job = await crawled(service, { url: site.url('/') })
    expect([job.status.status, job.paths, job.robotsBlocked.length > 0]).toEqual(['completed', ['/', '/a', '/private'], true])
  })

  it('prevents the search for a sitemap that it forbids, but not the use of one that it names', async () => {
    const siteSaying = (more: string): ReturnType<typeof siteWith> => siteWith({ '/': linksTo('/a'), ...leaves('/a', '/mapped'), '/sitemap.xml': map(urls('/mapped')), '/robots.txt': text(({ origin }) => `User-agent: *\nDisallow: /sitemap.xml\n${more.replace('ORIGIN', origin)}\n`) })
    const [site, named] = [await siteSaying(''), await siteSaying('Sitemap: ORIGIN/sitemap.xml')]
    expect((await crawled(service, { url: site.url('/') })).paths).toEqual(['/', '/a'])
    expect(site.hits('/sitemap.xml')).toBe(0)
    expect((await crawled(service, { url: site.url('/'), ignoreRobotsTxt: true })).paths).toEqual(['/', '/a', '/mapped'])
    expect((await crawled(service, { url: named.url('/') })).paths).toEqual(['/', '/a', '/mapped'])
    const gone = await siteSaying('Sitemap: ORIGIN/gone.xml')
    expect((await crawled(service, { url: gone.url('/') })).paths).toEqual(['/', '/a'])
    expect(gone.hits('/sitemap.xml')).toBe(0)
    expect((await crawled(service, { url: gone.url('/'), ignoreRobotsTxt: true })).paths).toEqual(['/', '/a', '/mapped'])
  })
})
