import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { batched, crawled, jobEnd, leaves, linksTo, numbered, siteWith } from '../crawls.ts'
import { loopbackDnsServer } from '../dns-server.ts'
import { startTrawl, type TestService } from '../service.ts'
import type { Site } from '../site/index.ts'
import type { Answer, Page, Pages } from '../site/page.ts'

let service: TestService
let names: Awaited<ReturnType<typeof loopbackDnsServer>>
beforeAll(async () => {
  names = await loopbackDnsServer()
  service = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', TRAWL_EGRESS_DNS_SERVERS: names.address } })
}, 60_000)
afterAll(async () => {
  await service.stop()
  names.close()
})

const paths = numbered(60)
const downMs = 2_500

/** A site that goes down as `down` does after twenty pages. */
async function failing(down: (site: Site) => Page): Promise<{ readonly site: Site; readonly refused: () => number }> {
  let [answered, refused, until] = [0, 0, 0]
  const alive = leaves(...paths)
  const wrapped = Object.entries(alive).map(([path, page]): readonly [string, Page] => [path, async (visit, answer) => {
    await sleep(50)
    answered += 1
    if (answered === 20) until = performance.now() + downMs
    if (performance.now() >= until) return page(visit, answer)
    refused += 1
    return down(site)(visit, answer)
  }])
  const pages: Pages = { '/': linksTo(...paths), ...Object.fromEntries(wrapped) }
  const site = await siteWith(pages)
  return { site, refused: () => refused }
}

const restarts = (): ((site: Site) => Page) => {
  let begun = false
  return (site) => () => {
    if (begun) return
    begun = true
    void site.away(downMs)
  }
}
const answers = (status: number) => (): Page => (_, answer: Answer) => answer.send(status, {}, '<h1>Bad gateway</h1>')
const hangs = (): Page => () => undefined
const cuts = (): Page => (_, answer: Answer) => answer.cut()

describe('a site that goes away for a moment in the middle of a job', { timeout: 90_000 }, () => {
  it.each([
    ['because it is started anew', restarts()],
    ['behind a gateway that then answers 502', answers(502)],
    ['behind one that answers 504', answers(504)],
    ['behind one that breaks off all connections', cuts],
    ['behind one that no longer answers', hangs],
  ])('costs a crawl no page: %s', async (_, down) => {
    const { site, refused } = await failing(down)
    const job = await crawled(service, { url: site.url('/'), scrapeOptions: { proxy: 'basic', maxAge: 0, timeout: 3_000 } })
    expect(refused()).toBeGreaterThan(0)
    expect([job.status.status, job.paths, job.errors, new Set(job.status.data.map(({ metadata }: { metadata: { statusCode: number } }) => metadata.statusCode))]).toEqual(['completed', ['/', ...paths].sort(), [], new Set([200])])
  })

  it('costs a batch no page', async () => {
    const { site } = await failing(restarts())
    const job = await batched(service, { urls: paths.map((path) => site.url(path)), proxy: 'basic', maxAge: 0 })
    expect([job.paths, job.errors]).toEqual([[...paths].sort(), []])
  })
})

describe('a site that is away while the process starts', { timeout: 90_000 }, () => {
  it('costs a batch that had pages of it before no page', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'trawl-away-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const settings = { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' }
    const some = numbered(20)
    const site = await siteWith(Object.fromEntries(Object.entries(leaves(...some)).map(([path, page]): readonly [string, Page] => [path, async (visit, answer) => {
      await sleep(100)
      return page(visit, answer)
    }])))
    const first = await startTrawl({ dataDir, settings })
    const { json } = await first.call('POST', '/v2/batch/scrape', { urls: some.map((path) => site.url(path)), proxy: 'basic', maxAge: 0, maxConcurrency: 1 })
    await expect.poll(async () => (await first.call('GET', `/v2/batch/scrape/${json.id}`)).json.completed, { timeout: 20_000 }).toBeGreaterThan(2)
    await first.stop('SIGKILL')
    const back = site.away(6_000)
    const second = await startTrawl({ dataDir, settings })
    const job = await jobEnd(second, json.id, { kind: 'batch/scrape' })
    await back
    await second.stop()
    expect(second.output()).not.toContain('page-not-settled')
    expect([job.paths, job.errors]).toEqual([[...some].sort(), []])
  })
})

describe('what is not waited for', { timeout: 60_000 }, () => {
  it('is a host that never answered, and one to which a page redirects', async () => {
    const dead = await siteWith({})
    await dead.close()
    const site = await siteWith({ ...leaves('/a'), '/out': (_, answer) => answer.send(302, { location: dead.url('/') }) })
    const before = service.output().length
    const job = await batched(service, { urls: [site.url('/a'), site.url('/out'), dead.url('/x')], proxy: 'basic', maxAge: 0 })
    expect([job.paths, job.errors]).toEqual([['/a'], ['/out SCRAPE_SITE_ERROR', `${dead.url('/x')} SCRAPE_SITE_ERROR`].sort()])
    expect(service.output().slice(before)).not.toContain('page-postponed')
  })
})

describe('our own network', { timeout: 60_000 }, () => {
  it('costs a batch no page when it is down for a moment, even of hosts that never answered', async () => {
    const site = await siteWith(leaves('/'))
    const there = ['a', 'b', 'c', 'd', 'e'].map((name) => `http://${name}.test:${site.port}/`)
    const gone = `http://f.nowhere:${site.port}/`
    names.close()
    const job = batched(service, { urls: [...there, gone], proxy: 'basic', maxAge: 0 })
    await sleep(3_000)
    expect(site.hits()).toBe(0)
    names = await loopbackDnsServer(Number(names.address.split(':')[1]))
    const { status, errors } = await job
    expect([status.data.map(({ metadata }: { metadata: { sourceURL: string } }) => metadata.sourceURL).sort(), errors.map((error) => error.replace(/^.* /, ''))]).toEqual([there, ['SCRAPE_DNS_RESOLUTION_ERROR']])
  })
})
