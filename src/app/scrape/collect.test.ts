import { expect, it } from 'vitest'
import { memoryBlobs } from '../../../test/fakes.ts'
import type { Call } from '../../domain/call.ts'
import type { Capture, Engine } from '../../domain/pages/capture.ts'
import type { CacheEntry } from '../../domain/pages/page-cache.ts'
import { pack } from '../../domain/pages/packed.ts'
import { ScrapeRequest } from '../../spec/scrape.ts'
import { collect } from './collect.ts'
import { plan } from './plan.ts'
import type { PagePorts } from './ports.ts'
import { cacheShelf } from './shelf.ts'

const url = 'https://site.test/page'
const now = Date.UTC(2026, 10, 20, 12)
const call: Call = { id: 'call', team: 'a', signal: new AbortController().signal, deadline: now + 60_000, retention: 'normal', log: () => undefined }
const page = pack({ fields: {}, metadata: {}, verdict: 'ok', scriptDemand: null, confidence: null, removals: [], warnings: [] })

it.each([
  ['FR', ['US'], ['FR'], ['No proxy of that country (FR) is configured; the page was fetched from elsewhere.'], ['No proxy of that country (FR) was configured when the page was fetched, so that it is from elsewhere.']],
  ['FR', ['FR'], ['US'], [], []],
  ['US', ['DE'], ['DE'], [], []],
] as const)('a page for %s, fetched with proxies in %s, is from the cache what it was, also with proxies in %s', async (country, before, after, first, second) => {
  const capture: Capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html']], body: new TextEncoder().encode('<p>page</p>'), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: now }
  const engine: Engine = { name: 'http', can: new Set(), cost: 1, fetch: async () => ({ kind: 'captured', capture }) }
  let kept: CacheEntry | null = null
  const blobs = memoryBlobs()
  const none = () => Promise.reject(new Error('not here'))
  const cache = { find: async () => kept && { entry: kept, memo: null }, addMemo: none, reindex: none, evict: none }
  const shelf = cacheShelf({ cache, blobs, now: () => now, newId: () => 'new' })
  const ports = { engines: [engine], compute: { derive: async () => page }, features: new Set(), shelf, pools: { basic: before.map((one) => ({ country: one })), enhanced: [] }, lessons: null, background: () => undefined, now: () => now } as unknown as PagePorts // those that are used for a page without files
  const wanted = plan(ScrapeRequest.parse({ url, location: { country }, proxy: 'basic' }), { features: new Set(), gates: { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] } }, 'a', now)
  const { acquired } = await collect(wanted, ports, call)
  const memo = Promise.resolve({ blob: await blobs.put(page.bytes()), bytes: page.bytes().length })
  kept = await shelf.entryFor(wanted, { ...acquired, shot: null }, { memo, put: blobs.put }, call)
  const again = await collect(wanted, { ...ports, pools: { basic: after.map((one) => ({ country: one })), enhanced: [] } }, call)
  expect([acquired.found === null, acquired.warnings, again.acquired.found === null, again.acquired.warnings]).toEqual([true, first, false, second])
})
