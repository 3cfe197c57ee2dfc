import { randomUUID } from 'node:crypto'
import { type RouteName, routes } from '../../src/spec/routes.ts'
import { once } from '../../src/lib/once.ts'
import { emptyDnsServer } from '../dns-server.ts'
import { startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite, startTlsSite } from '../site/index.ts'

/** The routes of a single job. */
type JobRouteName = Extract<RouteName, `${'crawl' | 'batch'}${'Status' | 'Cancel' | 'Errors' | 'Events' | 'Export'}`>

/** The response of a recipe. */
export interface Brought {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly text: string
}

/** Services that are set up so that each code can occur. */
export interface Bench {
  readonly site: Site
  readonly tlsUrl: string
  readonly plain: TestService
  /** One slot, and a queue of one. */
  readonly narrow: TestService
  /** No queue for the process, or none for the team. */
  readonly noProcessQueue: TestService
  readonly noTeamQueue: TestService
  /** One request per hour, no credits, a metrics token. */
  readonly strict: TestService
  /** Uses a proxy that does not exist. */
  readonly noProxy: TestService
  /** Uses a browser that does not exist, and a language model that does not exist and has a small limit. */
  readonly noBrowser: TestService
  /**
   * The id of a live session of `plain`, for requests that do not change it: opening one costs more than all these
   * requests.
   */
  session(): Promise<string>
  close(): Promise<void>
}

/** Starts everything that the recipes need. */
export async function openBench(): Promise<Bench> {
  const [site, tls, dns] = await Promise.all([startSite(), startTlsSite(), emptyDnsServer()])
  const shared = { TRAWL_MAX_BROWSER_SESSIONS: '20', TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port},127.0.0.1:${tls.port}`, TRAWL_EGRESS_DNS_SERVERS: dns.address }
  const one = { ...shared, TRAWL_MAX_CONCURRENCY: '1' }
  const [plain, narrow, noProcessQueue, noTeamQueue, strict, noBrowser, noProxy] = await Promise.all([
    startTrawl({ settings: shared }),
    startTrawl({ settings: one }),
    startTrawl({ settings: { ...one, TRAWL_PROCESS_QUEUE: '0' } }),
    startTrawl({ settings: { ...one, TRAWL_TEAM_QUEUE: '0' } }),
    startTrawl({ settings: { ...shared, TRAWL_CREDITS: '0', TRAWL_METRICS_TOKEN: 'metrics-token', TRAWL_RATE_LIMITS: Object.entries(routes).filter(([, { access }]) => access === 'key').map(([name]) => `${name}=${name === 'scrape' ? 2 : 1}/h`).join(',') } }),
    startTrawl({ settings: { ...shared, TRAWL_CHROMIUM_PATH: '/nowhere/chromium', TRAWL_LLM_BASE_URL: 'http://127.0.0.1:1/v1', TRAWL_LLM_MODEL: 'none', TRAWL_LLM_INPUT_TOKENS: '1000' } }),
    startTrawl({ settings: { ...shared, TRAWL_PROXY_BASIC: 'http://127.0.0.1:1' } }),
  ])
  const services = [plain, narrow, noProcessQueue, noTeamQueue, strict, noBrowser, noProxy]
  return {
    site,
    tlsUrl: tls.url('/article'),
    plain,
    narrow,
    noProcessQueue,
    noTeamQueue,
    strict,
    noBrowser,
    noProxy,
    session: once(() => opened(plain, 600)),
    async close() {
      await Promise.all(services.map((service) => service.stop('SIGKILL')))
      await Promise.all([site.close(), tls.close()])
      dns.close()
    },
  }
}

const opened = async (service: TestService, activityTtl: number): Promise<string> => (await service.call('POST', '/v2/browser', { activityTtl })).json.id

/** A request for a job with one page: still running if it is to be cancelled, otherwise at its end. */
async function ofJob(name: JobRouteName, { plain, site }: Bench): Promise<{ method: string; path: string }> {
  const { method, path } = routes[name]
  const urls = [site.url(method === 'DELETE' ? '/slow/headers?ms=2500' : '/article')]
  const started = await (path.startsWith('/v2/crawl') ? plain.call('POST', '/v2/crawl', { url: urls[0], limit: 1 }) : plain.call('POST', '/v2/batch/scrape', { urls }))
  return { method, path: path.replace('{id}', started.json.id) }
}

/** The routes of live sessions. */
type SessionRouteName = Extract<RouteName, `interact${string}` | `browser${string}`>
const isOfSession = (name: RouteName): name is SessionRouteName => /^(interact|browser)/.test(name)

/** A request for a session, which is opened if the route needs one. */
async function ofSession(name: SessionRouteName, { plain, site, session }: Bench): Promise<{ method: string; path: string; body?: object }> {
  const { method, path } = routes[name]
  const body = method === 'POST' ? { body: path.includes('{') ? { code: 'get url', language: 'bash' } : { ttl: 60, activityTtl: 30 } } : {}
  if (!path.includes('{')) return { method, path, ...body }
  if (path.includes('{id}')) return { method, path: path.replace('{id}', await (method === 'DELETE' ? opened(plain, 30) : session())), ...body }
  const { scrapeId } = (await plain.scrape({ url: site.url('/article') })).json.data.metadata
  const at = path.replace('{jobId}', scrapeId)
  if (method === 'DELETE') await plain.call('POST', at, { code: 'get url', language: 'bash', activityTtl: 30 })
  return { method, path: at, ...body }
}

/** The form of a parse request. */
export function formOf(options: object, content: string | Uint8Array<ArrayBuffer> = '<h1>Tides</h1><p>High water at seven.</p>', name = 'tides.html'): FormData {
  const form = new FormData()
  form.append('options', JSON.stringify(options))
  form.append('file', new File([content], name))
  return form
}

/** A request to the route that these services answer with 200. */
export async function goodRequest(name: RouteName, bench: Bench): Promise<{ method: string; path: string; body?: object }> {
  const scraped = { url: bench.site.url('/article'), formats: ['markdown', 'html', 'rawHtml', 'links', 'images', { type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] }], explain: true }
  if (name === 'scrape') return { method: 'POST', path: '/v2/scrape', body: scraped }
  if (name === 'scrapeStatus') return { method: 'GET', path: `/v2/scrape/${(await bench.plain.scrape(scraped)).json.data.metadata.scrapeId}` }
  if (name === 'artifact') return { method: 'GET', path: new URL((await bench.plain.scrape({ url: bench.site.url('/article'), formats: ['screenshot'] })).json.data.screenshot).pathname }
  if (name === 'changes' || name === 'changesVersion' || name === 'changesRemove' || name === 'changesVersionRemove') {
    const url = bench.site.url('/article')
    const { scrapeId } = (await bench.plain.scrape({ url, formats: ['markdown', 'changeTracking'] })).json.data.metadata
    return { method: routes[name].method, path: name === 'changes' || name === 'changesRemove' ? `/v2/changes?url=${encodeURIComponent(url)}` : `/v2/changes/${scrapeId}` }
  }
  if (name === 'search') return { method: 'POST', path: '/v2/search', body: { query: 'article', sources: ['web', 'news', 'images'], scrapeOptions: { formats: ['markdown'] } } }
  if (name === 'parse') return { method: 'POST', path: '/v2/parse', body: formOf({ explain: true }) }
  if (name === 'map') return { method: 'POST', path: '/v2/map', body: { url: bench.site.url('/') } }
  if (name === 'batch') return { method: 'POST', path: '/v2/batch/scrape', body: { urls: [bench.site.url('/article'), 'not a url'] } }
  if (name === 'crawl') return { method: 'POST', path: '/v2/crawl', body: { url: bench.site.url('/'), limit: 1 } }
  if (name === 'crawlPreview') return { method: 'POST', path: routes.crawlPreview.path, body: { url: bench.site.url('/'), prompt: 'only the blog' } }
  if (name === 'feedback') return { method: 'POST', path: routes.feedback.path, body: { endpoint: 'scrape', jobId: randomUUID(), rating: 'partial', issues: ['no tables'], metadata: { page: 1 }, origin: 'js-sdk' } }
  if (name === 'searchFeedback') return { method: 'POST', path: routes.searchFeedback.path.replace('{id}', (await bench.plain.call('POST', '/v2/search', { query: 'article' })).json.id), body: { rating: 'good', valuableSources: [{ url: 'https://example.com/' }] } }
  if (name === 'crawlActive' || name === 'crawlOngoing' || name === 'creditUsage' || name === 'creditHistory' || name === 'tokenUsage' || name === 'tokenHistory' || name === 'queueStatus' || name === 'concurrencyCheck' || name === 'teamActivity') return { method: 'GET', path: routes[name].path }
  if (isOfSession(name)) return ofSession(name, bench)
  if (name === 'profileRemove' || name === 'profileRemoveToo') return { method: 'DELETE', path: routes[name].path.replace('{name}', 'shop') }
  if (name !== 'health' && name !== 'metrics' && name !== 'openapi' && name !== 'docs' && name !== 'welcome' && name !== 'welcomeV2') return ofJob(name, bench)
  return { method: 'GET', path: routes[name].path }
}

/** The head of a raw request, without the final blank line. */
export function rawHead(method: string, path: string, lines: readonly string[] = []): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: trawl', `Authorization: Bearer ${testKey}`, ...lines].join('\r\n')
}
