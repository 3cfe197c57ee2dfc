import { randomUUID } from 'node:crypto'
import { ServiceError, StoreAway } from '../../src/domain/errors.ts'
import type { Job } from '../../src/domain/jobs/job.ts'
import type { ErrorCode } from '../../src/spec/errors.ts'
import { once } from '../../src/lib/once.ts'
import { type Route, type RouteName, routes } from '../../src/spec/routes.ts'
import { fakeJobs, newJob, running } from '../fake-jobs.ts'
import { fakeAccounts, fakeApp, fakeSessions, fakeTeam, memoryBlobs } from '../fakes.ts'
import { samplePdf } from '../pdf.ts'
import { openSocket, readAnswer, sendRaw } from '../raw-http.ts'
import { otherKey, startTrawl, type TestService, testKey } from '../service.ts'
import { type Bench, type Brought, formOf, goodRequest, rawHead } from './bench.ts'

/** Provokes a code at a route. */
export type Recipe = (route: { readonly name: RouteName } & Route, bench: Bench) => Promise<Brought>

const id = '00000000-0000-4000-8000-000000000000'
/** The required query parameters. */
const queryOf = ({ path, method }: Route): string => (path === '/v2/changes' ? `?url=https://example.com/${method === 'GET' ? '&at=2020-01-01T00:00:00Z' : ''}` : '')
export const pathOf = (route: Route): string => (route.path + queryOf(route)).replace('{jobId}', id).replace('{id}', id).replace('{name}', 'shop').replace('{token}', 'abcdefghijklmnopqrstuvwxyz.png')
const post = (text: string, type = 'application/json', extra: Record<string, string> = {}): Recipe => (route, { plain }) =>
  plain.call(route.method, pathOf(route), text, { 'content-type': type, ...extra })

/** Keeps the only slot of a service busy while `f` runs. */
async function whileBusy(service: TestService, bench: Bench, f: () => Promise<Brought>): Promise<Brought> {
  const before = bench.site.hits('/slow/held')
  const busy = service.scrape({ url: bench.site.url('/slow/held?ms=20000'), maxAge: 0 })
  while (bench.site.hits('/slow/held') === before) await new Promise((resolve) => setImmediate(resolve))
  try {
    return await f()
  } finally {
    await fetch(bench.site.url('/slow/let-go'))
    await busy
  }
}

/**
 * One request to each route, whose rest arrives after the process was told to stop. They share a process, because each
 * would need its own.
 */
const whileStopping = once(async (): Promise<ReadonlyMap<string, Brought>> => {
  const service = await startTrawl()
  const asked = await Promise.all(
    Object.entries<Route>(routes).map(async ([name, route]) => {
      const socket = await openSocket(service.base)
      const answer = readAnswer(socket)
      socket.write(`${rawHead(route.method, pathOf(route), ['Content-Type: application/json', 'Content-Length: 0'])}\r\n`)
      return { name, socket, answer }
    }),
  )
  // The incomplete requests must reach the process before the signal does.
  await service.call('GET', '/health')
  const stopped = service.stop()
  while (!service.output().includes('"stopping"')) await new Promise((resolve) => setImmediate(resolve))
  for (const { socket } of asked) socket.write('\r\n')
  const brought = new Map<string, Brought>()
  for (const { name, answer } of asked) brought.set(name, await answer)
  await stopped
  return brought
})

async function stopping({ name }: { readonly name: RouteName }): Promise<Brought> {
  const brought = (await whileStopping()).get(name)
  if (brought === undefined) throw new Error(`${name} was not asked`)
  return brought
}

const code = { code: '1' }
const said = { rating: 'good' }
const goodBodies: Readonly<Record<string, object>> = {
  '/v2/search': { query: 'words' },
  '/v2/feedback': { endpoint: 'scrape', jobId: id, ...said },
  '/v2/search/{id}/feedback': said,
  '/v2/browser': {},
  '/v2/interact': {},
  '/v2/browser/{id}/execute': code,
  '/v2/interact/{id}/execute': code,
  '/v2/scrape/{jobId}/interact': code,
  '/v2/batch/scrape': { urls: ['https://example.com/'] }, '/v2/crawl/params-preview': { url: 'https://example.com/', prompt: 'all' } }

async function injected(app: ReturnType<typeof fakeApp>, route: Route): Promise<Brought> {
  if (route.upload === true) {
    const form = new Response(formOf({}))
    const sent = await app.inject({ method: 'POST', url: route.path, headers: { authorization: `Bearer ${testKey}`, 'content-type': form.headers.get('content-type') ?? '' }, payload: Buffer.from(await form.arrayBuffer()) })
    return { status: sent.statusCode, headers: new Headers(Object.entries(sent.headers).map(([key, value]): [string, string] => [key, String(value)])), text: sent.body }
  }
  const payload = route.method === 'POST' ? { payload: goodBodies[route.path] ?? { url: 'https://example.com/' } } : {}
  const answer = await app.inject({ method: route.method, url: pathOf(route), headers: { authorization: `Bearer ${testKey}` }, ...payload })
  return { status: answer.statusCode, headers: new Headers(Object.entries(answer.headers).map(([key, value]): [string, string] => [key, String(value)])), text: answer.body }
}

const broken = (): never => {
  throw new Error('a secret of ours')
}

/** Caches `make` per key. */
function perKey<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>()
  return (key) => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

/** Makes the use case throw the code; its own tests show when it does. */
const thrown = (code: ErrorCode): Recipe => (route) => injected(throwing(code), route)

/** Creating a service costs more than asking it: each is created once. */
const throwing = perKey((code: ErrorCode) => {
  const fault = async (): Promise<never> => {
    throw new ServiceError(code)
  }
  return fakeApp({ scrape: fault, parse: fault, startBatch: fault, startCrawl: fault, crawlOptions: fault, map: fault, search: fault, sessions: fakeSessions(fault) })
})

/** Asks a service whose database is unavailable. */
const storeAway = (route: Route): Promise<Brought> => injected(appWithoutStore(), route)

const appWithoutStore = once(() => {
  const keyByHash = async (): Promise<never> => {
    throw new StoreAway(new Error('a secret of ours: connect ECONNREFUSED 10.0.0.1'))
  }
  return fakeApp({ accounts: { ...fakeAccounts, keyByHash } })
})

/** A service that fails at its work, or already at authentication. */
const appOfFaults = perKey((asked: 'work' | 'who asks') => {
  const fault = async (): Promise<never> => {
    throw new Error('a secret of ours: /etc/passwd')
  }
  const jobs = { ...fakeJobs().jobs, find: fault, active: fault }
  const accounts = asked === 'who asks' ? { ...fakeAccounts, keyByHash: fault } : fakeAccounts
  return fakeApp({ accounts, scrape: fault, parse: fault, startBatch: fault, startCrawl: fault, crawlOptions: fault, map: fault, search: fault, jobs, team: fakeTeam(broken), sessions: fakeSessions(fault), versions: { latest: fault, find: fault, at: fault, list: fault, remove: fault, removeSome: fault, tracked: fault }, results: { results: { settle: fault, find: fault, artifact: fault }, blobs: memoryBlobs(), ledger: { find: fault }, retentionMs: 1000, now: () => 0 } })
})

/** Routes of live sessions: the use case decides about their answers and has its own tests. */
const isOfSession = (route: Route): boolean => /^\/v2\/(browser|interact)|\/interact$/.test(route.path)
const isOfFeedback = (route: Route): boolean => route.path.endsWith('/feedback')
const isOfVersion = (route: Route): boolean => route.path.startsWith('/v2/changes')
const isOfJob = (route: Route): boolean => route.path.includes('{id}') && !isOfSession(route) && !isOfVersion(route)

/** A service that has the job of the route's path, in this state. */
function appWithJob(given: Partial<Job>, route: Route): ReturnType<typeof fakeApp> {
  const { jobs } = fakeJobs()
  const job: Job = { ...newJob({ id, kind: route.path.startsWith('/v2/crawl') ? 'crawl' : 'batch' }), ...running, ...given }
  return fakeApp({ jobs: { ...jobs, find: async () => job, cancel: async () => 'finished' } })
}

/** The body that starts the work of a route that fetches. */
function bodyOf({ name, path }: { readonly name: RouteName; readonly path: string }, url: string, options: object): object {
  if (name === 'parse') return formOf(options, url)
  if (path === '/v2/browser' || path === '/v2/interact') return url.endsWith('/') ? { ttl: 60 } : { ttl: 90 }
  if (name === 'batch') return { urls: [url], ...options }
  if (name === 'search') return { query: url, scrapeOptions: options }
  return name === 'crawl' ? { url, limit: 1, scrapeOptions: options } : { url, ...options }
}

const scrapeOf = (body: (bench: Bench) => object): Recipe => (_route, bench) => bench.plain.scrape({ maxAge: 0, ...body(bench) })

/** For codes that a parse gets in another way than a scrape. */
const parsing = (options: object, content: string | Uint8Array<ArrayBuffer>, otherwise: Recipe, name?: string): Recipe => (route, bench) => (route.name === 'parse' ? bench.plain.call('POST', route.path, formOf(options, content, name)) : otherwise(route, bench))
const scanned = new Uint8Array(samplePdf({ pages: [{ scanned: true }] }))

/** How to provoke each code; the compiler requires a recipe per code. */
export const recipes: { readonly [C in ErrorCode]: Recipe } = {
  BAD_REQUEST: (route, { plain }) => {
    if (route.name === 'scrape') return plain.scrape({ url: 5 })
    if (route.name === 'parse') return plain.call('POST', route.path, formOf({ formats: 5 }))
    if (isOfSession(route)) return plain.call(route.method, route.query === undefined ? route.path.replace(/\{\w+\}/, 'x'.repeat(150)) : `${route.path}?status=other`, route.method === 'POST' ? { ttl: 1 } : undefined)
    if (route.params !== undefined && route.access === 'key') return plain.call(route.method, route.path.replace('{name}', '%20').replace(/\{\w+\}/, 'not-a-uuid'), route.method === 'POST' ? {} : undefined)
    if (route.body !== undefined) return plain.call(route.method, route.path, { url: 5, urls: [] })
    return sendRaw(plain.base, `GET ${route.path} HTTP/1.1\r\nHost: trawl\r\nBad Header: x\r\n\r\n`)
  },
  BAD_REQUEST_INVALID_JSON: (route, bench) => {
    const form = formOf({})
    form.set('options', '{"formats":')
    return route.name === 'parse' ? bench.plain.call('POST', route.path, form) : post('{"url":')(route, bench)
  },
  PARSE_UNSUPPORTED_OPTIONS: (route, { plain }) => plain.call('POST', route.path, formOf({ waitFor: 100 })),
  UNAUTHORIZED: (route, { strict, plain }) => (route.name === 'metrics' ? strict.call('GET', '/metrics') : plain.call(route.method, pathOf(route), route.method === 'POST' ? {} : undefined, { authorization: 'Bearer fc-unknown' })),
  // Uses the other team: the first may have exceeded its rate limit.
  INSUFFICIENT_CREDITS: (route, bench) => isOfSession(route) ? thrown('INSUFFICIENT_CREDITS')(route, bench) : bench.strict.call('POST', route.path, bodyOf(route, bench.site.url('/article'), {}), { authorization: `Bearer ${otherKey}` }),
  FORBIDDEN: async (route, bench) => {
    if (isOfSession(route)) return thrown('FORBIDDEN')(route, bench)
    if (isOfFeedback(route)) {
      const { id: jobId } = (await bench.plain.call('POST', '/v2/search', { query: 'article' })).json
      return bench.plain.call('POST', route.path.replace('{id}', jobId), route.name === 'feedback' ? { endpoint: 'search', jobId, ...said } : said, { authorization: `Bearer ${otherKey}` })
    }
    if (isOfJob(route)) return injected(appWithJob({ team: 'other' }, route), route)
    if (route.name === 'parse') return bench.plain.call('POST', route.path, formOf({ zeroDataRetention: true }))
    // The use case decides what may be fetched and by whom.
    if (route.method === 'POST' && route.name !== 'scrape') return thrown('FORBIDDEN')(route, bench)
    if (route.name === 'scrape') return bench.plain.scrape({ url: 'http://10.0.0.1/' })
    const { path } = await goodRequest(isOfVersion(route) ? 'changesVersion' : 'scrapeStatus', bench)
    return bench.plain.call(route.method, path, undefined, { authorization: `Bearer ${otherKey}` })
  },
  NOT_FOUND: (route, { plain, site }) => plain.call(route.method, pathOf(route), route.name === 'batch' ? { urls: [site.url('/article')], appendToId: id } : isOfSession(route) && route.method === 'POST' ? { code: '1' } : isOfFeedback(route) ? said : undefined),
  JOB_EXPIRED: async (route, bench) => {
    if (route.name === 'batch' || isOfSession(route)) return thrown('JOB_EXPIRED')(route, bench)
    if (isOfJob(route)) return injected(appWithJob({ state: 'completed', expiresAt: 1 }, route), route)
    const row = { id, team: 'default', kind: 'scrape', blob: '', frame: null, request: '{}', createdAt: 0, expiresAt: 1000 }
    return injected(fakeApp({ results: { results: { settle: async () => 'settled', find: async () => row, artifact: async () => ({ token: '', team: 'default', blob: '', media: 'image/png', expiresAt: 1000 }) }, blobs: memoryBlobs(), ledger: { find: async () => null }, retentionMs: 1000, now: () => 1000 } }), route)
  },
  SCRAPE_NO_CACHED_DATA: scrapeOf(({ site }) => ({ url: site.url('/page/never'), minAge: 1 })),
  SCRAPE_LOCKDOWN_CACHE_MISS: scrapeOf(({ site }) => ({ url: site.url('/page/never'), lockdown: true })),
  METHOD_NOT_ALLOWED: (route, { plain }) => plain.call('PUT', pathOf(route), {}),
  SCRAPE_TIMEOUT: (route, bench) => route.name === 'parse' ? thrown('SCRAPE_TIMEOUT')(route, bench) : scrapeOf(({ site }) => ({ url: site.url('/slow/never'), timeout: 1000 }))(route, bench),
  CONCURRENCY_QUEUE_TIMEOUT: (route, bench) => whileBusy(bench.narrow, bench, () => bench.narrow.call('POST', route.path, bodyOf(route, bench.site.url('/article'), { timeout: 1000 }))),
  IDEMPOTENCY_CONFLICT: async (route, { plain, site }) => {
    const headers = { 'x-idempotency-key': randomUUID() }
    await plain.call('POST', route.path, bodyOf(route, site.url('/article'), {}), headers)
    return plain.call('POST', route.path, bodyOf(route, site.url('/'), {}), headers)
  },
  PAYLOAD_TOO_LARGE: post(JSON.stringify({ url: 'x'.repeat(10 * 1024 * 1024) })),
  UNSUPPORTED_MEDIA_TYPE: post('<xml/>', 'application/xml'),
  HEADERS_TOO_LARGE: (route, { plain }) => sendRaw(plain.base, `${rawHead(route.method, pathOf(route), [`X-Filler: ${'x'.repeat(40_000)}`])}\r\n\r\n`),
  RATE_LIMITED: async (route, { strict }) => {
    let last: Brought = await strict.call(route.method, pathOf(route), route.method === 'POST' ? {} : undefined)
    for (let i = 0; i < 3 && last.status !== 429; i++) last = await strict.call(route.method, pathOf(route), route.method === 'POST' ? {} : undefined)
    return last
  },
  QUEUE_FULL: (route, bench) => whileBusy(bench.noTeamQueue, bench, () => bench.noTeamQueue.call('POST', route.path, bodyOf(route, bench.site.url('/article'), {}))),
  OVERLOADED: (route, bench) => !route.errors.includes('OVERLOADED') ? storeAway(route) : isOfSession(route) ? thrown('OVERLOADED')(route, bench) : whileBusy(bench.noProcessQueue, bench, () => bench.noProcessQueue.call('POST', route.path, bodyOf(route, bench.site.url('/article'), {}))),
  SCRAPE_ALL_ENGINES_FAILED: (route) =>
    injected(
      fakeApp({
        scrape: async (job, call) => {
          const { fetchPage } = await import('../../src/app/scrape/acquire.ts')
          const { plan } = await import('../../src/app/scrape/plan.ts')
          const abilities = { features: new Set<never>(), gates: { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] } }
          await fetchPage(plan(job.request, abilities, call.team, 0), { needs: [], reason: '', tried: [] }, { shelf: null, now: () => 0, engines: [{ name: 'http', can: new Set(), cost: 1, fetch: async () => ({ kind: 'needs', needs: ['javascript'], why: 'empty shell' }) }] }, call)
          throw new Error('acquired')
        },
      }),
      route,
    ),
  SCRAPE_PROXY_SELECTION_ERROR: (_route, { noProxy, site }) => noProxy.scrape({ url: site.url('/article'), proxy: 'basic' }),
  SCRAPE_ACTION_ERROR: scrapeOf(({ site }) => ({ url: site.url('/article'), actions: [{ type: 'press', key: 'no such key' }] })),
  SCRAPE_ACTIONS_NOT_SUPPORTED: scrapeOf(({ site }) => ({ url: site.url('/files/scanned.pdf'), actions: [{ type: 'scrape' }] })),
  PROFILE_LOCKED: (route, bench) => {
    // Only the deletion of a profile takes its lock at the edge.
    if (route.method !== 'DELETE') return thrown('PROFILE_LOCKED')(route, bench)
    return injected(fakeApp({ profiles: { load: async () => null, lock: async () => null, remove: async () => false } }), route)
  },
  PROFILE_QUOTA_EXCEEDED: thrown('PROFILE_QUOTA_EXCEEDED'),
  SCRAPE_SITE_ERROR: parsing({ strict: true }, '<html><body><div id="root"></div><script>1</script></body></html>', scrapeOf(({ site }) => ({ url: site.url('/fault/closed') }))),
  SCRAPE_SSL_ERROR: scrapeOf(({ tlsUrl }) => ({ url: tlsUrl, skipTlsVerification: false })),
  SCRAPE_DNS_RESOLUTION_ERROR: scrapeOf(() => ({ url: 'http://nowhere.example.com/' })),
  SCRAPE_PDF_OCR_REQUIRED: parsing({ parsers: [{ type: 'pdf', mode: 'fast' }] }, scanned, scrapeOf(({ site }) => ({ url: site.url('/files/scanned.pdf'), parsers: [{ type: 'pdf', mode: 'fast' }] })), 'scan.pdf'),
  SCRAPE_UNSUPPORTED_FILE_ERROR: parsing({}, new Uint8Array([0, 1, 2, 3]), scrapeOf(({ site }) => ({ url: site.url('/image.png') })), 'a.bin'),
  MAP_TIMEOUT: (_route, { plain, site }) => plain.call('POST', '/v2/map', { url: site.url('/slow/never'), timeout: 1000 }),
  SEARCH_TIMEOUT: thrown('SEARCH_TIMEOUT'),
  SEARCH_FAILED: thrown('SEARCH_FAILED'),
  MAP_FAILED: (_route, { plain }) => plain.call('POST', '/v2/map', { url: 'http://nowhere.example.com/' }),
  JOB_ALREADY_FINISHED: (route, bench) => (isOfJob(route) ? injected(appWithJob({ state: 'completed' }, route), route) : thrown('JOB_ALREADY_FINISHED')(route, bench)),
  // A route that does no other work only authenticates.
  UNKNOWN_ERROR: (route) => injected(appOfFaults(route.name === 'tokenUsage' ? 'who asks' : 'work'), route),
  SCRAPE_JSON_CONTENT_TOO_LARGE: (route, { noBrowser, site }) => route.name === 'parse' ? noBrowser.call('POST', route.path, formOf({ formats: [{ type: 'json', prompt: 'word '.repeat(1_900) }] })) : noBrowser.scrape({ url: site.url('/article'), formats: [{ type: 'json', prompt: 'word '.repeat(1_900) }] }),
  FEATURE_NOT_CONFIGURED: (route, bench) => isOfSession(route) ? thrown('FEATURE_NOT_CONFIGURED')(route, bench) : bench.plain.call('POST', route.path, route.name === 'crawlPreview' ? { url: bench.site.url('/'), prompt: 'what whales say' } : bodyOf(route, bench.site.url('/article'), { formats: ['json'] })),
  BROWSER_NOT_CONFIGURED: (route, bench) => isOfSession(route) ? thrown('BROWSER_NOT_CONFIGURED')(route, bench) : bench.noBrowser.scrape({ url: bench.site.url('/article'), mobile: true }),
  REPLAY_UNAVAILABLE: thrown('REPLAY_UNAVAILABLE'),
  SESSION_DESTROYED: thrown('SESSION_DESTROYED'),
  CONCURRENCY_LIMITED: thrown('CONCURRENCY_LIMITED'),
  BROWSER_FAILURE: thrown('BROWSER_FAILURE'),
  AGENT_FAILURE: thrown('AGENT_FAILURE'),
  SHUTTING_DOWN: stopping,
}

/** All routes with their names. */
export const named = Object.entries(routes).map(([name, route]) => ({ ...(route as Route), name: name as RouteName })) // keys of the table, widened to the common form
