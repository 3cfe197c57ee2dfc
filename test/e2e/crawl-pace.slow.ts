import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { crawled, dataDirOfTest, gauge, linksTo, numbered, siteWith, startJob, jobEnd } from '../crawls.ts'
import { otherKey, startTrawl, type TestService } from '../service.ts'
import { type Answer, document, htmlType, page, type Page, type Pages } from '../site/page.ts'

let service: TestService
beforeAll(async () => {
  service = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', TRAWL_TEAM_CONCURRENCY: '8', TRAWL_MAX_CONCURRENCY: '8' } })
}, 60_000)
afterAll(() => service.stop())

const leaf = page(document('Leaf', '<main><h1>Leaf</h1><p>The harbour office keeps the tide tables of the last hundred years here.</p></main>'))
const all = (paths: readonly string[], one: Page): Pages => Object.fromEntries(paths.map((path) => [path, one]))

describe('a crawl', { timeout: 120_000 }, () => {
  it('fetches as many pages at once as maxConcurrency allows', async () => {
    const [paths, { over, most }] = [numbered(12), gauge(3)]
    const site = await siteWith({ '/': linksTo(...paths), ...all(paths, over(leaf)) })
    const job = await crawled(service, { url: site.url('/'), maxConcurrency: 3, sitemap: 'skip' })
    expect([job.paths.length, most()]).toEqual([13, 3])
  })

  it('fails no page that waits while others are read, and fetches few pages ahead of these', { timeout: 120_000 }, async () => {
    // A few milliseconds of work each: together more than the timeout of one page.
    const large = page(document('Tides', `<main><h1>Tide tables</h1>${'<p>High <i>water</i> is at six, low water at noon, and the gauge at the pier counts every wave in between.</p>'.repeat(200)}</main>`))
    const paths = numbered(300)
    const site = await siteWith(all(paths, large))
    const own = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', TRAWL_CHROMIUM_PATH: '/none', TRAWL_TEAM_CONCURRENCY: '1000', TRAWL_MAX_CONCURRENCY: '1000' } })
    onTestFinished(async () => void (await own.stop()))
    const id = await startJob(own, 'batch/scrape', { urls: paths.map((path) => site.url(path)), timeout: 1_000 })
    let ahead = 0
    for (let done = 0; done < 200; await sleep(50)) {
      // Count before the status request, to exclude pages fetched during it.
      const fetched = site.requests().length
      done = (await own.call('GET', `/v2/batch/scrape/${id}?limit=1`)).json.completed
      ahead = Math.max(ahead, fetched - done)
    }
    const job = await jobEnd(own, id, { kind: 'batch/scrape' })
    expect([job.errors, job.paths.length]).toEqual([[], 300])
    // Usually 30 to 60; without the limit, more than 150.
    expect(ahead).toBeLessThan(110)
  })

  it('fails no page that waits for the browser', { timeout: 120_000 }, async () => {
    // Each on another host, so that the limit per host does not delay them.
    const sites = await Promise.all(Array.from({ length: 12 }, () => siteWith({ '/': leaf })))
    const own = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', TRAWL_BROWSER_CONCURRENCY: '1' } })
    onTestFinished(async () => void (await own.stop()))
    // Together they take twice the timeout of one page.
    const job = await jobEnd(own, await startJob(own, 'batch/scrape', { urls: sites.map((site) => site.url('/')), waitFor: 1_000, timeout: 6_000 }), { kind: 'batch/scrape' })
    expect([job.errors, job.paths.length]).toEqual([[], 12])
  })

  it('leaves one slot of its team free, whatever maxConcurrency allows', async () => {
    const [paths, { over, most }] = [numbered(21), gauge(7)]
    const site = await siteWith({ '/': linksTo(...paths), ...all(paths, over(leaf)) })
    const job = await crawled(service, { url: site.url('/'), maxConcurrency: 50, sitemap: 'skip' })
    expect([job.paths.length, most()]).toEqual([22, 7])
  })

  it('fetches one page at a time with a delay, and waits for the delay between two pages', async () => {
    const [paths, { over, most }, ends] = [numbered(4), gauge(1, 5), new Array<readonly [number, number]>()]
    const timed: Page = async (visit, answer) => {
      const start = performance.now()
      await over(leaf)(visit, answer)
      ends.push([start, performance.now()])
    }
    const site = await siteWith({ '/': linksTo(...paths), ...all(paths, timed) })
    const job = await crawled(service, { url: site.url('/'), delay: 0.2, maxConcurrency: 5, sitemap: 'skip' })
    const pauses = ends.slice(1).map(([start], i) => start - (ends[i]?.[1] ?? 0))
    expect([job.paths.length, most(), pauses.length, pauses.every((ms) => ms > 190)]).toEqual([5, 1, 3, true])
  })

  it('fetches one page at a time if robots.txt has a Crawl-delay', async () => {
    const [paths, { over, most }] = [numbered(3), gauge(1, 5)]
    const robots: Page = (_, answer) => answer.send(200, { 'content-type': 'text/plain' }, 'User-agent: *\nCrawl-delay: 0.1\n')
    const site = await siteWith({ '/robots.txt': robots, '/': linksTo(...paths), ...all(paths, over(leaf)) })
    expect([(await crawled(service, { url: site.url('/'), sitemap: 'skip' })).paths.length, most()]).toEqual([4, 1])
  })

  describe('of several hosts with a Crawl-delay each', () => {
    const asking = (seconds: number): Page => (_, answer) => answer.send(200, { 'content-type': 'text/plain' }, `User-agent: *\nCrawl-delay: ${seconds}\n`)
    /** A site that records the milliseconds between the requests for its pages. */
    const timed = async (seconds: number, pages: (at: Page) => Pages): Promise<{ readonly site: Awaited<ReturnType<typeof siteWith>>; readonly pauses: () => readonly number[] }> => {
      const times: number[] = []
      const at: Page = (visit, answer) => {
        times.push(performance.now())
        return leaf(visit, answer)
      }
      const site = await siteWith({ ...(seconds > 0 ? { '/robots.txt': asking(seconds) } : {}), ...pages(at) })
      return { site, pauses: () => times.slice(1).map((ms, i) => ms - (times[i] ?? 0)) }
    }

    it('respects it at each host from the first page on, even if many hosts are linked at once', async () => {
      const paths = numbered(4)
      const other = await timed(0.6, (at) => all(paths, at))
      const site = await siteWith({ '/robots.txt': asking(0.05), '/': linksTo(...paths.map(other.site.url)) })
      const job = await crawled(service, { url: site.url('/'), sitemap: 'skip', allowExternalLinks: true })
      expect([job.paths.length, other.pauses().length, Math.min(...other.pauses()) > 550]).toEqual([5, 3, true])
    })

    it('respects it between the pages of several crawls', async () => {
      const { site, pauses } = await timed(0.3, (at) => ({ '/': linksTo('/a'), '/b': linksTo('/c'), '/a': at, '/c': at, '/d': at }))
      await Promise.all(['/', '/b', '/d'].map((path) => crawled(service, { url: site.url(path), sitemap: 'skip', crawlEntireDomain: true })))
      expect([pauses().length >= 2, Math.min(...pauses()) > 280]).toEqual([true, true])
    })

    it('does not apply it to other hosts', async () => {
      // Ten pages a minute apart would take longer than the test may.
      const slow = await timed(60, (at) => ({ '/s': at }))
      const paths = numbered(10)
      const site = await siteWith({ '/': linksTo(slow.site.url('/s'), ...paths), ...all(paths, leaf) })
      expect((await crawled(service, { url: site.url('/'), sitemap: 'skip', allowExternalLinks: true })).paths.length).toBe(12)
    })
  })

  it('retries a page after the time that it asks for, and finally keeps its answer', async () => {
    const busy: Page = (visit, answer) => (visit.count < 3 ? answer.send(429, { 'content-type': htmlType, 'retry-after': '1' }, document('Later', '<h1>Later</h1>')) : leaf(visit, answer))
    const full: Page = (_, answer) => answer.send(503, { 'content-type': htmlType, 'retry-after': new Date(0).toUTCString() }, document('Full', '<main><h1>Full</h1></main>'))
    const site = await siteWith({ '/': linksTo('/busy'), '/busy': busy, '/full': full })
    const job = await crawled(service, { url: site.url('/') })
    expect([job.paths, job.status.data.map(({ metadata }: { metadata: { statusCode: number } }) => metadata.statusCode), site.hits('/busy')]).toEqual([['/', '/busy'], [200, 200], 3])
    const other = await siteWith({ '/full': full })
    expect((await crawled(service, { url: other.url('/full') })).status).toMatchObject({ status: 'completed', data: [{ metadata: { statusCode: 503 } }] })
    expect(other.hits('/full')).toBe(4)
  })

  it('lets another team take turns with a larger crawl', async () => {
    const [many, few] = [numbered(60, '/many'), numbered(5, '/few')]
    const held: Page = async (visit, answer) => {
      await visit.later(30)
      await leaf(visit, answer)
    }
    const site = await siteWith({ '/many': linksTo(...many), '/few': linksTo(...few), ...all(many, held), ...all(few, held) })
    const large = await startJob(service, 'crawl', { url: site.url('/many'), sitemap: 'skip' })
    await expect.poll(() => site.hits('/many/5')).toBe(1)
    const headers = { authorization: `Bearer ${otherKey}` }
    const small = await startJob(service, 'crawl', { url: site.url('/few'), sitemap: 'skip' }, headers)
    const ended = await jobEnd(service, small, { key: otherKey })
    const meanwhile = await service.call('GET', `/v2/crawl/${large}?limit=1`)
    expect([ended.paths.length, meanwhile.json.status]).toEqual([6, 'scraping'])
    expect((await jobEnd(service, large)).paths.length).toBe(61)
  })

  it('continues while the site of another job asks for a long wait or long delays', async () => {
    const [paths, robots] = [numbered(20), (_: unknown, answer: Answer) => answer.send(200, { 'content-type': 'text/plain' }, 'User-agent: *\nCrawl-delay: 600\n')]
    const busy: Page = (_, answer) => answer.send(429, { 'content-type': htmlType, 'retry-after': '600' }, document('Later', '<h1>Later</h1>'))
    const [refusing, slow, other] = [await siteWith(all(paths, busy)), await siteWith({ '/robots.txt': robots, '/': linksTo(...paths), ...all(paths, leaf) }), await siteWith({ '/': linksTo(...paths), ...all(paths, leaf) })]
    const jobs = [await startJob(service, 'batch/scrape', { urls: paths.map(refusing.url) }), await startJob(service, 'crawl', { url: slow.url('/') })] as const // two of them
    await expect.poll(() => [refusing.hits() > 0, slow.hits('/')], { timeout: 20_000 }).toEqual([true, 1])
    expect((await crawled(service, { url: other.url('/') })).paths.length).toBe(21)
    expect([refusing.hits() <= 8, slow.hits('/')]).toEqual([true, 1])
    await service.call('DELETE', `/v2/batch/scrape/${jobs[0]}`)
    await service.call('DELETE', `/v2/crawl/${jobs[1]}`)
  })

  it('frees its slots at once when it is cancelled, even if its pages would take minutes', async () => {
    const paths = numbered(7)
    const [stuck, other] = [await siteWith({ '/': linksTo(...paths), ...all(paths, (visit) => visit.later(600_000)) }), await siteWith({ '/': leaf })]
    const id = await startJob(service, 'crawl', { url: stuck.url('/'), sitemap: 'skip', scrapeOptions: { timeout: 300_000 } })
    await expect.poll(() => paths.filter((path) => stuck.hits(path) === 1).length, { timeout: 20_000 }).toBe(7)
    expect((await service.call('DELETE', `/v2/crawl/${id}`)).status).toBe(200)
    expect((await crawled(service, { url: other.url('/') })).status).toMatchObject({ status: 'completed', completed: 1 })
  })

  it('continues where it was after the service was stopped', async () => {
    const settings = { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' }
    const dataDir = dataDirOfTest()
    const first = await startTrawl({ settings, dataDir })
    const [paths, held] = [numbered(20), gauge(5)]
    const site = await siteWith({ '/': linksTo(...paths, ...numbered(20, '/q')), ...all(paths, leaf), ...all(numbered(20, '/q'), held.over(leaf)) })
    const id = await startJob(first, 'crawl', { url: site.url('/'), maxConcurrency: 4 })
    await expect.poll(() => site.hits('/q/3'), { timeout: 20_000 }).toBe(1)
    expect(await first.stop('SIGTERM')).toBe(0)
    const second = await startTrawl({ settings, dataDir })
    try {
      // The pages that were given back run at once, while the site still holds the requests of the first process.
      const job = await jobEnd(second, id)
      expect([job.status.status, job.paths.length, new Set(job.paths).size, job.errors]).toEqual(['completed', 41, 41, []])
    } finally {
      await second.stop()
    }
  })
})
