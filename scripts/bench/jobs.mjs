/**
 * The cost of crawls, batches and maps, and whether they are exact: each page once, none too many, none that robots.txt
 * blocks.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { send, timed } from './client.mjs'
import { startHelper, usageOf } from './processes.mjs'
import { watchMemory } from './service.mjs'

/** As a one-off scrape: fetched, read, and stored as a result, but not in the cache. */
const uncached = { formats: ['markdown'], maxAge: 0, storeInCache: false }

async function asked(url, body) {
  const answer = await send(url, body)
  if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status}: ${answer.body.toString().slice(0, 300)}`)
  return JSON.parse(answer.body.toString())
}

/** The number of commits of the store so far: SQLite counts them in the index of its write-ahead log. */
function commits({ folder }) {
  const file = openSync(join(folder, 'trawl.db-shm'), 'r')
  const counter = Buffer.alloc(4)
  readSync(file, counter, 0, 4, 8)
  closeSync(file)
  return counter.readUInt32LE()
}

/** Runs a job to its end; returns the number of its pages, and the milliseconds until the first could be read. */
async function ran(service, path, body) {
  const began = performance.now()
  const { id } = await asked(`${service.url}/v2/${path}`, body)
  let firstMs = null
  for (;;) {
    const { status, completed, data, error } = await asked(`${service.url}/v2/${path}/${id}?limit=1`)
    if (data.length > 0) firstMs ??= performance.now() - began
    if (status === 'completed') return { completed, firstMs, perSecond: completed / ((performance.now() - began) / 1000) }
    if (status !== 'scraping') throw new Error(`A ${path} ended ${status}: ${error}`)
    await sleep(firstMs === null ? 5 : 100)
  }
}

/** The same, with the cost per page. */
async function job(service, path, body) {
  const peak = watchMemory(service)
  const before = { cpuS: usageOf(service.pid).cpuS, commits: commits(service) }
  try {
    const done = await ran(service, path, body)
    const perPage = (cost) => cost / done.completed
    return { ...done, cpuSPer1000: perPage((usageOf(service.pid).cpuS - before.cpuS) * 1000), commitsPerPage: perPage(commits(service) - before.commits), peakMb: peak() }
  } finally {
    peak()
  }
}

/** Throws unless exactly `pages` pages of the site were requested, each once, and none that robots.txt blocks. */
async function assertExact(site, { completed }, pages) {
  const counts = await asked(`${site.url}/counts`)
  const wanted = { requests: pages, distinct: pages, most: 1, barred: 0, completed: pages }
  const got = { ...counts, completed }
  if (JSON.stringify(got) !== JSON.stringify(wanted)) throw new Error(`A job of ${pages} pages was not exact: ${JSON.stringify(got)}`)
}

/** Crawls all pages of a site by its links and sitemaps, or up to `limit`; throws if that was not exact. */
export async function crawl(service, site, { limit, options = uncached } = {}) {
  await send(`${site.url}/forget`)
  // Leaves room beyond the pages for redirects to pages that the crawl already has.
  const done = await job(service, 'crawl', { url: `${site.url}/article/0`, limit: limit ?? site.pages * 2, crawlEntireDomain: true, scrapeOptions: options })
  await assertExact(site, done, limit ?? site.pages)
  return done
}

/** The same crawl with the default options, which cache its pages. */
export const cachedCrawl = (service, site) => crawl(service, site, { options: { formats: ['markdown'], maxAge: 0 } })

/** Scrapes `count` pages of a site by their addresses; throws if that was not exact. */
export async function batch(service, site, count) {
  await send(`${site.url}/forget`)
  const done = await job(service, 'batch/scrape', { urls: Array.from({ length: count }, (_, i) => `${site.url}/article/${i}`), ...uncached })
  await assertExact(site, done, count)
  return done
}

/** The median time of a map of a site, in milliseconds; throws unless it lists every page once. */
export async function map(service, site, { ignoreCache, times }) {
  const { ms } = await timed(times, 1, async () => {
    const { links } = await asked(`${service.url}/v2/map`, { url: `${site.url}/`, limit: 100_000, ignoreCache })
    const pages = new Set(links.map(({ url }) => url).filter((url) => /\/article\/\d+$/.test(url)))
    if (pages.size !== site.pages || links.length !== new Set(links.map(({ url }) => url)).size) throw new Error(`A map of ${site.pages} pages has ${pages.size} of them in ${links.length} links.`)
  })
  return ms.sort((a, b) => a - b)[Math.floor(ms.length / 2)]
}

/** Runs `use` with a site of this many pages and this latency, then stops the site. */
export async function withSite(pages, latencyMs, use) {
  const site = await startHelper('crawl-site.mjs', pages, latencyMs)
  try {
    return await use(site)
  } finally {
    await site.stop()
  }
}

/** The report of the minimal crawler for the site. */
export async function following(site) {
  const { stop, ...floor } = await startHelper('follow.mjs', `${site.url}/article/0`, 64)
  await stop()
  return floor
}
