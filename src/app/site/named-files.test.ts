import { expect, it } from 'vitest'
import type { FetchAnswer, FetchRequest } from '../../domain/fetching/fetcher.ts'
import type { SitePorts } from './ports.ts'
import { sitemapNames, type SitemapRoots } from './sitemaps.ts'

const count = 12_000

/** Reads the index of a site that names so many files, none of which has pages. */
async function readIndexOf(urlOf: (i: number) => string, more: Partial<SitemapRoots> = {}) {
  const index = Buffer.from(`<sitemapindex>${Array.from({ length: count }, (_, i) => `<sitemap><loc>${urlOf(i)}</loc></sitemap>`).join('')}</sitemapindex>`)
  let breaths = 0
  const fetch = async ({ url }: FetchRequest): Promise<FetchAnswer> => ({ url, status: 200, headers: [], body: url.endsWith('/index.xml') ? index : Buffer.from('<urlset></urlset>'), truncated: false, tlsVerified: true })
  const ports: SitePorts = { fetcher: { fetch, close: async () => undefined }, now: () => 0, breathe: async () => void breaths++, sleep: async () => undefined }
  const pieces = sitemapNames({ urls: ['https://site.example/index.xml'], sites: ['https://site.example'], newestFirst: true, ...more }, ports, { id: 'c', team: 't', signal: new AbortController().signal, deadline: 1_000_000, retention: 'normal', log: () => undefined })
  for (let piece = await pieces.next(); ; piece = await pieces.next()) if (piece.done) return { report: piece.value, breaths }
}

it('no more files of an index are examined than may be read, whatever speaks against them', async () => {
  let asked = 0
  const allows = async (): Promise<boolean> => {
    asked += 1
    return false
  }
  const { report } = await readIndexOf((i) => `https://maps${i}.site.example/sitemap.xml`, { allows })
  expect([asked, report]).toEqual([1_999, { files: 1, troubled: 0, missing: 0, limits: ['robots', 'files'] }])
})

it('the thread is yielded while the files of an index are examined', async () => {
  const { report, breaths } = await readIndexOf((i) => `https://elsewhere${i}.example.net/sitemap.xml`)
  expect(report).toEqual({ files: 21, troubled: 0, missing: 0, limits: ['foreign', 'files'] })
  expect(breaths).toBeGreaterThan(count / 100)
})
