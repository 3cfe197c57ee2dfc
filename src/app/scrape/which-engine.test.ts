import { describe, expect, it } from 'vitest'
import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { EngineLesson } from '../../domain/fetching/engine-memory.ts'
import type { Capture, Engine } from '../../domain/pages/capture.ts'
import type { Derivation } from '../../domain/pages/derivation.ts'
import { pack } from '../../domain/pages/packed.ts'
import { ScrapeRequest } from '../../spec/scrape.ts'
import { plan } from './plan.ts'
import type { PagePorts } from './ports.ts'
import { fetchedByEngine, shorter, type Task } from './which-engine.ts'

const url = 'https://site.test/page'
const page: Derivation = { fields: {}, metadata: {}, verdict: 'ok', scriptDemand: null, confidence: null, removals: [], warnings: [] }
const demand = 'its content comes by script'

interface Site {
  /** What a reader makes of the page by plain HTTP, and of the rendered one; an error where that fails. */
  readonly http?: Partial<Derivation>
  readonly browser?: Partial<Derivation> | ServiceError | null
  readonly lesson?: EngineLesson | null
  readonly proxies?: number
  readonly wall?: Task['wall']
}

/** Fetches the page as asked, and tells by which engines, what answered, and what was learned. */
async function fetched({ http = {}, browser = {}, lesson = null, proxies = 0, wall }: Site, options: object = {}) {
  const asked: string[] = []
  const learned: number[] = []
  const engine = (name: Capture['engine'], can: Engine['can'], cost: number): Engine => ({
    name, can, cost,
    async fetch() {
      asked.push(name)
      if (name === 'browser' && browser instanceof ServiceError) throw browser
      return { kind: 'captured', capture: { requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html']], body: new TextEncoder().encode('<p>page</p>'), engine: name, proxy: 'basic', tlsVerified: true, truncated: false, at: 0 } }
    },
  })
  const features = new Set(['javascript', 'enhanced-proxy'] as const)
  const ports = {
    engines: [engine('http', new Set(), 1), ...(browser === null ? [] : [engine('browser', new Set(['javascript']), 100)])],
    compute: { derive: async (capture: Capture) => pack({ ...page, ...(capture.engine === 'http' ? http : browser instanceof ServiceError ? {} : browser) }) },
    features, shelf: null,
    pools: { basic: [], enhanced: Array.from({ length: proxies }, () => ({ country: null })) },
    lessons: { recall: async () => lesson, note: async (_key: unknown, { score }: EngineLesson) => void learned.push(score) },
    background: () => undefined,
    now: () => 0,
  } as unknown as PagePorts // those that are used for a page without files
  const call: Call = { id: 'call', team: 'a', signal: new AbortController().signal, deadline: 60_000, retention: 'normal', log: () => undefined }
  const wanted = plan(ScrapeRequest.parse({ url, ...options }), { features, gates: { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] } }, 'a', 0)
  const { acquired } = await fetchedByEngine({ plan: wanted, ...(wall === undefined ? {} : { wall }) }, ports, call)
  return { asked, by: acquired.capture.engine, learned, warnings: acquired.warnings }
}

describe('a page', () => {
  it('that is complete is not rendered, and teaches nothing where nothing was known', async () => {
    expect(await fetched({})).toEqual({ asked: ['http'], by: 'http', learned: [], warnings: [] })
  })

  it('that needs its scripts is rendered, which is remembered', async () => {
    expect(await fetched({ http: { scriptDemand: demand } })).toEqual({ asked: ['http', 'browser'], by: 'browser', learned: [2], warnings: [] })
  })

  it.each(['empty', 'challenge'] as const)('that is still no page once rendered (%s) teaches nothing', async (verdict) => {
    expect(await fetched({ http: { scriptDemand: demand }, browser: { verdict } })).toMatchObject({ asked: ['http', 'browser'], learned: [] })
  })

  it('whose rendering fails is answered as fetched, with a warning', async () => {
    expect(await fetched({ http: { scriptDemand: demand }, browser: new ServiceError('BROWSER_FAILURE') })).toEqual({ asked: ['http', 'browser'], by: 'http', learned: [], warnings: [`The page may not be complete: ${demand}, and rendering it failed (BROWSER_FAILURE).`] })
  })

  it('like those that needed a browser is rendered at once', async () => {
    expect(await fetched({ lesson: { score: 6, uses: 0, at: 0 } })).toEqual({ asked: ['browser'], by: 'browser', learned: [6], warnings: [] })
  })

  it('like those that needed a browser, and that does not, makes the next ones try plain HTTP', async () => {
    expect(await fetched({ lesson: { score: 4, uses: 0, at: 0 } })).toMatchObject({ asked: ['http'], learned: [2] })
  })

  it('that sends its visitors on is rendered', async () => {
    expect(await fetched({ http: { leadsOn: 'https://site.test/next' } })).toMatchObject({ asked: ['http', 'browser'] })
  })

  it('behind a wall without content is answered as the wall', async () => {
    expect(await fetched({ http: { scriptDemand: demand, verdict: 'challenge' }, browser: { verdict: 'empty' } })).toMatchObject({ asked: ['http', 'browser'], by: 'http' })
  })
})

describe('a bot check', () => {
  const check = { http: { scriptDemand: demand, verdict: 'challenge' } } as const

  it('is tried by browser if there are no proxies of the enhanced tier, or they may not be used', async () => {
    expect((await fetched(check)).asked).toEqual(['http', 'browser'])
    expect((await fetched({ ...check, proxies: 1 }, { proxy: 'basic' })).asked).toEqual(['http', 'browser'])
  })

  it('is left to the proxies of the enhanced tier if these come next', async () => {
    expect((await fetched({ ...check, proxies: 1 })).asked).toEqual(['http'])
  })

  it('that stands before the pages of a job is not tried again by browser for each of them', async () => {
    const wall = (may: boolean): Task['wall'] => ({ stands: () => !may, mayTry: async () => may, left: () => !may, end: () => undefined })
    expect((await fetched({ ...check, wall: wall(false) })).asked).toEqual(['http'])
    expect((await fetched({ ...check, wall: wall(true) })).asked).toEqual(['http', 'browser'])
  })
})

it('a call without time to answer is given no shorter one', () => {
  const call: Call = { id: 'call', team: 'a', signal: new AbortController().signal, deadline: 1_000, retention: 'normal', log: () => undefined }
  expect(() => shorter(call, 999)).toThrow(expect.objectContaining({ code: 'SCRAPE_TIMEOUT' }))
})
