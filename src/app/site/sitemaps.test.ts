import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { allowAll } from '../../content/site/robots.ts'
import type { SitemapEntry } from '../../content/site/sitemap/index.ts'
import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { FetchAnswer, FetchRequest } from '../../domain/fetching/fetcher.ts'
import type { SitePorts } from './ports.ts'
import { type SitemapReport, sitemapWarnings } from './sitemap-report.ts'
import { sitemapPages, type SitemapRoots, sitemapRoots } from './sitemaps.ts'

const site = 'https://site.example'
const megabyte = 2 ** 20

type File = string | Uint8Array | number | ((request: FetchRequest, call: Call) => Promise<Uint8Array | FetchAnswer>)

/** The report for this many files. */
const report = (files: number, more: Partial<SitemapReport> = {}): SitemapReport => ({ files, troubled: 0, missing: 0, limits: [], ...more })

const urlset = (...urls: readonly string[]): string => `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`
const index = (...urls: readonly string[]): string => `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`

/** A site with these files; a number is a status. */
function siteOf(files: Readonly<Record<string, File>>) {
  const asked: string[] = []
  let under = 0
  let most = 0
  const fetch = async (request: FetchRequest, call: Call): Promise<FetchAnswer> => {
    asked.push(request.url)
    under += 1
    most = Math.max(most, under)
    await new Promise((resolve) => setImmediate(resolve))
    try {
      const file = files[request.url.replace(site, '')] ?? 404
      const given = typeof file === 'function' ? await file(request, call) : file
      if (typeof given === 'object' && 'status' in given) return given
      const whole = typeof given === 'object' ? given : typeof given === 'number' ? new Uint8Array() : Buffer.from(given)
      return { url: request.url, status: typeof file === 'number' ? file : 200, headers: [], body: whole.subarray(0, request.maxBytes), truncated: whole.length > request.maxBytes, tlsVerified: true }
    } finally {
      under -= 1
    }
  }
  const slept: number[] = []
  const ports: SitePorts = { fetcher: { fetch, close: async () => undefined }, now: () => 0, breathe: () => new Promise((resolve) => setImmediate(resolve)), sleep: async (ms) => void slept.push(ms) }
  return { ports, asked, slept, most: () => most }
}

const callOf = (signal = new AbortController().signal): Call => ({ id: 'c', team: 't', signal, deadline: 1_000_000, retention: 'normal', log: () => undefined })

async function all(pieces: AsyncGenerator<readonly SitemapEntry[], SitemapReport>): Promise<{ urls: string[]; report: SitemapReport }> {
  const urls: string[] = []
  for (let piece = await pieces.next(); ; piece = await pieces.next()) {
    if (piece.done) return { urls, report: piece.value }
    urls.push(...piece.value.map(({ url }) => url.replace(site, '')))
  }
}

/** Files of the site by path, or of other sites by address. */
const from = (...urls: readonly string[]): SitemapRoots => ({ urls: urls.map((url) => new URL(url, site).href), sites: [site] })

const read = (files: Readonly<Record<string, File>>, ...roots: readonly string[]) => all(sitemapPages(from(...(roots.length > 0 ? roots : ['/sitemap.xml'])), siteOf(files).ports, callOf()))

describe('the pages that sitemaps name', () => {
  it('are those that have arrived when a file does not end in time, and the file counts as not read to its end', async () => {
    const endless = ({ url, until }: FetchRequest): Promise<FetchAnswer> =>
      new Promise((resolve) => until?.addEventListener('abort', () => resolve({ url, status: 200, headers: [], body: Buffer.from('<urlset><url><loc>/one</loc></url><url><loc>/tw'), truncated: true, late: true, tlsVerified: true })))
    const { ports, asked } = siteOf({ '/sitemap.xml': endless })
    const found = await all(sitemapPages(from('/sitemap.xml'), ports, { ...callOf(), deadline: 1_000 }))
    expect(found).toEqual({ urls: ['/one'], report: report(1, { troubled: 1 }) })
    expect(asked).toHaveLength(1)
  })

  it('are returned file by file in the order of the index, however long each takes', async () => {
    const late = async (): Promise<Uint8Array> => {
      for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
      return Buffer.from(urlset(`${site}/late`))
    }
    const found = await read({ '/sitemap.xml': index(`${site}/1.xml`, `${site}/2.xml`, `${site}/3.xml`), '/1.xml': late, '/2.xml': urlset(`${site}/two`), '/3.xml': `${site}/three\n${site}/four\n` })
    expect(found).toEqual({ urls: ['/late', '/two', '/three', '/four'], report: report(4) })
  })

  it('come from no file that robots.txt blocks, unless it names that file or its index at the same host', async () => {
    const led: FetchRequest[] = []
    const leads = async (request: FetchRequest): Promise<Uint8Array> => {
      led.push(request)
      await request.onRedirect?.(`${site}/private/b.xml`)
      return Buffer.from(urlset(`${site}/led`))
    }
    const files = { '/sitemap.xml': index(`${site}/private/a.xml`, `${site}/open.xml`, `${site}/leads.xml`, 'https://www.other.example/x.xml'), '/private/a.xml': urlset(`${site}/a`), '/open.xml': urlset(`${site}/open`), '/leads.xml': leads, 'https://www.other.example/x.xml': urlset(`${site}/x`) }
    const allows = async (url: string): Promise<boolean> => !url.includes('private') && !url.includes('other.example')
    const inTurn = async (asked: boolean) => all(sitemapPages({ ...from('/sitemap.xml'), asked, allows }, siteOf(files).ports, callOf()))
    expect([await inTurn(false), await inTurn(true)]).toEqual([
      { urls: ['/open'], report: report(3, { troubled: 1, limits: ['robots'] }) },
      { urls: ['/a', '/open', '/led'], report: report(4, { limits: ['robots'] }) },
    ])
    expect(led).toHaveLength(2)
  })

  it('come from files that a busy site served after its Retry-After', async () => {
    const busy = (times: number, status: number, ...headers: (readonly [string, string])[]) => {
      let count = 0
      return async (request: FetchRequest): Promise<Uint8Array | FetchAnswer> => {
        if (++count > times) return Buffer.from(urlset(`${site}/${status}`))
        return { url: request.url, status, headers, body: new Uint8Array(), truncated: false, tlsVerified: true }
      }
    }
    const { ports, slept } = siteOf({ '/1.xml': busy(2, 503), '/2.xml': busy(1, 429, ['retry-after', '7']), '/3.xml': busy(1, 503, ['retry-after', '31']), '/4.xml': busy(3, 429) })
    const found = await all(sitemapPages(from('/1.xml', '/2.xml', '/3.xml', '/4.xml'), ports, callOf()))
    expect([found.urls, found.report.troubled, [...slept].sort((a, b) => a - b)]).toEqual([['/503', '/429'], 2, [1_000, 1_000, 2_000, 2_000, 7_000]])
  })

  it.each([['sooner', '<urlset><url><loc>/o'], ['later', '<urlset><url><loc>/one</loc></url><url><loc>/two</loc></url><url><lo'], ['whole', urlset('/one', '/two', '/three')], ['without an answer', null]] as const)('are those that have arrived of a file whose connection broke, and came again: %s', async (how, second) => {
    const cut = (url: string, body: string, late: boolean): FetchAnswer => ({ url, status: 200, headers: [], body: Buffer.from(body), truncated: late, ...(late ? { late } : {}), tlsVerified: true })
    const again = ({ url }: FetchRequest): FetchAnswer => {
      if (second === null) throw new ServiceError('SCRAPE_SITE_ERROR')
      return cut(url, second, !second.endsWith('</urlset>'))
    }
    const { ports, asked } = siteOf({ '/sitemap.xml': async (request) => (asked.length === 1 ? cut(request.url, '<urlset><url><loc>/one</loc></url><url><loc>/tw', true) : again(request)) })
    const found = await all(sitemapPages(from('/sitemap.xml'), ports, callOf()))
    const urls = { sooner: ['/one'], later: ['/one', '/two'], whole: ['/one', '/two', '/three'], 'without an answer': ['/one'] }[how]
    expect(found).toEqual({ urls, report: report(1, { troubled: how === 'whole' ? 0 : 1 }) })
    expect(asked).toHaveLength(2)
  })

  it('come from a file whose connection broke once', async () => {
    let broken = 1
    const once = async (): Promise<Uint8Array> => {
      if (broken-- > 0) throw new ServiceError('SCRAPE_SITE_ERROR')
      return Buffer.from(urlset(`${site}/a`))
    }
    expect(await read({ '/sitemap.xml': once })).toEqual({ urls: ['/a'], report: report(1) })
  })

  it('come first from the files with the latest change according to the index, on request', async () => {
    const entry = (name: string, date?: string): string => `<sitemap><loc>${site}/${name}.xml</loc>${date === undefined ? '' : `<lastmod>${date}</lastmod>`}</sitemap>`
    const dated = `<sitemapindex>${entry('old', '2019-01-01')}${entry('undated')}${entry('new', '2026-05-01')}${entry('newer', '2026-05-01T10:00:00+02:00')}${entry('last')}</sitemapindex>`
    const files = Object.fromEntries(['old', 'undated', 'new', 'newer', 'last'].map((name) => [`/${name}.xml`, urlset(`${site}/${name}`)]))
    const inOrder = async (newestFirst: boolean) => (await all(sitemapPages({ ...from('/sitemap.xml'), newestFirst }, siteOf({ '/sitemap.xml': dated, ...files }).ports, callOf()))).urls
    expect([await inOrder(true), await inOrder(false)]).toEqual([['/newer', '/new', '/old', '/undated', '/last'], ['/old', '/undated', '/new', '/newer', '/last']])
  })

  it('come first from the files that changed last, wherever they are in a long index', async () => {
    const day = (i: number): string => new Date(Date.UTC(2015, 0, 1 + i)).toISOString().slice(0, 10)
    const days = Array.from({ length: 3_000 }, (_, i) => day(i))
    const long = `<sitemapindex>${days.map((date) => `<sitemap><loc>${site}/sitemaps/of/the/day/${date}.xml</loc><lastmod>${date}</lastmod></sitemap>`).join('')}</sitemapindex>`
    const files = Object.fromEntries(days.map((date) => [`/sitemaps/of/the/day/${date}.xml`, urlset(`${site}/${date}`)]))
    const { urls, report: said } = await all(sitemapPages({ ...from('/sitemap.xml'), newestFirst: true }, siteOf({ '/sitemap.xml': long, ...files }).ports, callOf()))
    expect([urls, said]).toEqual([days.toReversed().slice(0, 1_999).map((date) => `/${date}`), report(2_000, { limits: ['files'] })])
  })

  it('come from files that are requested without the credentials in their addresses', async () => {
    const { ports, asked } = siteOf({ '/sitemap.xml': index(`${site.replace('//', '//user:secret@')}/1.xml`), '/1.xml': urlset(`${site}/a`) })
    expect((await all(sitemapPages(from('/sitemap.xml'), ports, callOf()))).urls).toEqual(['/a'])
    expect(asked).toEqual([`${site}/sitemap.xml`, `${site}/1.xml`])
  })

  it('are read from gzip files, and from the readable part of a broken one, which is reported', async () => {
    const many = Array.from({ length: 5_000 }, (_, i) => `${site}/page/${(i * 7_919) % 100_003}`)
    const packed = gzipSync(urlset(...many))
    expect((await read({ '/sitemap.xml': packed })).urls).toHaveLength(5_000)
    const broken = await read({ '/sitemap.xml': packed.subarray(0, packed.length / 2) })
    expect(broken.urls.length).toBeGreaterThan(1_000)
    expect(broken.urls.length).toBeLessThan(5_000)
    expect(broken.report).toEqual(report(1, { troubled: 1 }))
    const junk = await read({ '/sitemap.xml': Buffer.from([0x1f, 0x8b, 8, 1, 2, 3]) })
    expect(junk).toEqual({ urls: [], report: report(1, { troubled: 1 }) })
  })

  it('are empty if the file is an HTML page', async () => {
    expect(await read({ '/sitemap.xml': '<!doctype html><html><body><a href="/a">a</a><item><link>/b</link></item></body></html>' })).toEqual({ urls: [], report: report(1, { missing: 1 }) })
  })

  it('come from the other files when one is missing or the host breaks off', async () => {
    const broken = async (): Promise<never> => {
      throw new ServiceError('SCRAPE_SITE_ERROR')
    }
    const found = await read({ '/sitemap.xml': index(`${site}/1.xml`, `${site}/2.xml`, `${site}/3.xml`), '/1.xml': 500, '/2.xml': broken, '/3.xml': urlset(`${site}/a`) })
    expect(found).toEqual({ urls: ['/a'], report: report(4, { troubled: 2 }) })
  })

  it('end if indexes refer to each other, or are nested endlessly', async () => {
    const { ports, asked } = siteOf({ '/sitemap.xml': index(`${site}/b.xml`, `${site}/sitemap.xml`), '/b.xml': index(`${site}/sitemap.xml`, `${site}/b.xml`) })
    expect(await all(sitemapPages(from('/sitemap.xml'), ports, callOf()))).toEqual({ urls: [], report: report(2) })
    expect(asked).toHaveLength(2)
    const deep = siteOf(Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`/${i}.xml`, index(`${site}/${i + 1}.xml`)])))
    expect((await all(sitemapPages(from('/0.xml'), deep.ports, callOf()))).report).toEqual(report(4, { limits: ['levels'] }))
  })

  it('end with 50,000 URLs or 50 MB of a file, which is reported', async () => {
    const many = await read({ '/sitemap.xml': urlset(...Array.from({ length: 50_001 }, (_, i) => `${site}/${i}`)) })
    expect([many.urls.length, many.report]).toEqual([50_000, report(1, { limits: ['size'] })])
    const endless = Buffer.alloc(51 * megabyte, ' ')
    endless.write(`<urlset><url><loc>${site}/first</loc></url>`)
    for (const body of [endless, gzipSync(endless, { level: 1 })]) expect(await read({ '/sitemap.xml': body })).toEqual({ urls: ['/first'], report: report(1, { limits: ['size'] }) })
  })

  it('are fetched a few files at a time, and large files one after another', async () => {
    const large = Buffer.alloc(11 * megabyte, ' ')
    large.write(`<urlset><url><loc>${site}/large</loc></url>`)
    large.write('</urlset>', large.length - 9)
    const sizes: number[] = []
    const measured = async ({ maxBytes }: FetchRequest): Promise<Uint8Array> => {
      sizes.push(maxBytes)
      return large
    }
    const names = Array.from({ length: 20 }, (_, i) => `${site}/${i}.xml`)
    const { ports, most } = siteOf({ '/sitemap.xml': index(...names), ...Object.fromEntries(names.map((_, i) => [`/${i}.xml`, i === 3 ? measured : urlset(`${site}/${i}`)])) })
    const found = await all(sitemapPages(from('/sitemap.xml'), ports, callOf()))
    expect([found.urls.length, found.urls[3], found.report]).toEqual([20, '/large', report(21)])
    expect(most()).toBe(6)
    expect(sizes.map((size) => Math.round(size / megabyte))).toEqual([10, 50])
  })

  it('are fetched from few other sites, so that nobody can make us fetch from arbitrary sites', async () => {
    const elsewhere = Array.from({ length: 100 }, (_, i) => `https://victim-${i}-example.net/sitemap.xml`)
    const { ports, asked } = siteOf({ '/sitemap.xml': index(...elsewhere, 'https://maps.site.example/own.xml'), ...Object.fromEntries(elsewhere.map((url) => [url, urlset()])), 'https://maps.site.example/own.xml': urlset(`${site}/own`) })
    const found = await all(sitemapPages(from('/sitemap.xml'), ports, callOf()))
    expect(asked.filter((url) => url.includes('victim'))).toHaveLength(20)
    expect(found).toEqual({ urls: ['/own'], report: report(22, { limits: ['foreign'] }) })
  })

  it('belong to the requested site, whatever its robots.txt names first', async () => {
    const victims = Array.from({ length: 40 }, (_, i) => `https://victim.example.net/${i}.xml`)
    const own = Array.from({ length: 40 }, (_, i) => `https://maps.site.example/${i}.xml`)
    const { ports, asked } = siteOf(Object.fromEntries([...victims, ...own].map((url) => [url, urlset()])))
    const found = await all(sitemapPages(from(...victims, ...own), ports, callOf()))
    expect([asked.filter((url) => url.includes('victim')).length, asked.filter((url) => url.includes('maps.')).length]).toEqual([20, 40])
    expect(found.report).toEqual(report(60, { limits: ['foreign'] }))
  })

  it('are fetched once, whatever fragments their addresses have', async () => {
    const { ports, asked } = siteOf({ '/sitemap.xml': index(`${site}/sitemap.xml#a`, `${site}/a.xml#1`, `${site}/a.xml#2`, `${site}/a.xml`), '/a.xml': urlset(`${site}/a`) })
    expect((await all(sitemapPages(from('/sitemap.xml'), ports, callOf()))).urls).toEqual(['/a'])
    expect(asked).toEqual([`${site}/sitemap.xml`, `${site}/a.xml`])
  })

  it('are given up after many unreadable files in a row', async () => {
    const { ports, asked } = siteOf({ '/sitemap.xml': index(...Array.from({ length: 500 }, (_, i) => `${site}/${i}.xml`)) })
    const found = await all(sitemapPages(from('/sitemap.xml'), ports, callOf()))
    expect(asked.length).toBeLessThan(30)
    expect(found.report).toEqual(report(21, { troubled: 20, limits: ['failures'] }))
  })

  it('are limited to two thousand files, which is reported', async () => {
    const names = Array.from({ length: 2_000 }, (_, i) => `${site}/${i}.xml`)
    const found = await read({ '/sitemap.xml': index(...names), ...Object.fromEntries(names.map((_, i) => [`/${i}.xml`, urlset()])) })
    expect(found.report).toEqual(report(2_000, { limits: ['files'] }))
  })

  it('may break off, which is reported, or be missing, which is distinguished from other faults', async () => {
    expect(await read({ '/sitemap.xml': `<urlset><url><loc>${site}/a</loc></url>` })).toEqual({ urls: ['/a'], report: report(1, { troubled: 1 }) })
    expect(await read({})).toEqual({ urls: [], report: report(1, { missing: 1 }) })
    expect((await read({ '/sitemap.xml': 410 })).report).toEqual(report(1, { missing: 1 }))
    for (const status of [403, 429, 500]) expect((await read({ '/sitemap.xml': status })).report).toEqual(report(1, { troubled: 1 }))
  })

  it('come from the usual place if no named file exists', async () => {
    const page = '<!DOCTYPE html><html><body><h1>Page not found</h1></body></html>'
    const usual = { ...from('/a.xml', '/b.xml'), usual: `${site}/sitemap.xml` }
    const found = (files: Readonly<Record<string, File>>) => all(sitemapPages(usual, siteOf(files).ports, callOf()))
    const there = urlset(`${site}/x`)
    expect(await found({ '/b.xml': page, '/sitemap.xml': there })).toEqual({ urls: ['/x'], report: report(3, { missing: 2 }) })
    expect(await found({ '/sitemap.xml': page })).toEqual({ urls: [], report: report(2, { missing: 2 }) })
    expect(await found({ '/a.xml': 503, '/sitemap.xml': there })).toEqual({ urls: [], report: report(2, { missing: 1, troubled: 1 }) })
    expect(await found({ '/a.xml': urlset(), '/sitemap.xml': there })).toEqual({ urls: [], report: report(2, { missing: 1 }) })
    expect((await read({ '/sitemap.xml': index(`${site}/1.xml`), '/1.xml': page })).report).toEqual(report(2, { troubled: 1 }))
  })

  it('are not fetched any more when the reader stops, or the call ends', async () => {
    let given = 0
    const never = (_request: FetchRequest, { signal }: Call): Promise<never> => new Promise((_resolve, reject) => signal.addEventListener('abort', () => ((given += 1), reject(signal.reason))))
    const files = { '/sitemap.xml': index(`${site}/1.xml`, `${site}/2.xml`, `${site}/3.xml`), '/1.xml': urlset(`${site}/a`), '/2.xml': never, '/3.xml': never }
    const pieces = sitemapPages(from('/sitemap.xml'), siteOf(files).ports, callOf())
    expect((await pieces.next()).value).toEqual([{ url: `${site}/a`, sitemap: false }])
    await pieces.return(report(0))
    expect(given).toBe(2)
    const caller = new AbortController()
    const waiting = all(sitemapPages(from('/2.xml'), siteOf(files).ports, callOf(caller.signal)))
    caller.abort(new ServiceError('SCRAPE_TIMEOUT'))
    await expect(waiting).rejects.toMatchObject({ code: 'SCRAPE_TIMEOUT' })
  })

  it('are not affected by an expired time limit, which a fetch may notice before the call ends', async () => {
    const late = siteOf({ '/sitemap.xml': () => Promise.reject(new ServiceError('SCRAPE_TIMEOUT')) }).ports
    await expect(all(sitemapPages(from('/sitemap.xml'), { ...late, now: () => 999_999 }, callOf()))).rejects.toMatchObject({ code: 'SCRAPE_TIMEOUT' })
    expect((await all(sitemapPages(from('/sitemap.xml'), late, callOf()))).report).toEqual(report(1, { troubled: 1 }))
  })
})

it('are found where robots.txt says, otherwise at the usual place', () => {
  expect(sitemapRoots(site, { robots: allowAll }, () => true)).toEqual({ urls: [`${site}/sitemap.xml`], sites: [site] })
  const named = { ...allowAll, sitemaps: [`${site}/map.xml`] }
  expect(sitemapRoots(site, { robots: named, at: 'https://moved.example/robots.txt' }, () => true)).toEqual({ urls: [`${site}/map.xml`], sites: [site, 'https://moved.example/robots.txt'], usual: `${site}/sitemap.xml`, asked: true })
  expect(sitemapRoots(site, { robots: { ...allowAll, sitemaps: [`${site}/sitemap.xml`] } }, () => true).usual).toBe(undefined)
  expect([sitemapRoots(site, { robots: allowAll }, () => false), sitemapRoots(site, { robots: named }, () => false)]).toEqual([{ urls: [], sites: [site] }, { urls: [`${site}/map.xml`], sites: [site], usual: undefined, asked: true }])
})

describe('the report about sitemaps', () => {
  it.each([
    [report(3), true, []],
    [report(1, { missing: 1 }), false, []],
    [report(2, { missing: 1 }), true, ['Of the sitemaps, 1 of 2 files could not be read to their end.']],
    [report(6, { troubled: 2, missing: 1 }), false, ['Of the sitemaps, 2 of 6 files could not be read to their end.']],
    [report(1, { limits: ['size'] }), false, ['Of a sitemap or feed no more than 50,000 URLs and 50 MB are read, and the site has one with more.']],
    [report(9, { limits: ['levels', 'files'] }), true, ['Sitemaps nested deeper than 4 levels were not read.', 'Of the sitemap files that the site names only the first 2,000 were considered.']],
    [report(30, { troubled: 20, limits: ['foreign', 'failures'] }), true, ['Of the sitemaps, 20 of 30 files could not be read to their end.', 'Of the sitemap files at other sites only the first 20 were read.', 'The remaining sitemap files were not asked for, since 20 in a row could not be read.']],
  ])('%j, named %s', (what, named, sentences) => expect(sitemapWarnings(what, named)).toEqual(sentences))
})
