import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawled, jobEnd, leaves, linksTo, numbered, siteWith, startJob } from '../crawls.ts'
import { otherKey, startTrawl, type TestService } from '../service.ts'
import { htmlType, type Page } from '../site/page.ts'

let service: TestService
beforeAll(async () => {
  service = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', TRAWL_ZDR_TEAMS: 'default' } })
}, 60_000)
afterAll(() => service.stop())

interface Doc {
  readonly markdown?: string
  readonly warning?: string
  readonly metadata: { readonly sourceURL: string; readonly scrapeId: string; readonly verdict: string }
}
const byPath = (job: { status: { data: readonly Doc[] } }): Readonly<Record<string, Doc>> => Object.fromEntries(job.status.data.map((doc) => [new URL(doc.metadata.sourceURL).pathname, doc]))

/** Whether a text is in a file of the store: its database and blobs are files in this folder. */
function isStored(folder: string, text: string): boolean {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).some((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
}

describe('a page of a crawl', { timeout: 90_000 }, () => {
  it('is retried if it is empty or says that the site is busy, and kept as it is the third time', async () => {
    const once = (said: string): Page => {
      let asked = 0
      return (visit, answer) => (asked++ === 0 ? answer.send(200, { 'content-type': htmlType }, said) : leaves('/x')['/x']?.(visit, answer))
    }
    const always: Page = (_visit, answer) => answer.send(200, { 'content-type': htmlType }, '')
    const site = await siteWith({ '/': linksTo('/a', '/b', '/c', '/never'), '/a': once(''), '/b': once('<title></title><body></body>'), '/c': once('<title>Shop</title><h1>The server is too busy</h1><p>Please try again later.</p>'), '/never': always })
    const job = await crawled(service, { url: site.url('/'), sitemap: 'skip' })
    expect(Object.values(byPath(job)).map(({ metadata }) => `${new URL(metadata.sourceURL).pathname} ${metadata.verdict}`).sort()).toEqual(['/ ok', '/a ok', '/b ok', '/c ok', '/never empty'])
    expect([['/a', '/b', '/c', '/never'].map((path) => site.hits(path)), job.status.creditsUsed]).toEqual([[2, 2, 2, 3], 4])
  })

  it('that redirects to a login is delivered once; others that redirect there are duplicates', async () => {
    const members = numbered(5, '/members')
    const login: Page = (_visit, answer) => answer.send(200, { 'content-type': htmlType }, '<title>Log in</title><h1>Log in</h1><form><input name="user"><input type="password" name="word"><button>Log in</button></form>')
    const guarded = (path: string): Page => (_visit, answer) => answer.send(302, { location: `/login?next=${path}` }, '')
    const site = await siteWith({ '/': linksTo(...members), ...Object.fromEntries(members.map((path) => [path, guarded(path)])), '/login': login })
    const job = await crawled(service, { url: site.url('/'), sitemap: 'skip' })
    expect([job.paths.length, job.skipped.map((line) => line.split(' ')[1]), job.status.creditsUsed]).toEqual([2, Array.from({ length: 4 }, () => 'duplicate'), 2])
  })

  it('that does not exist leads nowhere; only the links of such a start are followed', async () => {
    const missing = (status: number): Page => (_visit, answer) => answer.send(status, { 'content-type': htmlType }, '<!doctype html><title>Page not found</title><h1>Page not found</h1><p>The page you were looking for does not exist.</p><a href="deeper/">Deeper</a><a href="/found">Found</a>')
    const site = await siteWith({ '/soft/': missing(200), '/hard/': missing(404), '/soft/deeper/': missing(200), '/hard/deeper/': missing(404), '/': linksTo('/soft/', '/hard/'), ...leaves('/found') })
    const [job, from] = [await crawled(service, { url: site.url('/'), sitemap: 'skip' }), await crawled(service, { url: site.url('/soft/'), sitemap: 'skip', crawlEntireDomain: true })]
    expect([job.paths, job.skipped]).toEqual([['/', '/hard/', '/soft/'], ['/found not-included', '/hard/deeper/ not-included', '/soft/deeper/ not-included']])
    expect(from.paths).toEqual(['/found', '/soft/', '/soft/deeper/'])
  })

  it('may be a document, made by its scripts, a bot check, or no page at all', async () => {
    const paths = ['/files/doc.pdf', '/scripts/fetched', '/walls/login', '/walls/challenge', '/files/data.json', '/soft-404']
    const site = await siteWith({ '/': linksTo(...paths) })
    const job = await crawled(service, { url: site.url('/'), excludePaths: ['forgot'] })
    const docs = byPath(job)
    expect(Object.fromEntries(Object.entries(docs).map(([path, { metadata }]) => [path, metadata.verdict]))).toEqual({
      '/': 'ok', '/files/doc.pdf': 'ok', '/scripts/fetched': 'ok', '/walls/login': 'login', '/walls/challenge': 'challenge', '/files/data.json': 'ok', '/soft-404': 'soft-404',
    })
    expect([docs['/files/doc.pdf']?.markdown?.includes('Tide tables for 2026'), docs['/scripts/fetched']?.markdown?.includes('MARK'), job.errors]).toEqual([true, true, []])
    // A challenge costs no credits.
    expect(job.status).toMatchObject({ status: 'completed', completed: 7, creditsUsed: 6 })
  })

  it('is no longer rendered if its site refuses the browser as well, after a few attempts', async () => {
    const paths = numbered(30)
    const wall: Page = (_visit, answer) => answer.send(403, { 'content-type': htmlType, 'cf-mitigated': 'challenge' }, '<title>Harbour</title><p>Not you.</p><script>document.title += "!"</script>')
    const site = await siteWith({ '/': linksTo(...paths), ...Object.fromEntries(paths.map((path) => [path, wall])) })
    const job = await crawled(service, { url: site.url('/'), sitemap: 'skip', maxConcurrency: 1, scrapeOptions: { proxy: 'basic' } })
    const walled = job.status.data.filter(({ metadata }: Doc) => metadata.verdict === 'challenge')
    // The first five, and the twentieth after them.
    expect([walled.length, paths.filter((path) => site.hits(path) > 1).length, job.status.creditsUsed]).toEqual([30, 6, 1])
    expect(walled.filter(({ warning }: Doc) => warning?.includes('The browser was not tried') === true)).toHaveLength(24)
  })

  it('is scraped with the scrapeOptions of the crawl', async () => {
    const header: Page = (visit, answer) => answer.send(200, { 'content-type': htmlType }, `<nav>menu</nav><main><h1>${visit.headers['x-tide'] ?? 'none'}</h1><p class="ad">advertisement</p><p>The harbour office keeps the tide tables of the last hundred years.</p><a href="/b">b</a></main>`)
    const site = await siteWith({ '/': header, '/b': header })
    const job = await crawled(service, { url: site.url('/'), scrapeOptions: { formats: ['markdown', 'links', 'rawHtml'], headers: { 'X-Tide': 'high' }, excludeTags: ['.ad'], onlyMainContent: false } })
    expect(job.status.data).toHaveLength(2)
    for (const page of job.status.data) {
      expect(page).toMatchObject({ markdown: expect.stringContaining('# high'), links: [site.url('/b')], rawHtml: expect.stringContaining('advertisement') })
      expect([page.markdown.includes('advertisement'), page.markdown.includes('menu')]).toEqual([false, true])
    }
  })

  it('can be read by its scrape id, by its own team only', async () => {
    const site = await siteWith({ '/': linksTo() })
    const { status } = await crawled(service, { url: site.url('/') })
    const path = `/v2/scrape/${status.data[0].metadata.scrapeId}`
    const answers = [await service.call('GET', path), await service.call('GET', path, undefined, { authorization: `Bearer ${otherKey}` })]
    expect(answers.map((answer) => [answer.status, answer.json.data?.markdown])).toEqual([[200, status.data[0].markdown], [403, undefined]])
  })

  it('comes from the cache if it is there, and only from there with minAge and lockdown, where a missing page is an error', async () => {
    const site = await siteWith({ '/': linksTo('/a'), ...leaves('/a') })
    await service.scrape({ url: site.url('/') })
    for (const [options, code] of [[{ minAge: 1 }, 'SCRAPE_NO_CACHED_DATA'], [{ lockdown: true }, 'SCRAPE_LOCKDOWN_CACHE_MISS']] as const) {
      site.reset()
      const job = await crawled(service, { url: site.url('/'), scrapeOptions: options })
      expect(job).toMatchObject({ status: { status: 'completed', completed: 1 }, paths: ['/'], errors: [`/a ${code}`] })
      expect(site.requests()).toEqual([])
      const batch = await startJob(service, 'batch/scrape', { urls: [site.url('/'), site.url('/a')], ...options })
      expect(await jobEnd(service, batch, { kind: 'batch/scrape' })).toMatchObject({ status: { status: 'completed', completed: 1 }, paths: ['/'], errors: [`/a ${code}`] })
      expect(site.hits()).toBe(0)
    }
  })
})

describe('a crawl of pages that have been crawled before', { timeout: 90_000 }, () => {
  const tagged = (inner: Page): Page => (visit, answer) => {
    if (visit.headers['if-none-match'] === '"one"') return answer.send(304, { etag: '"one"' })
    return inner(visit, { ...answer, send: (status, headers, body) => answer.send(status, { ...headers, etag: '"one"' }, body) })
  }
  const pagesOf = () => ({ '/': tagged(linksTo('/a')), '/a': tagged(linksTo('/b')), '/b': tagged(linksTo()) })

  it('takes them and their links from the cache while they are young enough', async () => {
    const site = await siteWith(pagesOf())
    const first = await crawled(service, { url: site.url('/'), sitemap: 'skip' })
    site.reset()
    const second = await crawled(service, { url: site.url('/'), sitemap: 'skip' })
    expect([first.paths, second.paths, site.requests().filter(({ path }) => path !== '/robots.txt')]).toEqual([['/', '/a', '/b'], ['/', '/a', '/b'], []])
    expect(second.status.data.map(({ metadata }: { metadata: { cacheState: string } }) => metadata.cacheState)).toEqual(['hit', 'hit', 'hit'])
  })

  it('asks the site whether older ones have changed, and follows the links of unchanged ones', async () => {
    const site = await siteWith(pagesOf())
    await crawled(service, { url: site.url('/'), sitemap: 'skip' })
    site.reset()
    const again = await crawled(service, { url: site.url('/'), sitemap: 'skip', scrapeOptions: { maxAge: 1 } })
    expect([again.paths, again.errors, ['/', '/a', '/b'].map((path) => site.lastRequest(path)?.headers['if-none-match'])]).toEqual([['/', '/a', '/b'], [], ['"one"', '"one"', '"one"']])
  })
})

describe('a crawl with zero data retention', { timeout: 90_000 }, () => {
  it('is available only to teams that are allowed to use it', async () => {
    const headers = { authorization: `Bearer ${otherKey}` }
    const answers = [await service.call('POST', '/v2/crawl', { url: 'http://site.test/', zeroDataRetention: true }, headers), await service.call('POST', '/v2/crawl', { url: 'http://site.test/', scrapeOptions: { zeroDataRetention: true } }, headers)]
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual([[403, 'FORBIDDEN'], [403, 'FORBIDDEN']])
  })

  it('keeps its results only in the job, writes no URL to the log, and is deleted by DELETE', async () => {
    const site = await siteWith({ '/zero': linksTo('/zero/secretpath', '/zero/slow', '/outside'), ...leaves('/zero/secretpath'), '/zero/slow': async (visit) => visit.later(600_000) })
    const id = await startJob(service, 'crawl', { url: site.url('/zero'), zeroDataRetention: true })
    await expect.poll(async () => (await service.call('GET', `/v2/crawl/${id}`)).json.completed, { timeout: 20_000 }).toBe(2)
    const { json: status } = await service.call('GET', `/v2/crawl/${id}`)
    expect(status.creditsUsed).toBe(4)
    const single = await service.call('GET', `/v2/scrape/${status.data[0].metadata.scrapeId}`)
    expect(single.status).toBe(404)
    const cached = await service.scrape({ url: site.url('/zero/secretpath'), minAge: 1 })
    expect(cached.json.code).toBe('SCRAPE_NO_CACHED_DATA')
    expect(service.output().includes('secretpath')).toBe(false)
    expect(isStored(service.dataDir, 'secretpath')).toBe(true)
    expect((await service.call('DELETE', `/v2/crawl/${id}`)).json).toEqual({ success: true, status: 'cancelled' })
    const after = await Promise.all(['', '/errors?skipped=true', '/export', '/events'].map((path) => service.call('GET', `/v2/crawl/${id}${path}`)))
    expect([after[0]?.json.data, after[1]?.json, after[2]?.json.code]).toEqual([[], { success: true, errors: [], robotsBlocked: [], skipped: [] }, 'JOB_EXPIRED'])
    expect(after.some(({ text }) => text.includes('secretpath'))).toBe(false)
  })
})
