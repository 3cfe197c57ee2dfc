import { describe, expect, it } from 'vitest'
import { memoryBlobs } from '../../../test/fakes.ts'
import type { Call } from '../../domain/call.ts'
import type { Capture } from '../../domain/pages/capture.ts'
import { pack } from '../../domain/pages/packed.ts'
import type { Blobs } from '../../domain/blobs.ts'
import type { Cache, CacheEntry } from '../../domain/pages/page-cache.ts'
import type { IndexedPage } from '../../domain/search/search-index.ts'
import { ScrapeRequest } from '../../spec/scrape.ts'
import { plan, type Plan } from './plan.ts'
import { type CacheShelf, cacheShelf, captureKey, memoName, type Stale } from './shelf.ts'

const now = Date.UTC(2026, 10, 20, 12)
const url = 'https://site.test/page'
const call: Call = { id: 'call', team: 'a', signal: new AbortController().signal, deadline: now + 9_000, retention: 'normal', log: () => {} }
const abilities = { features: new Set(['screenshot'] as const), gates: { zeroRetention: ['*'], ignoreRobots: [], enterpriseSearch: [] } }
const wanting = (options: object = {}): Plan => plan(ScrapeRequest.parse({ url, ...options }), abilities, 'a', now)
const body = new TextEncoder().encode('<p>page</p>')
const page: Capture = {
  requestedUrl: url, url, status: 200, headers: [['etag', '"a"'], ['x-old', '1']], body, engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: now - 5_000,
}
const packed = pack({ fields: { markdown: 'page' }, metadata: {}, verdict: 'ok', scriptDemand: null, confidence: null, removals: [], warnings: [] })

interface Bench {
  readonly shelf: CacheShelf
  readonly blobs: Blobs
  readonly lost: Set<string>
  keep(capture: Partial<Capture>, wanted?: Plan): Promise<CacheEntry>
}

/** A shelf with one entry, whose blobs can be lost. */
function bench(): Bench {
  const entries = new Map<string, { entry: CacheEntry; memo: { name: string; blob: string } | null }>()
  const kept = memoryBlobs()
  const lost = new Set<string>()
  const blobs: Blobs = { ...kept, keep: async (key) => !lost.has(key) && kept.keep(key), get: async (key) => (lost.has(key) ? null : kept.get(key)) }
  const cache: Cache = {
    async find({ key }, oldest, newest, memo) {
      const row = entries.get(key)
      if (row === undefined || row.entry.fetchedAt < oldest || row.entry.fetchedAt > newest) return null
      return { entry: row.entry, memo: row.memo?.name === memo ? row.memo.blob : null }
    },
    addMemo: () => Promise.reject(new Error('not here')),
    reindex: () => Promise.reject(new Error('not here')),
    evict: () => Promise.reject(new Error('not here')),
  }
  const shelf = cacheShelf({ cache, blobs, now: () => now, newId: () => 'new' })
  return {
    shelf, blobs, lost,
    async keep(more, wanted = wanting()) {
      const memo = { blob: await blobs.put(packed.bytes()), bytes: packed.bytes().length }
      const { memo: named, shot: _, ...entry } = await shelf.entryFor(wanted, { capture: { ...page, ...more }, confirmed: null, shot: null }, { memo: Promise.resolve(memo), put: blobs.put }, call)
      entries.set(entry.key, { entry, memo: named })
      return entry
    },
  }
}

const news = { requestedUrl: `${url}#part`, url: `${url}#part`, headers: [['etag', 'W/"a"'], ['x-new', '2']], engine: 'http', proxy: 'enhanced', tlsVerified: true, at: now } as const
async function staleOf({ shelf }: Bench, wanted = wanting({ maxAge: 1 })): Promise<Stale> {
  const stale = await shelf.find(wanted, call)
  if (stale?.kind !== 'stale') throw new Error('not stale')
  return stale
}

describe('a cached page', () => {
  /** The addresses that the entry stores, and those in an answer to a request for `asked`. */
  async function addresses(capture: Partial<Capture>, asked: string): Promise<readonly unknown[]> {
    const one = bench()
    const { head } = await one.keep(capture, wanting(capture.requestedUrl === undefined ? {} : { url: capture.requestedUrl }))
    const { requestedUrl, url: kept } = JSON.parse(head) as Capture // written by the shelf
    const found = await one.shelf.find(wanting({ url: asked }), call)
    return [requestedUrl, kept, found?.kind === 'found' ? found.capture.requestedUrl : null, found?.kind === 'found' ? found.capture.url : null]
  }
  const to = 'https://site.test/new'
  it.each([
    ['has the fragment of the request at hand alone', { requestedUrl: `${url}#secret`, url: `${url}#secret` }, url, [url, url, url, url]],
    ['has it where the first had none', {}, `${url}#mine`, [url, url, `${url}#mine`, `${url}#mine`]],
    ['has it where a redirect kept it', { requestedUrl: `${url}#secret`, url: `${to}#secret` }, `${url}#mine`, [url, to, `${url}#mine`, `${to}#mine`]],
    ['has the fragment that a redirect names', { requestedUrl: `${url}#secret`, url: `${to}#its` }, `${url}#mine`, [url, `${to}#its`, `${url}#mine`, `${to}#its`]],
    ['has none that scripts may have made of the first', { requestedUrl: `${url}#secret`, url: `${url}#/secret`, engine: 'browser' }, url, [url, url, url, url]],
    ['has its route', { requestedUrl: `${url}#/a`, url: `${url}#/a`, engine: 'browser' }, `${url}#/a`, [`${url}#/a`, `${url}#/a`, `${url}#/a`, `${url}#/a`]],
  ] as [string, Partial<Capture>, string, readonly string[]][])('%s', async (_name, capture, asked, expected) => {
    expect(await addresses(capture, asked)).toEqual(expected)
  })
})

describe('the key of a capture', () => {
  const plain = captureKey(wanting())
  const abler = (options: object): Plan => plan(ScrapeRequest.parse({ url, ...options }), { ...abilities, features: new Set(['screenshot', 'javascript', 'mobile', 'branding', 'enhanced-proxy'] as const) }, 'a', now)

  it('differs with everything that changes what is fetched', () => {
    const requests = [{ url: `${url}?a` }, { mobile: true }, { blockAds: false }, { waitFor: 100 }, { waitFor: 200 }, { location: { country: 'DE' } }, { location: { languages: ['fr'] } }, { proxy: 'enhanced' }, { formats: ['screenshot'] }, { formats: ['screenshot@fullPage'] }, { formats: ['branding'] }]
    expect(new Set([plain, ...requests.map((options) => captureKey(abler(options)))]).size).toBe(requests.length + 1)
  })

  it.each([{ url: `${url}#part` }, { formats: ['html', 'links'] }, { onlyMainContent: false }, { timeout: 9_000 }, { maxAge: 5 }, { proxy: 'basic' }, { location: { country: 'US' } }])('is the same with what does not: %j', (options) => {
    expect(captureKey(abler(options))).toBe(plain)
  })
})

describe('a stale entry', () => {
  it('is returned with its validators', async () => {
    const one = bench()
    const entry = await one.keep({})
    expect(await staleOf(one)).toMatchObject({ validators: { url, etag: '"a"' }, kept: { entry, memo: expect.any(String) } })
  })

  it.each([
    ['was shown by a browser', { engine: 'browser' }, { maxAge: 1 }],
    ['has nothing to ask by', { headers: [] }, { maxAge: 1 }],
    ['came over a connection that did not verify, where that is not allowed', { tlsVerified: false }, { maxAge: 1, skipTlsVerification: false }],
    ['is not the one that only the cache may answer by', {}, { maxAge: 1, minAge: 1 }],
  ] as [string, Partial<Capture>, object][])('is not returned if it %s', async (_name, capture, options) => {
    const one = bench()
    await one.keep(capture)
    expect(await one.shelf.find(wanting(options), call)).toBeNull()
  })

  it('is not returned if its bytes are missing', async () => {
    const one = bench()
    one.lost.add((await one.keep({})).blob)
    expect(await one.shelf.find(wanting({ maxAge: 1 }), call)).toBeNull()
  })
})

describe('a revalidated entry', () => {
  it('is the stored page with its new facts, and with what was derived from it', async () => {
    const one = bench()
    const entry = await one.keep({})
    const found = await one.shelf.confirm(await staleOf(one), news, wanting({ maxAge: 1 }), call)
    expect(found?.capture).toEqual({ ...page, ...news, headers: [['x-old', '1'], ['etag', 'W/"a"'], ['x-new', '2']], body: new Uint8Array() })
    expect(found?.memo?.page.fields()).toEqual({ markdown: 'page' })
    const memo = { blob: 'memo', bytes: 5 }
    if (found === null) return
    const renewed = await one.shelf.entryFor(wanting(), { capture: found.capture, confirmed: found, shot: null }, { memo: Promise.resolve(memo), put: one.blobs.put }, call)
    expect(renewed).toMatchObject({ id: entry.id, key: entry.key, blob: entry.blob, bytes: body.length, fetchedAt: now, memo })
    expect(JSON.parse(renewed.head)).toMatchObject({ at: now, headers: found.capture.headers })
  })

  it('is returned with its bytes if nothing was derived for that order', async () => {
    const one = bench()
    await one.keep({})
    const wanted = wanting({ maxAge: 1, formats: ['links'] })
    expect(await one.shelf.confirm(await staleOf(one, wanted), news, wanted, call)).toMatchObject({ memo: null, capture: { body } })
  })

  it('is not returned if its bytes were deleted meanwhile, or its headers became too many', async () => {
    const one = bench()
    const entry = await one.keep({})
    const wanted = wanting({ maxAge: 1, formats: ['links'] })
    const stale = await staleOf(one, wanted)
    expect(await one.shelf.confirm(stale, { ...news, headers: [['x', 'y'.repeat(70_000)]] }, wanted, call)).toBeNull()
    one.lost.add(entry.blob)
    expect(await one.shelf.confirm(stale, news, wanted, call)).toBeNull()
  })

  it('stays unverified if its bytes came over an unverified connection', async () => {
    const one = bench()
    await one.keep({ tlsVerified: false })
    const wanted = wanting({ maxAge: 1, skipTlsVerification: true })
    expect(await one.shelf.confirm(await staleOf(one, wanted), news, wanted, call)).toMatchObject({ capture: { tlsVerified: false } })
  })
})

it('a page that is read again from the cache is indexed before its memo answers, in place of a reading that was not complete', async () => {
  const written: unknown[] = []
  const cache: Pick<Cache, 'addMemo' | 'reindex'> = { addMemo: async (team, entry, name, blob) => void written.push([team, entry, name, blob]), reindex: async (team, entry, reading) => void written.push([team, entry, reading]) }
  const shelf = cacheShelf({ cache, blobs: memoryBlobs(), now: () => now, newId: () => 'new' } as unknown as Parameters<typeof cacheShelf>[0]) // those that are used to remember
  const search = { url, title: 'Tides' } as IndexedPage // it is passed on as it is
  const { derive } = wanting()
  await shelf.remember('e', derive, { blob: 'whole', bytes: 5, search }, 'a')
  await shelf.remember('e', derive, { blob: 'other', bytes: 5 }, 'a')
  const memo = memoName(derive)
  expect(written).toEqual([['a', 'e', { page: search, memo, instead: 'passing' }], ['a', 'e', memo, 'whole'], ['a', 'e', memo, 'other']])
  // Or of one without text recognition, where there is some now.
  written.length = 0
  await shelf.remember('e', { ...derive, ocr: 'eng' }, { blob: 'seen', bytes: 5, search }, 'a')
  expect(written.slice(0, -1)).toEqual(['passing', memo].map((instead) => ['a', 'e', { page: search, memo: memoName({ ...derive, ocr: 'eng' }), instead }]))
})
