import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawled, gauge, jobEnd, leaves, linksTo, numbered, siteWith, startJob } from '../crawls.ts'
import { type Answered, startTrawl, type TestService } from '../service.ts'

let service: TestService
let counted: TestService
const keys = ['poor', 'thrifty', 'broke', 'batcher', 'unlucky'] as const
const keyOf = (team: (typeof keys)[number]): Readonly<Record<string, string>> => ({ authorization: `Bearer fc-${team}-key-0123456789` })
beforeAll(async () => {
  const settings = { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' }
  service = await startTrawl({ settings: { ...settings, TRAWL_TEAM_QUEUE: '20' } })
  counted = await startTrawl({ settings: { ...settings, TRAWL_CREDITS: '5', TRAWL_API_KEYS: keys.map((team) => `${team}:fc-${team}-key-0123456789`).join(',') } })
}, 60_000)
afterAll(async () => {
  await service.stop()
  await counted.stop()
})

const refusal = ({ status, json }: Answered): readonly unknown[] => [status, json.code]

describe('the credits of a team', { timeout: 60_000 }, () => {
  const used = async (team: (typeof keys)[number]): Promise<number> => {
    // Measures the remaining credits by what can still be started; other tests read the store itself.
    for (let pages = 5; pages > 0; pages--) if ((await counted.call('POST', '/v2/batch/scrape', { urls: numbered(pages).map((path) => `http://127.0.0.1:9${path}`), lockdown: false, minAge: 1 }, keyOf(team))).status === 200) return 5 - pages
    return 5
  }

  it('lower an explicit limit, with a warning, and refuse the default limit if they do not cover it', async () => {
    const site = await siteWith({ '/': linksTo(...numbered(9)), ...leaves(...numbered(9)) })
    const crawl = async (limit?: number): Promise<readonly unknown[]> => {
      const { status, json } = await counted.call('POST', '/v2/crawl', { url: site.url('/'), limit }, keyOf('thrifty'))
      return [status, json.code, json.error]
    }
    expect(await crawl()).toEqual([402, 'INSUFFICIENT_CREDITS', 'The credits of the team cover 5 pages; give a limit.'])
    const id = await startJob(counted, 'crawl', { url: site.url('/'), limit: 10_000, sitemap: 'skip' }, keyOf('thrifty'))
    const job = await jobEnd(counted, id, { key: 'fc-thrifty-key-0123456789' })
    expect(job.status).toMatchObject({ status: 'completed', completed: 5, creditsUsed: 5, warning: expect.stringContaining('5 pages') })
    expect(await crawl(1)).toEqual([402, 'INSUFFICIENT_CREDITS', 'The credits of the team cover no page.'])
  })

  it('are charged only for delivered pages', async () => {
    const site = await siteWith({ '/': linksTo('/a', '/old', '/new', '/cut', '/hidden'), ...leaves('/a', '/new', '/hidden'), '/old': (_, answer) => answer.send(302, { location: '/new' }), '/cut': (_, answer) => answer.cut(), '/robots.txt': (_, answer) => answer.send(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /hidden') })
    const id = await startJob(counted, 'crawl', { url: site.url('/'), limit: 5, scrapeOptions: { proxy: 'basic' } }, keyOf('poor'))
    const job = await jobEnd(counted, id, { key: 'fc-poor-key-0123456789' })
    expect([job.status.completed, job.status.creditsUsed, await used('poor')]).toEqual([3, 3, 3])
  })

  it('must cover all pages of a batch', async () => {
    const site = await siteWith(leaves(...numbered(6)))
    expect(refusal(await counted.call('POST', '/v2/batch/scrape', { urls: numbered(6).map(site.url) }, keyOf('batcher')))).toEqual([402, 'INSUFFICIENT_CREDITS'])
    const id = await startJob(counted, 'batch/scrape', { urls: numbered(5).map(site.url) }, keyOf('batcher'))
    const job = await jobEnd(counted, id, { kind: 'batch/scrape', key: 'fc-batcher-key-0123456789' })
    expect([job.status.completed, job.status.creditsUsed]).toEqual([5, 5])
  })

  it('fail the remaining pages when they run out, and are never exceeded', async () => {
    const held = gauge(2)
    const site = await siteWith({ '/': held.over(linksTo('/a', '/b', '/c', '/d')), '/x': held.over(linksTo()), ...leaves('/a', '/b', '/c', '/d', '/1', '/2', '/3') })
    const id = await startJob(counted, 'crawl', { url: site.url('/'), limit: 5, sitemap: 'skip' }, keyOf('unlucky'))
    await expect.poll(() => site.hits('/'), { timeout: 20_000 }).toBe(1)
    for (const path of ['/1', '/2', '/3']) await counted.scrape({ url: site.url(path) }, keyOf('unlucky'))
    await fetch(site.url('/x'))
    const job = await jobEnd(counted, id, { key: 'fc-unlucky-key-0123456789' })
    expect([job.status.status, job.status.completed, job.status.creditsUsed, job.errors.map((line) => line.split(' ')[1])]).toEqual(['completed', 2, 2, Array.from({ length: 3 }, () => 'INSUFFICIENT_CREDITS')])
  })
})

describe('a request that starts a job', { timeout: 60_000 }, () => {
  it('is refused if too many pages of its team are waiting', async () => {
    const site = await siteWith({ '/held': (visit) => visit.later(600_000), ...leaves(...numbered(25)) })
    expect(refusal(await service.call('POST', '/v2/batch/scrape', { urls: numbered(21).map(site.url) }))).toEqual([400, 'BAD_REQUEST'])
    const first = await startJob(service, 'batch/scrape', { urls: numbered(20, '/held').map((path) => site.url(`/held?${path}`)), maxConcurrency: 1 })
    await expect.poll(() => site.hits('/held'), { timeout: 20_000 }).toBe(1)
    const full = await service.call('POST', '/v2/batch/scrape', { urls: numbered(2).map(site.url) })
    expect([...refusal(full), Number(full.headers.get('retry-after')) > 0]).toEqual([429, 'QUEUE_FULL', true])
    expect((await service.call('POST', '/v2/crawl', { url: site.url('/p/1'), limit: 1 })).status).toBe(200)
    expect((await service.call('DELETE', `/v2/batch/scrape/${first}`)).status).toBe(200)
  })

  it.each(['crawl', 'batch/scrape'] as const)('of kind %s starts one job if it is repeated with its idempotency key', async (kind) => {
    const site = await siteWith(leaves('/a', '/b'))
    const body = kind === 'crawl' ? { url: site.url('/a') } : { urls: [site.url('/a')] }
    const headers = { 'x-idempotency-key': `once-${kind}` }
    const answers = [...(await Promise.all([1, 2, 3].map(() => service.call('POST', `/v2/${kind}`, body, headers)))), await service.call('POST', `/v2/${kind}`, body, headers)]
    const [id, ...more] = new Set(answers.filter(({ status }) => status === 200).map(({ json }) => json.id))
    // The others get a conflict while the first one runs.
    expect([more, answers.at(-1)?.json.id, answers.every(({ status, json }) => status === 200 || json.code === 'IDEMPOTENCY_CONFLICT')]).toEqual([[], id, true])
    const other = await service.call('POST', `/v2/${kind}`, kind === 'crawl' ? { url: site.url('/b') } : { urls: [site.url('/b')] }, headers)
    expect(other.status).toBe(409)
    await jobEnd(service, id, { kind })
    expect(site.hits('/a')).toBe(1)
  })

  it('is refused as not configured if rules do not understand its prompt, and so is the preview', async () => {
    const wished = { url: 'http://site.test/', prompt: 'pages about whales' }
    const answers = [await service.call('POST', '/v2/crawl', wished), await service.call('POST', '/v2/crawl/params-preview', wished)]
    expect(answers.map(refusal)).toEqual([[501, 'FEATURE_NOT_CONFIGURED'], [501, 'FEATURE_NOT_CONFIGURED']])
    expect(answers.every(({ json }) => json.error.includes('TRAWL_LLM_BASE_URL'))).toBe(true)
  })

  it('gets options from a prompt that rules understand; given options come first', async () => {
    const site = await siteWith({ '/': linksTo('/blog', '/blog/1', '/other'), ...leaves('/blog', '/blog/1', '/other') })
    const { json } = await service.call('POST', '/v2/crawl', { url: site.url('/'), prompt: 'only the blog, at most 50 pages', limit: 2, sitemap: 'skip' })
    const patterns = ['(?:^|/)(?:blogs?)(?:/|$)', '^/$']
    expect(json).toMatchObject({ success: true, promptGeneratedOptions: { limit: 50, includePaths: patterns }, finalCrawlerOptions: { limit: 2, includePaths: patterns, sitemap: 'skip' } })
    await jobEnd(service, json.id, { kind: 'crawl' })
    expect([site.hits('/other'), site.hits('/blog') + site.hits('/blog/1')]).toEqual([0, 1])
    const whole = await service.call('POST', '/v2/crawl', { url: site.url('/'), prompt: 'only the blog', regexOnFullURL: true, sitemap: 'skip' })
    expect((await jobEnd(service, whole.json.id, { kind: 'crawl' })).paths).toEqual(['/', '/blog', '/blog/1'])
  })

  it.each([{ limit: 0 }, { delay: 0 }, { delay: 61 }, { maxConcurrency: 0 }, { maxDiscoveryDepth: -1 }, { sitemap: 'maybe' }, { maxDepth: 2 }, { ignoreSitemap: true }, { allowBackwardLinks: true }])('with %j is refused', async (options) => {
    expect(refusal(await service.call('POST', '/v2/crawl', { url: 'http://site.test/', ...options }))).toEqual([400, 'BAD_REQUEST'])
  })

  it('returns the URL of the job', async () => {
    const site = await siteWith(leaves('/a'))
    const { json } = await service.call('POST', '/v2/crawl', { url: site.url('/a') })
    expect(json).toEqual({ success: true, id: json.id, url: `${service.base}/v2/crawl/${json.id}` })
    expect((await crawled(service, { url: site.url('/a') })).id).not.toBe(json.id)
  })
})
