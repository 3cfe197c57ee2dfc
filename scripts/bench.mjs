#!/usr/bin/env node
/**
 * `npm run bench`: what a start and a scrape cost, each beside a limit that was measured in the same run.
 * `--quick` takes a fifth of the time, `--out FILE` writes the numbers as JSON, `--check` fails when CPU or memory are far beyond their bound.
 */
import './lib/node-version.mjs'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { reading, settling } from './bench/parts.mjs'
import { startHelper } from './bench/processes.mjs'
import { beyondBound, row, table } from './bench/report.mjs'
import { bareStart, cachedScrapes, coldStart, fillCache, freshScrapes, idle, rawFetch, watchMemory } from './bench/service.mjs'
import { buildIfStale } from './lib/build.mjs'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false }, check: { type: 'boolean', default: false }, out: { type: 'string' } } })
const scale = (full, quick) => (options.quick ? quick : full)
const say = (text) => console.error(`… ${text}`)

const code = await buildIfStale()
if (code !== 0) process.exit(code)
const site = await startHelper('site.mjs')
const rows = []
let service
try {
  say('starting')
  const bare = await bareStart(scale(5, 2))
  const cold = await coldStart(site, scale(5, 2))
  service = cold.service
  rows.push(row('cold start, CPU s', cold.cpuS, bare.cpuS), row('cold start, ms to the first page', cold.wallMs, bare.wallMs))
  const rest = await idle(service, scale(12, 2), scale(6, 2))
  rows.push(row('idle memory, MB', rest.rssMb, bare.rssMb), row('idle CPU, %', rest.cpuPercent, null))

  say('fresh pages')
  const peak = watchMemory(service)
  const readMs = await reading(site, scale(8, 3))
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

  say('rendered pages')
  // Reads the build, so not before there is one.
  const { renderedPages } = await import('./bench/pages.mjs')
  const rendered = await renderedPages(site, { count: scale(40, 12), atOnce: 4 })
  rows.push(row('rendered pages per s at 4', rendered.perSecond, rendered.barePerSecond))

  say('parts')
  rows.push(row('page to markdown, CPU ms', readMs, null))
  const settled = await settling(scale(3_000, 600))
  rows.push(row('durable settlements per s', settled.perSecond, settled.syncedWritesPerSecond))
} finally {
  await service?.stop()
  await site.stop()
}

console.log(table(rows))
const machine = { node: process.version, platform: process.platform, cores: cpus().length, model: cpus()[0]?.model ?? 'unknown' }
if (options.out !== undefined) writeFileSync(options.out, `${JSON.stringify({ date: new Date().toISOString(), quick: options.quick, machine, site: { pages: site.pages, meanBytes: site.meanBytes }, rows }, null, 2)}\n`)
if (options.check) {
  const broken = beyondBound(rows)
  for (const one of broken) console.error(`${one.measure}: ${one.value} is far beyond ${one.must}`)
  process.exitCode = broken.length === 0 ? 0 : 1
}
