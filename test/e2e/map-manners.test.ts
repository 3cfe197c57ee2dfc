import { afterAll, beforeAll, expect, it } from 'vitest'
import { siteWith } from '../crawls.ts'
import { type Answered, startTrawl, type TestService } from '../service.ts'
import type { Page } from '../site/page.ts'
import { index, linking, robots, sitemap } from '../site/pages/map.ts'

let trawl: TestService
beforeAll(async () => {
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', TRAWL_CHROMIUM_PATH: '/none' } })
}, 60_000)
afterAll(() => trawl.stop())

const map = (body: object): Promise<Answered> => trawl.call('POST', '/v2/map', body)
const pathsOf = (answer: Answered): string[] => answer.json.links.map(({ url }: { url: string }) => new URL(url).pathname).sort()
const to = (path: string): Page => (_visit, answer) => answer.send(302, { location: path })
const inside = linking('Inside', '<a href="/private/deep">Deep</a>')

it('a map follows no redirect to what robots.txt blocks, from the start page, a further page or a feed', async () => {
  const start = await siteWith({ '/robots.txt': robots('User-agent: *', 'Disallow: /private'), '/': to('/private/home'), '/private/home': inside })
  const barred = await map({ url: start.url('/'), sitemap: 'skip' })
  expect([pathsOf(barred), barred.json.warning, start.hits('/private/home')]).toEqual([[], 'No URL was found that fits the request. robots.txt does not allow the start page to be fetched.', 0])
  const list = await siteWith({
    '/robots.txt': robots('User-agent: *', 'Disallow: /private'),
    '/': linking('List', '<a href="/2" rel="next">next</a> <a href="/a">A</a>'), '/2': to('/private/list'), '/private/list': inside,
  })
  const answer = await map({ url: list.url('/'), sitemap: 'skip' })
  expect([pathsOf(answer), list.hits('/2'), list.hits('/private/list')]).toEqual([['/', '/2', '/a'], 1, 0])
})

it('a map of a site that redirects to where nothing listens reports that', async () => {
  const closed = await siteWith({})
  const gone = closed.url('/gone')
  await closed.close()
  const site = await siteWith({ '/': to(gone) })
  const answer = await map({ url: site.url('/'), sitemap: 'skip' })
  expect([answer.status, answer.json.code, answer.json.error]).toEqual([500, 'MAP_FAILED', expect.stringContaining('The site cannot be reached')])
})

it('a map of a site whose robots.txt is unavailable fetches nothing of it', async () => {
  const site = await siteWith({ '/robots.txt': (_visit, answer) => answer.cut(), '/': linking('Home', '<a href="/a">A</a>'), '/sitemap.xml': sitemap('/b') })
  const answer = await map({ url: site.url('/') })
  expect([answer.status, answer.json.code, site.hits('/'), site.hits('/sitemap.xml')]).toEqual([500, 'MAP_FAILED', 0, 0])
})

it('a map requests robots.txt with the headers of its request, and does not share it', async () => {
  const named = robots('User-agent: *', 'Disallow: /', 'Sitemap: ORIGIN/hidden.xml')
  const site = await siteWith({ '/robots.txt': (visit, answer) => (visit.headers['x-pass'] === 'yes' ? named(visit, answer) : answer.send(404, {}, '')), '/hidden.xml': sitemap('/secret'), '/': linking('Home', '<a href="/a">A</a>') })
  const one = await map({ url: site.url('/'), headers: { 'x-pass': 'yes' } })
  const other = await map({ url: site.url('/') })
  expect([pathsOf(one), pathsOf(other)]).toEqual([['/secret'], ['/', '/a']])
})

it('a map sends the headers of its request to the site that it names, and nowhere that site redirects', async () => {
  const other = await siteWith({ '/': linking('Home', '<a href="/list/2" rel="next">2</a>'), '/list/2': linking('List', '<a href="/b">B</a>') })
  const site = await siteWith({ '/': to(other.url('/')) })
  const answer = await map({ url: site.url('/'), headers: { Authorization: 'Bearer pass' } })
  expect([pathsOf(answer), other.hits('/list/2'), site.lastRequest('/')?.headers['authorization']]).toEqual([['/', '/b', '/list/2'], 1, 'Bearer pass'])
  expect(other.requests().filter(({ headers }) => 'authorization' in headers)).toEqual([])
})

it('a map waits for a sitemap of an overloaded site, and reports that a list goes on', async () => {
  const page = (n: number): Page => linking(`Page ${n}`, `<a href="/n/${n + 1}" rel="next">next</a>`)
  const once: Page = (visit, answer) => (visit.count === 1 ? answer.send(429, { 'retry-after': '1' }, '') : sitemap('/late')(visit, answer))
  const site = await siteWith({ '/robots.txt': robots('Sitemap: ORIGIN/map.xml'), '/map.xml': index('/child.xml'), '/child.xml': once, '/': page(0), ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`/n/${i + 1}`, page(i + 1)])) })
  const answer = await map({ url: site.url('/') })
  expect([pathsOf(answer).includes('/late'), pathsOf(answer).length, answer.json.warning]).toEqual([true, 23, 'The list on the start page goes on beyond the pages of it that were read.'])
})
