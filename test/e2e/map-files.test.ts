import { afterAll, beforeAll, expect, it } from 'vitest'
import { siteWith } from '../crawls.ts'
import { startTrawl, type TestService } from '../service.ts'
import type { Page, Pages } from '../site/page.ts'
import { index, linking, manyUrls, robots, sitemap } from '../site/pages/map.ts'

let trawl: TestService
beforeAll(async () => {
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' } })
}, 60_000)
afterAll(() => trawl.stop())

const file = (body: string): Page => (visit, answer) => answer.send(200, { 'content-type': 'application/xml' }, body.replaceAll('ORIGIN', visit.origin))
const broken = file('<urlset><url><loc>ORIGIN/a</loc></url>')
const deep: Pages = { '/sitemap.xml': index('/1.xml'), '/1.xml': index('/2.xml', '/good.xml'), '/2.xml': index('/3.xml'), '/3.xml': index('/4.xml'), '/4.xml': sitemap('/lost'), '/good.xml': sitemap('/good') }
const unread = 'Of the sitemaps, 1 of 1 files could not be read to their end.'

it.each<[string, Pages, number, string | undefined]>([
  ['of more URLs than may be in one', { '/sitemap.xml': manyUrls(50_001) }, 50_000, 'Of a sitemap or feed no more than 50,000 URLs and 50 MB are read, and the site has one with more.'],
  ['that breaks off', { '/sitemap.xml': broken }, 1, unread],
  ['that cannot be had', { '/sitemap.xml': (_visit, answer) => answer.send(500, {}, '') }, 0, `No URL was found that fits the request. ${unread}`],
  ['nested too deep', deep, 1, 'Sitemaps nested deeper than 4 levels were not read.'],
  ['that is not there', { '/sitemap.xml': (_visit, answer) => answer.send(410, {}, '') }, 0, 'No URL was found that fits the request.'],
  ['that is whole', { '/sitemap.xml': sitemap('/a', '/b') }, 2, undefined],
])('a sitemap %s, at the usual place, is reported as such, also from the cache', async (_what, pages, count, warning) => {
  const site = await siteWith({ '/robots.txt': robots('User-agent: *', 'Allow: /'), ...pages })
  for (let time = 0; time < 2; time++) {
    const { json } = await trawl.call('POST', '/v2/map', { url: site.url('/'), sitemap: 'only', limit: 60_000 })
    expect([json.links.length, json.warning]).toEqual([count, warning])
  }
}, 60_000)

it('feeds, also JSON feeds and feeds in place of sitemaps, provide titles and short descriptions for their links, also from the cache', async () => {
  const rss = file('<rss><channel><item><title>Tide</title><link>ORIGIN/tide</link><description>&lt;p&gt;It &lt;b&gt;comes&lt;/b&gt;&lt;/p&gt;</description></item></channel></rss>')
  const json: Page = (visit, answer) => answer.send(200, { 'content-type': 'application/feed+json' }, JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'News', items: [{ id: '1', url: `${visit.origin}/moon`, title: 'Moon', content_text: 'It goes' }] }))
  const atom = file('<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Sun</title><link href="/sun"/><summary>It stays</summary></entry></feed>')
  const site = await siteWith({ '/robots.txt': robots('Sitemap: ORIGIN/atom.xml'), '/atom.xml': atom, '/': linking('News', '', '<link rel="alternate" type="application/rss+xml" href="/feed.xml"><link rel="alternate" type="application/feed+json" href="/feed.json">'), '/feed.xml': rss, '/feed.json': json })
  for (let time = 0; time < 2; time++) {
    const { json: answer } = await trawl.call('POST', '/v2/map', { url: site.url('/') })
    expect(answer).toEqual({
      success: true,
      id: expect.any(String),
      links: [
        { url: site.url('/sun'), title: 'Sun', description: 'It stays' },
        { url: site.url('/'), title: 'News' },
        { url: site.url('/tide'), title: 'Tide', description: 'It comes' },
        { url: site.url('/moon'), title: 'Moon', description: 'It goes' },
      ],
    })
  }
  expect(site.hits('/atom.xml')).toBe(1)
})

it('a feed that breaks off is reported', async () => {
  const feed = file('<rss><channel><item><link>ORIGIN/new</link></item>')
  const site = await siteWith({ '/': linking('News', '', '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'), '/feed.xml': feed })
  const { json } = await trawl.call('POST', '/v2/map', { url: site.url('/') })
  expect([json.links.map(({ url }: { url: string }) => url), json.warning]).toEqual([[site.url('/'), site.url('/new')], '1 feeds could not be read to their end.'])
})

it.each([
  ['Disallow: /', 200, 'robots.txt names no sitemap, and does not allow one to be looked for.'],
  ['Allow: /', 503, 'The site answered with status 503 for its robots.txt, so that no sitemap may be looked for.'],
])('no sitemap is fetched where robots.txt blocks it (%s, %i), and that is reported', async (rule, status, warning) => {
  const site = await siteWith({ '/robots.txt': (_visit, answer) => answer.send(status, { 'content-type': 'text/plain' }, `User-agent: *\n${rule}`), '/sitemap.xml': sitemap('/a') })
  const { json } = await trawl.call('POST', '/v2/map', { url: site.url('/'), sitemap: 'only' })
  expect([json.links, json.warning, site.hits('/sitemap.xml')]).toEqual([[], `No URL was found that fits the request. ${warning}`, 0])
})
