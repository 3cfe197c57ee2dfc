import { expect, it } from 'vitest'
import { memoryBlobs } from '../../../test/fakes.ts'
import type { SitemapEntry } from '../../content/site/sitemap/index.ts'
import type { Call } from '../../domain/call.ts'
import type { CacheEntry } from '../../domain/pages/page-cache.ts'
import { MapRequest } from '../../spec/map.ts'
import type { SitemapReport } from '../site/sitemap-report.ts'
import { findSitemaps, sitemapKey, sitemapRecord } from './sitemap-shelf.ts'

const call: Call = { id: 'c', team: 't', signal: new AbortController().signal, deadline: 0, retention: 'normal', log: () => undefined }
const hour = 3_600_000
const day = 24 * hour
const fine: SitemapReport = { files: 2, troubled: 0, missing: 0, limits: [] }
const entries: readonly SitemapEntry[] = [
  { url: 'https://site.example/a', sitemap: false, title: 'Ebb\tand\nflow' },
  { url: 'https://site.example/c', sitemap: false, description: 'Both\tat once' },
  { url: 'https://site.example/b', sitemap: false },
]

/** Puts these entries on a shelf at time 0; returns what it finds there later. */
async function kept(report: SitemapReport | null, some: readonly SitemapEntry[] = entries) {
  const clock = { now: 0 }
  const rows: CacheEntry[] = []
  const cache = { find: async ({ key }: { key: string }, oldest: number) => rows.filter((row) => row.key === key && row.fetchedAt >= oldest).map((entry) => ({ entry, memo: null }))[0] ?? null }
  const ports = { cache, blobs: memoryBlobs(), now: () => clock.now, newId: () => 'id' } as unknown as Parameters<typeof sitemapRecord>[0] // the parts that a shelf uses
  const record = sitemapRecord(ports)
  record.add(some)
  const row = await record.keep('key', report, call)
  if (row !== null) rows.push(row)
  return async (age: number) => {
    clock.now = age
    const found = await findSitemaps('key', ports, call)
    return found === null ? null : { complete: found.complete, report: found.report, entries: [...found.entries()] }
  }
}

it('sitemaps are cached for seven days, with titles', async () => {
  const at = await kept(fine)
  expect(await at(7 * day - 1)).toEqual({ complete: true, report: fine, entries: [{ url: 'https://site.example/a', title: 'Ebb and flow' }, { url: 'https://site.example/c', description: 'Both at once' }, { url: 'https://site.example/b' }] })
  expect(await at(7 * day)).toBe(null)
})

it('incomplete sitemaps are cached for an hour', async () => {
  for (const report of [{ ...fine, troubled: 1 }, { ...fine, missing: 1 }]) {
    const at = await kept(report)
    expect(await at(hour - 1)).toMatchObject({ complete: true, report })
    expect(await at(hour)).toBe(null)
  }
})

it('sitemaps that were truncated by a limit are cached as long as others, and marked', async () => {
  const report: SitemapReport = { ...fine, limits: ['size', 'levels'] }
  expect(await (await kept(report))(7 * day - 1)).toMatchObject({ complete: true, report })
})

it('sitemaps that were only partly read, or are too large to cache, are marked; empty ones are not cached', async () => {
  expect(await (await kept(null))(0)).toMatchObject({ complete: false, report: { files: 0, troubled: 0, missing: 0, limits: [] } })
  expect(await (await kept(fine, []))(0)).toBe(null)
  const much = Array.from({ length: 3_000 }, (_, i) => ({ url: `https://site.example/${i}/${'a'.repeat(8_000)}`, sitemap: false }))
  const at = await kept(fine, much)
  expect(await at(0)).toBe(null)
})

it('sitemaps are cached separately for requests that the site may answer differently, and not at all for private ones', () => {
  const key = (more: object): string | null => sitemapKey(MapRequest.parse({ url: 'https://site.example/docs', ...more }))
  const plain = key({})
  expect([key({ url: 'https://site.example/' }), key({ location: { country: 'US' } }), key({ headers: {} }), key({ limit: 3, search: 'x', sitemap: 'only' })]).toEqual([plain, plain, plain, plain])
  expect(new Set([plain, key({ url: 'http://site.example/docs' }), key({ location: { country: 'DE' } }), key({ location: { languages: ['fr'] } })]).size).toBe(4)
  expect(key({ headers: { cookie: 'a=b' } })).toBe(null)
})
