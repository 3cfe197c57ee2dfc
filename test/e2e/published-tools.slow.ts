import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, desk, type Mcp } from '../published-tools.ts'
import { startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let trawl: TestService
let at: Desk
beforeAll(async () => {
  site = await startSite()
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_CREDITS: '500' } })
  at = await desk(trawl.base, testKey)
}, 400_000)
afterAll(async () => {
  at.close()
  await trawl.stop()
  await site.close()
})

/** The output of a command that must succeed. */
async function printed(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await at.cli(...args)
  expect([args.join(' '), code, code === 0 ? '' : stderr + stdout]).toEqual([args.join(' '), 0, ''])
  return stdout
}

describe('the official command line', () => {
  it('shows the state of the account, and finds no fault', async () => {
    expect(await printed('--status')).toMatch(/Authenticated[^]*0\/100 jobs[^]*500 \/ 500/)
    const checks = await printed('doctor')
    expect(checks).toMatch(/API Key Validity +accepted[^]*Credits +500 \/ 500[^]*Concurrency +0\/100 jobs/)
    expect(checks).toContain('0 failed')
    expect(await printed('credit-usage')).toContain('Remaining Credits: 500')
  })

  it('scrapes one page and several, in every format it has', async () => {
    const title = readFileSync(join(await saved(), 'one.md'), 'utf8')
    expect(title).toContain('# ')
    const both = await printed('scrape', site.url('/article'), '--format', 'markdown,links,summary', '--json', '--only-main-content', '--max-age', '0')
    expect(Object.keys(JSON.parse(both.slice(both.indexOf('{'))))).toEqual(expect.arrayContaining(['markdown', 'links', 'summary', 'metadata']))
    await printed('scrape', site.url('/article'), site.url('/parts'))
    expect(readdirSync(join(at.home, '.firecrawl')).length).toBe(2)
    expect((await at.cli('scrape', site.url('/status/404'), '--proxy', 'none')).code).not.toBe(0)
  })

  it('maps, crawls and polls a crawl', async () => {
    expect((await printed('map', site.url('/'), '--limit', '3')).trim().split('\n')).toHaveLength(3)
    const crawled = JSON.parse(await printed('crawl', site.url('/article'), '--limit', '1', '--wait', '--poll-interval', '1'))
    expect(crawled).toMatchObject({ status: 'completed', total: 1, completed: 1 })
    expect(JSON.parse(await printed('crawl', crawled.id))).toMatchObject({ id: crawled.id, status: 'completed' })
  })

  it('searches with every option, reads a file and sends feedback', async () => {
    const found = JSON.parse(await printed('search', 'article', '--limit', '2', '--sources', 'web,images,news', '--tbs', 'cdr:1,cd_min:01/01/2026', '--country', 'GB', '--location', 'London', '--scrape', '--scrape-formats', 'markdown', '--json'))
    expect(found).toMatchObject({ success: true, data: { web: [{ url: expect.any(String), markdown: expect.any(String) }], images: expect.any(Array), news: expect.any(Array) } })
    writeFileSync(join(at.home, 'tides.html'), '<h1>Tides</h1><p>High water at seven.</p>')
    expect(await printed('parse', join(at.home, 'tides.html'))).toContain('# Tides')
    expect(await printed('search-feedback', found.id, '--rating', 'good')).toMatch(/feedback/i)
    expect(await printed('feedback', 'scrape', found.id, '--rating', 'bad', '--note', 'no tables')).toContain('Credits refunded: 0')
  })
})

async function saved(): Promise<string> {
  await printed('scrape', site.url('/article'), '-o', join(at.home, 'one.md'))
  return at.home
}

describe('the official MCP server', () => {
  let mcp: Mcp
  beforeAll(async () => {
    mcp = await at.mcp()
  })
  afterAll(() => mcp.close())

  /** The answer of a tool, parsed as JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async function told(name: string, args: object): Promise<any> {
    const { isError = false, content } = await mcp.ask('tools/call', { name, arguments: args })
    expect([name, isError, isError ? content[0].text : '']).toEqual([name, false, ''])
    return JSON.parse(content[0].text)
  }

  it('lists its tools, including those that the service can serve', async () => {
    const { tools } = await mcp.ask('tools/list')
    const names = tools.map(({ name }: { readonly name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['scrape', 'map', 'search', 'search_feedback', 'feedback', 'crawl', 'check_crawl_status', 'interact', 'interact_stop', 'parse'].map((name) => `firecrawl_${name}`)))
  })

  it('scrapes, maps, crawls and reads files', async () => {
    const page = await told('firecrawl_scrape', { url: site.url('/article'), formats: ['markdown', 'links'], onlyMainContent: true, location: { country: 'GB', languages: ['en'] }, proxy: 'auto', maxAge: 0 })
    expect(page).toMatchObject({ markdown: expect.stringContaining('# '), links: expect.any(Array), metadata: { statusCode: 200, scrapeId: expect.any(String) } })
    expect((await told('firecrawl_map', { url: site.url('/'), search: 'article', limit: 5, sitemap: 'include' })).links[0].url).toContain('article')
    const crawl = await told('firecrawl_crawl', { url: site.url('/article'), limit: 1, maxDiscoveryDepth: 0, deduplicateSimilarURLs: true, sitemap: 'skip' })
    expect(crawl).toMatchObject({ status: 'completed', completed: 1 })
    expect(await told('firecrawl_check_crawl_status', { id: crawl.id })).toMatchObject({ status: 'completed' })
    writeFileSync(join(at.home, 'boats.html'), '<h1>Boats</h1><p>They carry herring.</p>')
    expect((await told('firecrawl_parse', { filePath: join(at.home, 'boats.html'), formats: ['markdown'] })).data.markdown).toContain('# Boats')
  })

  it('searches and sends feedback', async () => {
    const found = await told('firecrawl_search', { query: 'article', limit: 3, sources: [{ type: 'web' }, { type: 'news' }, { type: 'images' }], tbs: 'qdr:w', location: 'London', scrapeOptions: { formats: ['markdown'], onlyMainContent: true } })
    expect(found).toMatchObject({ success: true, id: expect.any(String), data: { web: expect.any(Array) }, creditsUsed: expect.any(Number) })
    const feedback = { success: true, feedbackId: expect.any(String), creditsRefunded: 0 }
    expect(await told('firecrawl_search_feedback', { searchId: found.id, rating: 'good', valuableSources: [{ url: site.url('/article'), reason: 'it is the page' }], querySuggestions: 'shorter' })).toEqual(feedback)
    expect(await told('firecrawl_feedback', { endpoint: 'scrape', jobId: found.id, rating: 'bad', issues: ['missing_content'], note: 'no tables', url: site.url('/article') })).toEqual(feedback)
  })

  it('runs code in the browser of a scrape, and stops it', async () => {
    const { metadata } = await told('firecrawl_scrape', { url: site.url('/article'), formats: ['markdown'] })
    expect(await told('firecrawl_interact', { scrapeId: metadata.scrapeId, code: 'await page.title()', language: 'node', timeout: 60 })).toMatchObject({ success: true, result: metadata.title, exitCode: 0 })
    expect(await told('firecrawl_interact_stop', { scrapeId: metadata.scrapeId })).toMatchObject({ success: true })
  })

  it('receives readable errors for features that the service lacks', async () => {
    const { isError, content } = await mcp.ask('tools/call', { name: 'firecrawl_agent', arguments: { prompt: 'find whales' } })
    expect([isError, content[0].text]).toEqual([true, expect.stringContaining("Tool 'firecrawl_agent' execution failed: No such route.")])
  })
})
