#!/usr/bin/env node
/**
 * `npm run bench`: measures a start, a scrape and more, each next to a limit that is measured in the same run.
 * `--quick` takes a third of the time, `--full` also crawls 20,000 pages, `--out FILE` writes the results as JSON,
 * `--check` fails when CPU time or memory is far beyond its bound.
 */
import '../bin/node-version.js'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { reading, settling } from './bench/parts.mjs'
import { startHelper, usageOf } from './bench/processes.mjs'
import { batch, cachedCrawl, crawl, following, map, withSite } from './bench/jobs.mjs'
import { beyondBound, row, slowness, table } from './bench/report.mjs'
import { bareStart, cachedScrapes, coldStart, fillCache, freshScrapes, idle, rawFetch, watchMemory } from './bench/service.mjs'
import { argumentsOf } from './lib/arguments.mjs'
import { buildIfStale } from './lib/build.mjs'

const { values: options } = argumentsOf('npm run bench -- [--quick | --full] [--check] [--out FILE]', { options: { quick: { type: 'boolean', default: false }, full: { type: 'boolean', default: false }, check: { type: 'boolean', default: false }, out: { type: 'string' } } })
const scale = (full, quick) => (options.quick ? quick : full)
const say = (text) => console.error(`… ${text}`)

const code = await buildIfStale()
if (code !== 0) process.exit(code)
// Imports the build, so not before it exists. Without a browser the run would end after minutes, with nothing to show.
const { chromium, renderedPages } = await import('./bench/pages.mjs')
await chromium()
const site = await startHelper('site.mjs')
const rows = []
const resting = []
let service
try {
  say('starting')
  const bare = await bareStart(scale(5, 2))
  const cold = await coldStart(site, scale(5, 2))
  service = cold.service
  rows.push(row('cold start, CPU s', cold.cpuS, bare.cpuS), row('cold start, ms to the first page', cold.wallMs, bare.wallMs))
  const rest = await idle(service, scale(24, 2), scale(10, 2))
  rows.push(row('idle memory, MB', rest.rssMb, bare.rssMb), row('idle CPU, %', rest.cpuPercent, null))

  say('fresh pages')
  const peak = watchMemory(service)
  const { readMs, parseMs } = await reading(site, scale(8, 3))
  await rawFetch(site, 300, 8)
  await freshScrapes(service, site, scale(300, 100), 8)
  const rawOne = await rawFetch(site, scale(400, 100), 1)
  const one = await freshScrapes(service, site, scale(300, 80), 1)
  rows.push(row('scrape p50 above a raw fetch, ms', one.p50 - rawOne.p50, rawOne.p50), row('scrape p99, ms', one.p99, rawOne.p99))
  for (const atOnce of [16, 64]) {
    const raw = await rawFetch(site, scale(1_500, 400), atOnce)
    const many = await freshScrapes(service, site, scale(1_200, 250), atOnce)
    rows.push(row(`pages per s at ${atOnce}`, many.perSecond, raw.perSecond), row(`CPU s per 1,000 pages at ${atOnce}`, many.cpuSPer1000, raw.cpuMsPerPage + readMs))
    if (atOnce === 64) rows.push(row('p99 by p50 at 64', many.p99 / many.p50, null))
  }

  say('cached pages')
  const pages = scale(200, 60)
  await fillCache(service, site, pages)
  const hit = await cachedScrapes(service, site, { count: scale(400, 100), pages, atOnce: 1, formats: ['markdown'] })
  const hits = await cachedScrapes(service, site, { count: scale(3_000, 500), pages, atOnce: 16, formats: ['markdown'] })
  const other = await cachedScrapes(service, site, { count: pages, pages, atOnce: 1, formats: ['links'] })
  const rawHits = await rawFetch(site, scale(1_500, 400), 16)
  rows.push(row('cached scrape p50, ms', hit.p50, rawOne.p50), row('cached scrapes per s at 16', hits.perSecond, rawHits.perSecond))
  rows.push(row('CPU s per 1,000 cached scrapes', hits.cpuSPer1000, rawHits.cpuMsPerPage), row('cached page, first time in a format: p50, ms', other.p50, rawOne.p50))
  rows.push(row('peak memory, MB', peak(), bare.rssMb))

  say('crawls')
  await service.stop()
  service = (await coldStart(site, 1)).service
  // The first crawl compiles the code: only its memory counts.
  const first = await withSite(200, 0, (small) => crawl(service, small))
  const sizes = [200, scale(2_000, 600), ...(options.full ? [20_000] : [])]
  const crawls = []
  for (const size of sizes) crawls.push(await withSite(size, 0, async (large) => ({ floor: await following(large), ...(await crawl(service, large)) })))
  const main = crawls[1]
  rows.push(row('crawl, pages per s', main.perSecond, main.floor.perSecond), row('crawl, CPU s per 1,000 pages', main.cpuSPer1000, main.floor.cpuSPer1000))
  rows.push(row('crawl, CPU per page: the largest by the smallest', crawls.at(-1).cpuSPer1000 / crawls[0].cpuSPer1000, null))
  rows.push(row('crawl, commits per page', main.commitsPerPage, null), row('crawl, ms to the first document', main.firstMs, rawOne.p50))
  const peakMb = Math.max(...crawls.map((one) => one.peakMb))
  rows.push(row('crawl, peak memory, MB', peakMb, first.peakMb), row('crawl, MB beyond a crawl of 200 pages', peakMb - first.peakMb, null))
  const crawled = performance.now()

  // A new service for the following steps, so that the one that has crawled can rest.
  const rested = service
  resting.push(rested)
  service = (await coldStart(site, 1)).service
  await withSite(scale(1_000, 300), 0, async (large) => {
    const floor = await following(large)
    const kept = await cachedCrawl(service, large)
    const many = await batch(service, large, large.pages)
    await crawl(service, large, { limit: 100 })
    rows.push(row('crawl kept in the cache, CPU s per 1,000 pages', kept.cpuSPer1000, floor.cpuSPer1000))
    rows.push(row('batch, pages per s', many.perSecond, floor.perSecond), row('batch, CPU s per 1,000 pages', many.cpuSPer1000, floor.cpuSPer1000))
  })
  const far = await withSite(scale(2_000, 500), 300, (large) => crawl(service, large))
  rows.push(row('crawl, pages per s at 300 ms, 100 at once', far.perSecond, 100 / 0.3))

  say('maps')
  await withSite(2_000, 0, async (large) => {
    rows.push(row('map of 2,000 pages, ms', await map(service, large, { ignoreCache: true, times: 1 }), rawOne.p50), row('map of 2,000 pages, known, ms', await map(service, large, { ignoreCache: false, times: 25 }), rawOne.p50))
  })
  await withSite(50_000, 0, async (large) => rows.push(row('map of 50,000 pages, ms', await map(service, large, { ignoreCache: true, times: 1 }), null)))

  say('rendered pages')
  const rendered = await renderedPages(site, { count: scale(40, 12), atOnce: 4 })
  rows.push(row('rendered pages per s at 4', rendered.perSecond.ours, rendered.perSecond.bare))
  rows.push(row('browser, ms from launch to the first page', rendered.launchMs.ours, rendered.launchMs.bare), row('browser, MB per further open page', rendered.perOpenMb.ours, rendered.perOpenMb.bare))

  say('sessions')
  const { sessions } = await import('./bench/sessions.mjs')
  const live = await sessions(service, site, scale(9, 5))
  rows.push(row('rendered scrape with actions, ms', live.ours.acting, live.bare.acting), row('first interact, ms', live.ours.opening, live.bare.opening))
  rows.push(row('further node call above the bare call, ms', live.ours.running - live.bare.running, live.bare.running))
  rows.push(row('live view, ms to the first picture', live.view.firstPictureMs, null), row('live view, pictures per s', live.view.picturesPerSecond, null))

  say('parts')
  rows.push(row('page to markdown, CPU ms', readMs, parseMs))
  const settled = await settling(scale(3_000, 600))
  rows.push(row('durable settlements per s', settled.perSecond, settled.syncedWritesPerSecond), row('synced write of 4 KB, ms', 1_000 / settled.syncedWritesPerSecond, null))

  const left = scale(60_000, 15_000) - (performance.now() - crawled)
  if (left > 0) await sleep(left)
  rows.push(row('memory a minute after the crawl, MB', usageOf(rested.pid).rssMb, bare.rssMb))
} finally {
  for (const one of [...resting, service]) await one?.stop()
  await site.stop()
}

console.log(table(rows))
console.log(`\n${slowness(rows)}`)
const machine = { node: process.version, platform: process.platform, cores: cpus().length, model: cpus()[0]?.model ?? 'unknown' }
if (options.out !== undefined) writeFileSync(options.out, `${JSON.stringify({ date: new Date().toISOString(), quick: options.quick, machine, site: { pages: site.pages, meanBytes: site.meanBytes }, rows }, null, 2)}\n`)
if (options.check) {
  const broken = beyondBound(rows)
  for (const one of broken) console.error(`${one.measure}: ${one.value} is far beyond ${one.must}`)
  process.exitCode = broken.length === 0 ? 0 : 1
}
