import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deriveFrom } from '../../src/compute/run.ts'
import { read } from '../../src/content/reading.ts'
import type { Capture } from '../../src/domain/pages/capture.ts'
import type { DeriveOrder } from '../../src/domain/pages/derivation.ts'
import { readDefaults } from '../../src/domain/pages/reading.ts'
import { cpuMs, meanwhile, slowness } from '../cpu.ts'
import { startTrawl, type TestService } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'
import { hostilePages } from './hostile-pages.ts'

let site: Site
let pages: Server
let origin: string
let trawl: TestService

beforeAll(async () => {
  site = await startSite()
  pages = createServer((request, response) => {
    const page = hostilePages[decodeURIComponent((request.url ?? '/').slice(1))]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page?.())
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  const { port }: AddressInfo = pages.address() as AddressInfo // a listening TCP server
  origin = `http://127.0.0.1:${port}`
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port},127.0.0.1:${port}` } })
})
afterAll(async () => {
  await trawl.stop('SIGKILL')
  await site.close()
  pages.closeAllConnections()
  await new Promise((resolve) => pages.close(resolve))
})

const formats = ['markdown', 'html', 'rawHtml', 'links', 'images']

/** The maximum CPU time of the main thread between a request and its answer, in milliseconds. */
const moment = 250

const memory = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${trawl.pid}/status`, 'utf8'))?.[1]) / 1024

describe('R18 patterns of users', () => {
  it.each(['a:has(b)', ':contains(x)', 'a[', '*'.repeat(1_001), Array.from({ length: 65 }, () => 'a').join(' '), ':not('.repeat(200)])('R18 %s is refused before anything is fetched', async (selector) => {
    const before = site.hits('/article')
    const answer = await trawl.scrape({ url: site.url('/article'), includeTags: [selector], maxAge: 0 })
    expect([answer.status, answer.json.code]).toEqual([400, 'BAD_REQUEST'])
    expect(site.hits('/article')).toBe(before)
  })

  it('R18 take time in proportion to the page: two hundred costly ones on ten thousand elements', async () => {
    const selectors = Array.from({ length: 200 }, (_, i) => ({ selector: `div.a${i} > p:nth-last-child(2n+1) ~ [data-x*="y${i}" i]:not(.b ~ .c)`, attribute: 'data-x' }))
    const work = trawl.scrape({ url: `${origin}/selectors`, formats: [{ type: 'attributes', selectors }], maxAge: 0 })
    const { loopMs } = await meanwhile(trawl, work)
    expect((await work).status).toBe(200)
    expect(loopMs).toBeLessThan(moment)
  })
})

describe('R19 what a site may send', () => {
  it('R19 ten redirects but not eleven', async () => {
    expect((await trawl.scrape({ url: site.url('/redirect/chain/10'), maxAge: 0 })).status).toBe(200)
    expect((await trawl.scrape({ url: site.url('/redirect/chain/11'), maxAge: 0 })).json.code).toBe('SCRAPE_SITE_ERROR')
  })

  it('R19 sixty kilobytes of headers but not seventy', async () => {
    expect((await trawl.scrape({ url: site.url('/large/headers?kb=60'), maxAge: 0 })).status).toBe(200)
    expect((await trawl.scrape({ url: site.url('/large/headers?kb=70'), maxAge: 0 })).json.code).toBe('SCRAPE_SITE_ERROR')
  })

  it('R19 fifty megabytes after decompression, in bounded memory', async () => {
    const before = memory()
    const work = trawl.scrape({ url: site.url('/encoding/bomb?mb=500'), formats: ['links'], maxAge: 0 })
    const { loopMs } = await meanwhile(trawl, work)
    const answer = await work
    expect(answer.status === 200 ? answer.json.data.warning : answer.json.code).toMatch(/larger than what is read|SCRAPE_TIMEOUT|SCRAPE_SITE_ERROR/)
    expect(loopMs).toBeLessThan(moment)
    expect(memory() - before).toBeLessThan(700)
  })

  it('R19 nothing after the request has timed out', async () => {
    const ended: string[] = []
    const asked = (path: string, timeout: number): Promise<unknown> => trawl.scrape({ url: site.url(path), timeout, maxAge: 0 }).then(({ status }) => ended.push(`${path} ${status}`))
    // The request with the longer timeout is the clock: it runs in the same process, however busy the machine is.
    await Promise.all([asked('/slow/never?clock', 4_000), asked('/slow/never', 1_000), asked('/large/endless', 1_000)])
    expect(ended.slice(0, 2).sort()).toEqual([expect.stringMatching(/^\/large\/endless (200|408)$/), '/slow/never 408'])
    expect(ended[2]).toBe('/slow/never?clock 408')
  })
})

describe('R20 pages made to be hard to read', () => {
  it('R20 are read, cut or refused, while /health answers at once', async () => {
    const work = Promise.all(Object.keys(hostilePages).map((name) => trawl.scrape({ url: `${origin}/${name}`, formats, maxAge: 0 })))
    const { loopMs } = await meanwhile(trawl, work)
    for (const answer of await work) expect(['200 undefined', '408 SCRAPE_TIMEOUT', '500 SCRAPE_SITE_ERROR']).toContain(`${answer.status} ${answer.json.code}`)
    expect(loopMs).toBeLessThan(moment)
    expect((await trawl.scrape({ url: site.url('/article'), maxAge: 0 })).status).toBe(200)
  }, 60_000)

  it('R20 are not small, or are read in a moment', () => {
    const order: DeriveOrder = { formats: [{ type: 'markdown' }, { type: 'html' }, { type: 'links' }, { type: 'images' }], parsers: [], explain: false, read: readDefaults }
    const slow = Object.entries(hostilePages).flatMap(([name, page]) => {
      const capture: Capture = { requestedUrl: 'http://a.example/', url: 'http://a.example/', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(page()), truncated: false, tlsVerified: true, engine: 'http', proxy: 'basic', at: 0 }
      if (!read(capture, order.read).isSmall()) return []
      // The best of a few runs: excludes the work of the compiler and of a busy machine.
      const best = Math.min(...[0, 1, 2].map(() => cpuMs(() => deriveFrom(read(capture, order.read), order)) / slowness()))
      return best > 50 ? [`${name} ${Math.round(best)} ms`] : []
    })
    expect(slow).toEqual([])
  }, 60_000)
})
