/**
 * Rendered pages through the pool (isolated contexts, confined, all traffic through the egress guard), compared with
 * the same visits in a bare browser.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChromium } from '../../dist/browser/chromium/launch.js'
import { wireOf } from '../../dist/browser/protocol/wire.js'
import { browserPool, contextTerms, findChromium, visit } from '../../dist/browser/index.js'
import { allowList, egress, nameResolver, ownEndpoints, tunnel } from '../../dist/net/index.js'

const find = { path: null, cdpUrl: null, cacheDir: join(tmpdir(), 'trawl-bench-cache'), searchPath: (process.env.PATH ?? '').split(':'), home: homedir() }
const limitMs = 30_000

const callOf = () => ({ id: 'bench', team: 'bench', signal: AbortSignal.timeout(limitMs), deadline: Date.now() + limitMs, retention: 'normal', log: () => undefined })

/** Visits a page as a scrape does, with the same waiting and the same snapshot on both sides. */
export async function visitOne(use, url, { actions, stays, after = () => undefined } = {}) {
  const call = callOf()
  const order = { url, headers: {}, languages: ['en-US', 'en'], skipTlsVerification: true, blockAds: true, ...(actions === undefined ? {} : { actions }) }
  const terms = contextTerms(order)
  await use(terms, async (page) => {
    const visited = await visit(page, { order, terms, stays }, { clock: Date, maxBytes: 50_000_000 }, call)
    if (visited.kind !== 'captured') throw new Error('a page was taken for a file')
    await after(page)
  }, call)
}

async function perSecond(use, site, { count, atOnce }) {
  await visitOne(use, `${site.url}/page/0`)
  let next = 1
  const started = performance.now()
  const one = async () => {
    while (next <= count) await visitOne(use, `${site.url}/page/${next++ % site.pages}`)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return count / ((performance.now() - started) / 1000)
}

/** The private memory of the processes below this one, plus their share of shared memory, in megabytes. */
function belowMb() {
  const below = new Set([process.pid])
  const parents = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? quietly(() => readFileSync(`/proc/${name}/stat`, 'latin1')) : ''
    return stat === '' ? [] : [{ pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }]
  })
  // Pids may be reused: a child may have a lower one than its parent.
  for (let before = 0; before < below.size; ) {
    before = below.size
    for (const { pid, parent } of parents) if (below.has(parent)) below.add(pid)
  }
  below.delete(process.pid)
  const kilobytes = [...below].map((pid) => Number(/^Pss:\s+(\d+)/m.exec(quietly(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')))?.[1] ?? 0))
  return kilobytes.reduce((sum, kb) => sum + kb, 0) / 1024
}

/** A process may have ended since it was listed. */
function quietly(read) {
  try {
    return read()
  } catch {
    return ''
  }
}

/** The memory of the browser with this many pages open, in megabytes. */
async function heldMb(use, site, pages) {
  let [open, settle] = [0]
  const mb = new Promise((resolve, reject) => (settle = { resolve, reject }))
  const hold = (terms, work, call) =>
    use(terms, async (page) => {
      const visited = await work(page)
      if (++open === pages) settle.resolve(belowMb())
      await mb
      return visited
    }, call)
  const fail = (error) => {
    settle.reject(error)
    throw error
  }
  await Promise.all(Array.from({ length: pages }, (_, i) => visitOne(hold, `${site.url}/page/${i}`).catch(fail)))
  return mb
}

/** The Chromium to measure; throws if there is none. */
export async function chromium() {
  const { found } = await findChromium(find)
  if (found === null || found.kind === 'remote') throw new Error('There is no Chromium to measure.')
  return found
}

/** Lends pages of a bare browser, each in its own context. */
export async function bareBrowser() {
  const found = await chromium()
  const folder = await mkdtemp(join(tmpdir(), 'trawl-bench-bare-'))
  const flags = ['--headless', '--remote-debugging-pipe', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', `--user-data-dir=${folder}`]
  const { browser, kill, gone } = await startChromium([found.path, ...flags], { PATH: process.env.PATH ?? '', ...found.env }, folder)
  return {
    async use({ context: options }, work) {
      const context = await browser.newContext(options)
      try {
        const page = await context.newPage()
        const cdp = await context.newCDPSession(page)
        const { targetInfo } = await cdp.send('Target.getTargetInfo')
        await wireOf(browser).hear(targetInfo.browserContextId ?? '')
        return await work(page)
      } finally {
        await context.close()
      }
    },
    async stop() {
      kill()
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function bare(measure) {
  const started = performance.now()
  const browser = await bareBrowser()
  try {
    return await measure(browser.use, started)
  } finally {
    await browser.stop()
  }
}

async function pooled(site, atOnce, measure) {
  const own = ownEndpoints()
  const resolver = nameResolver({ servers: [], clock: Date })
  const way = await tunnel(egress({ resolver, own, allow: allowList([`127.0.0.1:${site.port}`]) }), own)
  const pool = browserPool({ find, tunnel: way, clock: Date, say: () => undefined, concurrency: atOnce })
  await pool.search()
  const started = performance.now()
  try {
    return await measure((wish, work, call) => pool.use({ context: wish.context }, work, call), started)
  } finally {
    await pool.stop()
    await way.close()
    resolver.close()
  }
}

/**
 * The time from the launch to the first page, in milliseconds. The driver is loaded and Chromium has been found, as in
 * a service that is a few seconds old.
 */
async function launch(start, site) {
  return start(async (use, started) => {
    await visitOne(use, `${site.url}/page/0`)
    return performance.now() - started
  })
}

/** Measures ours and the bare browser in turns; the median of three runs each. */
async function inTurns(site, atOnce, measure) {
  const runs = { ours: [], bare: [] }
  for (let i = 0; i < 3; i++) {
    runs.bare.push(await measure(bare))
    runs.ours.push(await measure((use) => pooled(site, atOnce, use)))
  }
  const median = (values) => values.sort((a, b) => a - b)[1]
  return { ours: median(runs.ours), bare: median(runs.bare) }
}

/**
 * Isolated pages per second with `atOnce` at a time, milliseconds from the launch to the first page, and megabytes per
 * additional open page.
 */
export async function renderedPages(site, { count, atOnce }) {
  return {
    perSecond: await inTurns(site, atOnce, (start) => start((use) => perSecond(use, site, { count, atOnce }))),
    launchMs: await inTurns(site, atOnce, (start) => launch(start, site)),
    perOpenMb: await inTurns(site, atOnce, (start) => start(async (use) => ((await heldMb(use, site, 4)) - (await heldMb(use, site, 1))) / 3)),
  }
}
